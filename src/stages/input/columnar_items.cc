#include "stages/input/columnar_items.h"

#include <arrow/array.h>
#include <arrow/array/array_nested.h>
#include <arrow/type.h>

#include <cmath>
#include <utility>
#include <variant>

#include "text/decimal.h"

namespace lookalike {
namespace {

bool IsNumberType(const arrow::DataType& type) {
  return arrow::is_integer(type.id()) || arrow::is_floating(type.id());
}

/// Returns the element type of lists of this type; null if it is not a list type.
std::shared_ptr<arrow::DataType> ElementType(const arrow::DataType& type) {
  switch (type.id()) {
    case arrow::Type::LIST:
    case arrow::Type::LARGE_LIST:
    case arrow::Type::FIXED_SIZE_LIST:
    case arrow::Type::LIST_VIEW:
    case arrow::Type::LARGE_LIST_VIEW:
    case arrow::Type::MAP:  // of structs
      return type.field(0)->type();
    default:
      return nullptr;
  }
}

/// Calls `take` with the array cast to its actual type.
template <class Take>
auto AsLists(const arrow::Array& array, Take take) {
  switch (array.type_id()) {
    case arrow::Type::LARGE_LIST:
      return take(static_cast<const arrow::LargeListArray&>(array));
    case arrow::Type::FIXED_SIZE_LIST:
      return take(static_cast<const arrow::FixedSizeListArray&>(array));
    case arrow::Type::LIST_VIEW:
      return take(static_cast<const arrow::ListViewArray&>(array));
    case arrow::Type::LARGE_LIST_VIEW:
      return take(static_cast<const arrow::LargeListViewArray&>(array));
    default:  // a map is a list too
      return take(static_cast<const arrow::ListArray&>(array));
  }
}

std::shared_ptr<arrow::Array> ElementsOf(const arrow::Array& lists) {
  return AsLists(lists, [](const auto& array) { return array.values(); });
}

struct Range {
  int64_t begin, end;
};

Range RangeOf(const arrow::Array& lists, int64_t row) {
  return AsLists(lists, [&](const auto& array) {
    const auto begin = static_cast<int64_t>(array.value_offset(row));
    return Range{begin, begin + static_cast<int64_t>(array.value_length(row))};
  });
}

std::shared_ptr<arrow::Array> FieldOf(const arrow::Array& elements, int field) {
  return static_cast<const arrow::StructArray&>(elements).field(field);
}

bool IsStruct(const arrow::Array& elements) { return elements.type_id() == arrow::Type::STRUCT; }

std::optional<std::string> RealText(double number) {
  return std::isfinite(number) ? std::optional(CanonicalDecimal(number)) : std::nullopt;
}

}  // namespace

bool IsItemType(const arrow::DataType& type) {
  const bool text = IsTextType(type) && type.id() != arrow::Type::NA;
  return text || IsNumberType(type) || type.id() == arrow::Type::BOOL;
}

bool IsListType(const arrow::DataType& type) {
  const auto element = ElementType(type);
  if (element == nullptr) return false;
  if (element->id() == arrow::Type::NA) return true;  // all of them empty, or rejected
  if (element->id() != arrow::Type::STRUCT) return IsItemType(*element);
  return element->num_fields() == 2 && IsItemType(*element->field(0)->type()) &&
         IsNumberType(*element->field(1)->type());
}

bool IsNumberListType(const arrow::DataType& type) {
  const auto element = ElementType(type);
  return element != nullptr && (element->id() == arrow::Type::NA || IsNumberType(*element));
}

std::optional<std::string> ItemText(const ColumnarColumn& column, int64_t row) {
  if (column.is_text()) {
    const auto text = column.Text(row);
    return text ? std::optional<std::string>(*text) : std::nullopt;
  }
  const arrow::Array& array = *column.array();
  if (array.IsNull(row) || !IsItemType(*array.type())) return {};
  // A float has fewer digits than its value as a double.
  if (array.type_id() == arrow::Type::FLOAT) {
    const float number = static_cast<const arrow::FloatArray&>(array).Value(row);
    return std::isfinite(number) ? std::optional(CanonicalDecimal(number)) : std::nullopt;
  }
  if (arrow::is_floating(array.type_id())) return RealText(std::get<double>(column.Value(row)));
  return column.AsText(row);
}

ColumnarItems::ColumnarItems(std::shared_ptr<arrow::Array> lists)
    : lists_(std::move(lists)),
      elements_(ElementsOf(*lists_)),
      items_(IsStruct(*elements_) ? FieldOf(*elements_, 0) : elements_) {
  if (IsStruct(*elements_)) weights_.emplace(FieldOf(*elements_, 1));
}

bool ColumnarItems::IsNull(int64_t row) const { return lists_->IsNull(row); }

bool ColumnarItems::AddElement(int64_t at, ItemList* list) const {
  const std::optional<std::string> item =
      elements_->IsNull(at) ? std::nullopt : ItemText(items_, at);
  if (!item) return list->Refuse("is null or not a number, expected text, a number or a boolean");
  if (!weights_) return list->Add(*item);
  const std::optional<std::string> weight = ItemText(*weights_, at);
  if (!weight) return list->Refuse("has a weight that is null or not a number");
  return list->Add(*item, *weight);
}

// Converts a float to a double of the same value, like the computation of distances.
bool ColumnarItems::AddNumber(int64_t at, ItemList* list) const {
  if (!elements_->IsNull(at)) {
    const FieldValue value = items_.Value(at);
    const auto* const real = std::get_if<double>(&value);
    if (real != nullptr && std::isfinite(*real)) return list->AddNumber(*real);
    if (real == nullptr) {
      if (const auto text = ItemText(items_, at)) return list->AddNumber(*text);
    }
  }
  return list->Refuse("is null or not finite, expected a number (the list is one point)");
}

void ColumnarItems::Read(int64_t row, ItemList* list) const {
  list->Begin();
  const Range range = RangeOf(*lists_, row);
  for (int64_t at = range.begin; at < range.end; ++at) {
    if (!(list->TakesNumbers() ? AddNumber(at, list) : AddElement(at, list))) return;
  }
}

}  // namespace lookalike
