// The records of one input as they travel from a reader to the stages and to a writer.
#ifndef LOOKALIKE_FLOW_DOCUMENT_BATCH_H_
#define LOOKALIKE_FLOW_DOCUMENT_BATCH_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "flow/text_kind.h"

namespace arrow {
class RecordBatch;
}

namespace lookalike {

/// Value of the field named by `--keep field:NAME`; monostate where a document has none.
using FieldValue = std::variant<std::monostate, int64_t, double, std::string>;

/// One record that could be read. Views point into DocumentBatch::storage.
struct Document {
  std::string_view text;  ///< Decoded value of the text field; may hold invalid UTF-8 as it stood.
  std::string_view id;    ///< Value of the id field as text; meaningful only with has_id.
  std::string_view raw;   ///< The record's bytes with its line end; empty in columnar formats.
  uint64_t row = 0;       ///< From 1: JSONL lines (blank ones count), else records.
  bool has_id = false;
  bool null_text = false;  ///< JSON null or a null cell: a document without words.
  bool repaired = false;   ///< The reader replaced invalid UTF-8 or lone surrogates by U+FFFD.
  FieldValue keep_field;   ///< Filled only when a keep field was asked for.
  /// Of a sketch file, in the place of a text: its coordinates or values as they are stored; empty
  /// where it has no features.
  std::string_view sketch = {};
  uint64_t features = 0;               ///< With it: how many distinct features it was made of.
  TextKind kind = TextKind::kUnknown;  ///< Whether `text` is HTML.
};

/// One record that could not be read. It is in no result, but its bytes are kept aside.
struct Rejection {
  uint64_t row = 0;
  std::string reason;         ///< What is wrong, without the place.
  std::string_view raw;       ///< Its bytes, line end included; empty in columnar formats.
  int64_t columnar_row = -1;  ///< Its row within DocumentBatch::columns, in columnar formats.
};

/// Bytes of an input that are no record of its own and stay where they are in a result: records of
/// WARC that are no documents.
struct Passenger {
  size_t before = 0;     ///< Index of the document of the batch that it stands before.
  std::string_view raw;  ///< Its bytes.
};

struct DocumentBatch;

/// Makes records of lines. Safe from several threads.
class LineParser {
 public:
  virtual ~LineParser() = default;

  /// Appends the records of the batch's unread lines to it, of which none are left then.
  virtual void Parse(DocumentBatch* batch) const = 0;
};

/// Lines that were cut off the input and not looked into yet: that is most of the work of reading,
/// and can be done on any thread.
struct UnreadLines {
  std::string_view bytes;
  uint32_t begin = 0;          ///< Of the first line, in `bytes`.
  std::vector<uint32_t> ends;  ///< Of each line, behind its line end where it has one.
  uint64_t row = 0;            ///< Of the first line, from 1.
  std::shared_ptr<const LineParser> parser;
};

/// Consecutive records of one input, in input order. A batch holds about a megabyte, or one
/// record where that is larger. Movable; views stay valid as long as `storage` lives.
struct DocumentBatch {
  uint32_t source = 0;  ///< Index of the input.
  std::vector<Document> documents;
  std::vector<Rejection> rejections;
  std::vector<Passenger> passengers;  ///< In order.
  UnreadLines unread;                 ///< Further records, when they were asked for like this.
  std::string_view header;            ///< CSV: the header record's bytes, in every batch.
  /// Columnar formats, when all columns were asked for: the rows behind `documents` and
  /// `rejections` together, in order.
  std::shared_ptr<arrow::RecordBatch> columns;
  std::shared_ptr<const void> storage;  ///< Owns the bytes that the views point into.
  uint64_t bytes_read = 0;              ///< Bytes of the file consumed so far, for progress.
};

/// What `--output annotated` adds to a record.
struct Annotation {
  bool keep = true;
  uint64_t cluster = 0;           ///< Cluster number from 1; 0: in no cluster (written as null).
  uint64_t copies = 1;            ///< Documents in its cluster, itself included; 1 when alone.
  std::string_view duplicate_of;  ///< Id of the witness; only when !keep.
  double resemblance = 0;         ///< To the witness; only when !keep.
};

}  // namespace lookalike

#endif  // LOOKALIKE_FLOW_DOCUMENT_BATCH_H_
