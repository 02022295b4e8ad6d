// The records of one input on their way from a reader to the stages and to a writer.
#ifndef LOOKALIKE_RECORDS_DOCUMENT_BATCH_H_
#define LOOKALIKE_RECORDS_DOCUMENT_BATCH_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "records/text_kind.h"

namespace arrow {
class RecordBatch;
}

namespace lookalike {

/// Value of the field named by `--keep field:NAME`; monostate if a document has none.
using FieldValue = std::variant<std::monostate, int64_t, double, std::string>;

/// One record that could be read. Views point into DocumentBatch::storage.
struct Document {
  std::string_view text;  ///< Decoded value of the text field; invalid UTF-8 is left in.
  std::string_view id;    ///< Value of the id field as text; meaningful only with has_id.
  std::string_view raw;   ///< The record's bytes with its line end; empty in columnar formats.
  uint64_t row = 0;       ///< From 1: JSONL lines (blank ones count), else records.
  bool has_id = false;
  bool null_text = false;  ///< JSON null or a null cell: a document without words.
  bool repaired = false;   ///< The reader replaced invalid UTF-8 or lone surrogates by U+FFFD.
  FieldValue keep_field;   ///< Filled only if a keep field was requested.
  /// For a sketch file, in place of a text: its coordinates or values as stored; empty if it has no
  /// features.
  std::string_view sketch = {};
  uint64_t features = 0;               ///< With `sketch`: how many distinct features it represents.
  TextKind kind = TextKind::kUnknown;  ///< Says if `text` is HTML.
  /// The values of FieldPaths::others, in their order, as text; nullopt: missing.
  std::vector<std::optional<std::string_view>> values = {};
  /// The values of FieldPaths::more_keep, in their order; those at the end may be left out if the
  /// document does not have them.
  std::vector<FieldValue> more_keep_fields = {};
};

/// One record that could not be read. It is in no result, but its bytes are set aside.
struct Rejection {
  uint64_t row = 0;
  std::string reason;         ///< Describes the error, without the place.
  std::string_view raw;       ///< Its bytes, line end included; empty in columnar formats.
  int64_t columnar_row = -1;  ///< Its row within DocumentBatch::columns, in columnar formats.
};

/// Bytes of an input that are not a document but are copied to their place in a result, such as the
/// other records of a WARC file.
struct PassThrough {
  size_t before = 0;     ///< Index of the document in the batch that follows it.
  std::string_view raw;  ///< Its bytes.
};

struct DocumentBatch;

/// A parser of lines into records. Safe to use from several threads.
class LineParser {
 public:
  virtual ~LineParser() = default;

  /// Parses the batch's unread lines and appends their records to it; leaves no unread lines.
  virtual void Parse(DocumentBatch* batch) const = 0;
};

/// Lines that were cut off the input but not parsed yet; parsing is most of the work of reading,
/// and can be done on any thread.
struct UnreadLines {
  std::string_view bytes;
  uint32_t begin = 0;          ///< Position of the first line in `bytes`.
  std::vector<uint32_t> ends;  ///< End of each line, after its line end if it has one.
  uint64_t row = 0;            ///< Number of the first line, from 1.
  std::shared_ptr<const LineParser> parser;
};

/// Consecutive records of one input, in input order. A batch holds about a megabyte, or one record
/// if that is larger. Movable; views stay valid as long as `storage` lives.
struct DocumentBatch {
  uint32_t source = 0;  ///< Index of the input.
  std::vector<Document> documents;
  std::vector<Rejection> rejections;
  std::vector<PassThrough> pass_through;  ///< In order.
  UnreadLines unread;                     ///< Further records, if unread lines were requested.
  std::string_view header;                ///< CSV: the header record's bytes, in every batch.
  /// Columnar formats, if all columns were requested: the rows of `documents` and `rejections`
  /// together, in order.
  std::shared_ptr<arrow::RecordBatch> columns;
  std::shared_ptr<const void> storage;  ///< Owns the bytes that the views point into.
  uint64_t bytes_read = 0;              ///< Bytes of the file consumed so far, for progress.
};

/// The fields that `--output annotated` adds to a record.
struct Annotation {
  bool keep = true;
  uint64_t cluster = 0;           ///< Cluster number from 1; 0: in no cluster (written as null).
  uint64_t copies = 1;            ///< Documents in its cluster, itself included; 1 when alone.
  std::string_view duplicate_of;  ///< Id of the witness; only when !keep.
  double resemblance = 0;         ///< To the witness; only when !keep.
};

}  // namespace lookalike

#endif  // LOOKALIKE_RECORDS_DOCUMENT_BATCH_H_
