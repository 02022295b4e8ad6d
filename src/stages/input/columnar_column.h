// Reads values from one column of an Arrow record batch.
#ifndef LOOKALIKE_STAGES_INPUT_COLUMNAR_COLUMN_H_
#define LOOKALIKE_STAGES_INPUT_COLUMNAR_COLUMN_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lookalike/status.h"
#include "records/document_batch.h"

namespace arrow {
class Array;
class DataType;
class RecordBatch;
class Schema;
}  // namespace arrow

namespace lookalike {

/// Returns the child indices from the top of a schema to the field at `path`: a field of exactly
/// that name first, then the nested one. Empty if there is none.
std::vector<int> FindColumn(const arrow::Schema& schema, std::string_view path);

/// Returns the type of the field at `place`. REQUIRES: a non-empty result of FindColumn.
std::shared_ptr<arrow::DataType> TypeOfColumn(const arrow::Schema& schema,
                                              const std::vector<int>& place);

/// Finds a column of text as FindColumn does. The Error lists the existing columns, or names the
/// type of this one.
Result<std::vector<int>> FindTextColumn(const arrow::Schema& schema, const std::string& path);

/// Returns the Error for a missing column.
Error NoSuchColumn(const arrow::Schema& schema, const std::string& path, const char* option);

/// True if columns of this type hold text: utf8 or binary, their large and view forms, a dictionary
/// of these, or only nulls.
bool IsTextType(const arrow::DataType& type);

/// One column; a nested one also has the nulls of its parents. Views live as long as the column.
class ColumnarColumn {
 public:
  /// Returns null if memory ran out.
  static std::unique_ptr<ColumnarColumn> Make(const arrow::RecordBatch& batch,
                                              const std::vector<int>& place);

  explicit ColumnarColumn(std::shared_ptr<arrow::Array> array);

  [[nodiscard]] const std::shared_ptr<arrow::Array>& array() const { return array_; }

  /// Returns the text of a row, or nothing if it is null. REQUIRES: IsTextType.
  [[nodiscard]] std::optional<std::string_view> Text(int64_t row) const;

  /// True if the column's values are text.
  [[nodiscard]] bool is_text() const { return is_text_; }

  /// Returns a value of another type as text, or nothing for nulls, lists, maps and structs.
  [[nodiscard]] std::optional<std::string> AsText(int64_t row) const;

  /// Returns the value as a sort key.
  [[nodiscard]] FieldValue Value(int64_t row) const;

 private:
  std::shared_ptr<arrow::Array> array_;
  bool is_text_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_INPUT_COLUMNAR_COLUMN_H_
