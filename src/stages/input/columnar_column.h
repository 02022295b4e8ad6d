// Values out of one column of an Arrow record batch.
#ifndef LOOKALIKE_STAGES_INPUT_COLUMNAR_COLUMN_H_
#define LOOKALIKE_STAGES_INPUT_COLUMNAR_COLUMN_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "flow/document_batch.h"
#include "lookalike/status.h"

namespace arrow {
class Array;
class DataType;
class RecordBatch;
class Schema;
}  // namespace arrow

namespace lookalike {

/// Child indices from the top of a schema to the field at `path`: a field of exactly that name
/// first, then the nested one. Empty: there is none.
std::vector<int> FindColumn(const arrow::Schema& schema, std::string_view path);

/// The type of the field at `place`. REQUIRES: a result of FindColumn that is not empty.
std::shared_ptr<arrow::DataType> TypeOfColumn(const arrow::Schema& schema,
                                              const std::vector<int>& place);

/// FindColumn of a column of text. The Error lists the columns there are, or names the type of this
/// one.
Result<std::vector<int>> FindTextColumn(const arrow::Schema& schema, const std::string& path);

/// The Error where there is no such column.
Error NoSuchColumn(const arrow::Schema& schema, const std::string& path, const char* option);

/// Whether columns of this type hold text: utf8 or binary, their large and view forms, a dictionary
/// of those, or nothing but nulls.
bool IsTextType(const arrow::DataType& type);

/// One column, nested ones with the nulls of their parents. Views live as long as the column.
class ColumnarColumn {
 public:
  /// Null where memory ran out.
  static std::unique_ptr<ColumnarColumn> Make(const arrow::RecordBatch& batch,
                                              const std::vector<int>& place);

  explicit ColumnarColumn(std::shared_ptr<arrow::Array> array);

  [[nodiscard]] const std::shared_ptr<arrow::Array>& array() const { return array_; }

  /// The text of a row; none where it is null. REQUIRES: IsTextType.
  [[nodiscard]] std::optional<std::string_view> Text(int64_t row) const;

  /// Whether the column's values are text.
  [[nodiscard]] bool is_text() const { return is_text_; }

  /// A value of another type as text; none for nulls, lists, maps and structs.
  [[nodiscard]] std::optional<std::string> AsText(int64_t row) const;

  /// The value as something to order by.
  [[nodiscard]] FieldValue Value(int64_t row) const;

 private:
  std::shared_ptr<arrow::Array> array_;
  bool is_text_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_INPUT_COLUMNAR_COLUMN_H_
