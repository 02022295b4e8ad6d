#include "stages/input/columnar_check.h"

#include <arrow/array.h>
#include <arrow/array/array_dict.h>
#include <arrow/array/data.h>
#include <arrow/extension_type.h>
#include <arrow/type.h>

#include <memory>
#include <utility>

namespace lookalike {
namespace {

std::shared_ptr<arrow::ArrayData> Nulls(int64_t length) {
  return arrow::ArrayData::Make(arrow::null(), length, {nullptr}, length);
}

// Checks the column as a column of another type that has the same buffers.
arrow::Status CheckAs(const arrow::Array& column, std::shared_ptr<arrow::DataType> type) {
  const auto data = column.data()->Copy();
  data->type = std::move(type);
  return arrow::MakeArray(data)->ValidateFull();
}

// Checks a dictionary separately: Arrow stops at the first defect, so after invalid UTF-8 it would
// not check the indices.
arrow::Status CheckDictionary(const arrow::Array& column) {
  const auto& dictionary = *static_cast<const arrow::DictionaryArray&>(column).dictionary();
  ARROW_RETURN_NOT_OK(CheckColumn(dictionary));
  const auto& type = static_cast<const arrow::DictionaryType&>(*column.type());
  const auto data = column.data()->Copy();
  data->type = arrow::dictionary(type.index_type(), arrow::null());
  data->dictionary = Nulls(dictionary.length());
  return arrow::MakeArray(data)->ValidateFull();
}

arrow::Status CheckChildren(const arrow::Array& column) {
  ARROW_RETURN_NOT_OK(column.Validate());
  for (const auto& child : column.data()->child_data) {
    ARROW_RETURN_NOT_OK(CheckColumn(*arrow::MakeArray(child)));
  }
  return arrow::Status::OK();
}

// Checks a list: first its contents, then its offsets, by treating it as a list of nulls.
arrow::Status CheckList(const arrow::Array& column, std::shared_ptr<arrow::DataType> type) {
  ARROW_RETURN_NOT_OK(CheckChildren(column));
  const auto data = column.data()->Copy();
  data->type = std::move(type);
  data->child_data = {Nulls(column.data()->child_data.front()->length)};
  return arrow::MakeArray(data)->ValidateFull();
}

}  // namespace

arrow::Status CheckColumn(const arrow::Array& column) {
  switch (column.type_id()) {
    case arrow::Type::STRING:
      return CheckAs(column, arrow::binary());
    case arrow::Type::LARGE_STRING:
      return CheckAs(column, arrow::large_binary());
    case arrow::Type::STRING_VIEW:
      return CheckAs(column, arrow::binary_view());
    case arrow::Type::DICTIONARY:
      return CheckDictionary(column);
    case arrow::Type::STRUCT:
    case arrow::Type::FIXED_SIZE_LIST:
      return CheckChildren(column);
    case arrow::Type::LIST:
    case arrow::Type::MAP:  // a list of structs
      return CheckList(column, arrow::list(arrow::null()));
    case arrow::Type::LARGE_LIST:
      return CheckList(column, arrow::large_list(arrow::null()));
    case arrow::Type::LIST_VIEW:
      return CheckList(column, arrow::list_view(arrow::null()));
    case arrow::Type::LARGE_LIST_VIEW:
      return CheckList(column, arrow::large_list_view(arrow::null()));
    case arrow::Type::EXTENSION:
      return CheckColumn(*static_cast<const arrow::ExtensionArray&>(column).storage());
    default:
      return column.ValidateFull();
  }
}

}  // namespace lookalike
