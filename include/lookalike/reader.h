// Reads documents and rows from anything that a run can read, for programs that process them
// themselves.
#ifndef LOOKALIKE_READER_H_
#define LOOKALIKE_READER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lookalike/inputs.h"
#include "lookalike/lookalike.h"
#include "lookalike/options.h"
#include "lookalike/status.h"

namespace lookalike {

/// The value of a field as text, as guards compare it; nullopt: missing.
using FieldText = std::optional<std::string>;

/// Documents of one input, in the order of reading. Texts and ids have the layout of Arrow's
/// large_string: the text of document i is bytes text_offsets[i] to text_offsets[i + 1].
struct DocumentColumns {
  std::string input;        ///< The input's name, as in results.
  size_t input_number = 0;  ///< Its place among the inputs that were found, from 0.
  std::string texts;        ///< In UTF-8; for a page, only the part that Options::pages selects.
  std::vector<int64_t> text_offsets = {0};
  std::string ids;  ///< As in results: "input:row" for a document without an id.
  std::vector<int64_t> id_offsets = {0};
  std::vector<uint64_t> rows;    ///< From 1; see docs/output.md.
  std::vector<uint8_t> is_null;  ///< 1 if the text is null; its bytes are then empty.
  /// With Options::metadata_field: the value of that field, as text; empty if there is none.
  std::string metadata;
  std::vector<int64_t> metadata_offsets = {};
  /// The values of the fields that Options::differ, Options::same and Options::not_same name, each
  /// field once, in this order; `guard_fields` of them for each document.
  std::vector<FieldText> guard_values = {};
  size_t guard_fields = 0;

  [[nodiscard]] size_t size() const { return rows.size(); }
  [[nodiscard]] std::string_view Text(size_t i) const { return Part(texts, text_offsets, i); }
  [[nodiscard]] std::string_view Id(size_t i) const { return Part(ids, id_offsets, i); }
  [[nodiscard]] std::string_view Metadata(size_t i) const {
    return metadata_offsets.empty() ? std::string_view() : Part(metadata, metadata_offsets, i);
  }
  [[nodiscard]] std::span<const FieldText> GuardValues(size_t i) const {
    return std::span(guard_values).subspan(i * guard_fields, guard_fields);
  }
  /// Returns "input:row", which is the id of a document without one.
  [[nodiscard]] std::string PlaceOf(size_t i) const {
    return input + ":" + std::to_string(rows[i]);
  }

 private:
  static std::string_view Part(const std::string& bytes, const std::vector<int64_t>& offsets,
                               size_t i) {
    return std::string_view(bytes).substr(static_cast<size_t>(offsets[i]),
                                          static_cast<size_t>(offsets[i + 1] - offsets[i]));
  }
};

/// Reads the documents of inputs in order, as `dedup` numbers them. Not safe to use from several
/// threads.
class DocumentReader {
 public:
  /// Finds the inputs and their fields. Uses the reading options, and those that select the part of
  /// a text to compare (shingle, pages). Options::against is not read: open another reader for it.
  /// Returns the same Errors as `dedup` does before its first record.
  static Result<DocumentReader> Open(const Inputs& inputs, const Options& options,
                                     const Observer& observer = {});

  DocumentReader(DocumentReader&&) noexcept;
  DocumentReader& operator=(DocumentReader&&) noexcept;
  ~DocumentReader();

  /// Replaces `columns` with the next documents, about a megabyte of one input; returns false at
  /// the end. Records that cannot be read are reported to the observer, counted, and left out.
  /// Errors: an unreadable input (unless Options::skip_bad_inputs), too many such records, an
  /// interruption. If an input becomes unreadable partway, the documents before that place have
  /// already been returned.
  Result<bool> Next(DocumentColumns* columns);

  /// Returns the fields that are read.
  [[nodiscard]] FieldNames fields() const;

  /// Returns the number of inputs that were found.
  [[nodiscard]] size_t inputs() const;

  /// Returns the counts so far; `kept` counts the documents.
  [[nodiscard]] const RecordCounts& records() const;

 private:
  struct State;
  explicit DocumentReader(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

/// The form of an input's rows.
enum class RowForm : uint8_t {
  kFields,   ///< Records of CSV: a field for each column that the header names.
  kObjects,  ///< JSON: one field, "json"; each value is one object with its line end.
  kTexts,    ///< Text and pages: one field, "text", with the whole file.
};

/// A field of some rows, in the layout of Arrow's large_string.
struct RowField {
  std::string name;
  std::string values = {};  ///< In UTF-8.
  std::vector<int64_t> offsets = {0};
};

/// Rows of one input with all their fields, in the order of reading.
struct RowColumns {
  std::string input;  ///< The input's name, as in results.
  RowForm form = RowForm::kFields;
  std::vector<RowField> fields;
  std::vector<uint64_t> rows;  ///< From 1; see docs/output.md.
};

/// Reads whole rows from CSV, JSON, text and pages, such as the kept rows of a result. Parquet and
/// Arrow already store columns: read them with a library for those formats. Not safe to use from
/// several threads.
class RowReader {
 public:
  /// Finds the inputs. Uses the reading options except those that name fields. Returns the same
  /// Errors as `dedup` does before its first record, and one for an input of another format.
  static Result<RowReader> Open(const Inputs& inputs, const Options& options,
                                const Observer& observer = {});

  RowReader(RowReader&&) noexcept;
  RowReader& operator=(RowReader&&) noexcept;
  ~RowReader();

  /// Replaces `columns` with the next rows, about a megabyte of one input; returns false at the
  /// end. An input without rows is returned once. Rows whose ends cannot be found are reported to
  /// the observer, counted, and left out; JSON is not checked. Errors: as DocumentReader::Next.
  Result<bool> Next(RowColumns* columns);

  /// Returns the counts so far; `kept` counts the rows.
  [[nodiscard]] const RecordCounts& records() const;

 private:
  struct State;
  explicit RowReader(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_READER_H_
