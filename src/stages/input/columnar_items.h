// Lists and single values of a column of an Arrow record batch, as text.
#ifndef LOOKALIKE_STAGES_INPUT_COLUMNAR_ITEMS_H_
#define LOOKALIKE_STAGES_INPUT_COLUMNAR_ITEMS_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "stages/input/columnar_column.h"
#include "stages/input/item_list.h"

namespace lookalike {

/// True if values of this type can be items: text, integer and floating-point numbers, booleans.
bool IsItemType(const arrow::DataType& type);

/// True if columns of this type hold lists of items: lists of any kind whose elements are items or
/// structs of an item and a number; maps of items to numbers.
bool IsListType(const arrow::DataType& type);

/// True if columns of this type hold lists of numbers; any kind of list will do.
bool IsNumberListType(const arrow::DataType& type);

/// Returns the text of a value, numbers as in CanonicalDecimal; nothing if it is null, not finite
/// or not an item.
std::optional<std::string> ItemText(const ColumnarColumn& column, int64_t row);

/// The lists of one column.
class ColumnarItems {
 public:
  /// REQUIRES: IsListType of the column's type.
  explicit ColumnarItems(std::shared_ptr<arrow::Array> lists);

  /// True if the list of a row is null.
  [[nodiscard]] bool IsNull(int64_t row) const;

  /// Reads the row's list; a defect becomes the list's problem. REQUIRES: not null.
  void Read(int64_t row, ItemList* list) const;

 private:
  bool AddElement(int64_t at, ItemList* list) const;
  bool AddNumber(int64_t at, ItemList* list) const;

  std::shared_ptr<arrow::Array> lists_, elements_;
  ColumnarColumn items_;
  std::optional<ColumnarColumn> weights_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_INPUT_COLUMNAR_ITEMS_H_
