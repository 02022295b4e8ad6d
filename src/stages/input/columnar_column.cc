#include "stages/input/columnar_column.h"

#include <arrow/array.h>
#include <arrow/array/array_dict.h>
#include <arrow/array/array_nested.h>
#include <arrow/record_batch.h>
#include <arrow/scalar.h>
#include <arrow/type.h>
#include <arrow/util/decimal.h>
#include <arrow/util/float16.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

namespace lookalike {
namespace {

// Binary columns count as text too: many writers do not mark text as text.
bool IsPlainText(arrow::Type::type id) {
  return arrow::is_base_binary_like(id) || arrow::is_binary_view_like(id);
}

std::string_view PlainText(const arrow::Array& array, int64_t row) {
  switch (array.type_id()) {
    case arrow::Type::STRING:
    case arrow::Type::BINARY:
      return static_cast<const arrow::BinaryArray&>(array).GetView(row);
    case arrow::Type::LARGE_STRING:
    case arrow::Type::LARGE_BINARY:
      return static_cast<const arrow::LargeBinaryArray&>(array).GetView(row);
    default:
      return static_cast<const arrow::BinaryViewArray&>(array).GetView(row);
  }
}

template <class ArrayType>
int64_t Whole(const arrow::Array& array, int64_t row) {
  return static_cast<int64_t>(static_cast<const ArrayType&>(array).Value(row));
}

FieldValue UnsignedValue(const arrow::Array& array, int64_t row) {
  const uint64_t value = static_cast<const arrow::UInt64Array&>(array).Value(row);
  if (value > static_cast<uint64_t>(INT64_MAX)) return static_cast<double>(value);
  return static_cast<int64_t>(value);
}

FieldValue WholeValue(const arrow::Array& array, int64_t row) {
  switch (array.type_id()) {
    case arrow::Type::BOOL:
      return Whole<arrow::BooleanArray>(array, row);
    case arrow::Type::INT8:
      return Whole<arrow::Int8Array>(array, row);
    case arrow::Type::INT16:
      return Whole<arrow::Int16Array>(array, row);
    case arrow::Type::INT32:
      return Whole<arrow::Int32Array>(array, row);
    case arrow::Type::DATE32:
      return Whole<arrow::Date32Array>(array, row);
    case arrow::Type::TIME32:
      return Whole<arrow::Time32Array>(array, row);
    case arrow::Type::INT64:
      return Whole<arrow::Int64Array>(array, row);
    case arrow::Type::DATE64:
      return Whole<arrow::Date64Array>(array, row);
    case arrow::Type::TIME64:
      return Whole<arrow::Time64Array>(array, row);
    case arrow::Type::TIMESTAMP:
      return Whole<arrow::TimestampArray>(array, row);
    case arrow::Type::DURATION:
      return Whole<arrow::DurationArray>(array, row);
    case arrow::Type::UINT8:
      return Whole<arrow::UInt8Array>(array, row);
    case arrow::Type::UINT16:
      return Whole<arrow::UInt16Array>(array, row);
    case arrow::Type::UINT32:
      return Whole<arrow::UInt32Array>(array, row);
    case arrow::Type::UINT64:
      return UnsignedValue(array, row);
    default:
      return {};
  }
}

FieldValue DecimalValue(const arrow::Array& array, int64_t row) {
  const auto& type = static_cast<const arrow::DecimalType&>(*array.type());
  if (type.id() == arrow::Type::DECIMAL128) {
    const auto& decimals = static_cast<const arrow::Decimal128Array&>(array);
    return arrow::Decimal128(decimals.GetValue(row)).ToDouble(type.scale());
  }
  if (type.id() == arrow::Type::DECIMAL256) {
    const auto& decimals = static_cast<const arrow::Decimal256Array&>(array);
    return arrow::Decimal256(decimals.GetValue(row)).ToDouble(type.scale());
  }
  return {};
}

}  // namespace

std::vector<int> FindColumn(const arrow::Schema& schema, std::string_view path) {
  const arrow::FieldVector* fields = &schema.fields();
  std::vector<int> place;
  while (true) {
    const auto find = [&](std::string_view name) {
      for (size_t i = 0; i < fields->size(); ++i) {
        if ((*fields)[i]->name() == name) return static_cast<int>(i);
      }
      return -1;
    };
    const int whole = find(path);
    if (whole >= 0) {
      place.push_back(whole);
      return place;
    }
    const size_t dot = path.find('.');
    const int outer = dot == std::string_view::npos ? -1 : find(path.substr(0, dot));
    if (outer < 0) return {};
    const arrow::DataType& type = *(*fields)[static_cast<size_t>(outer)]->type();
    if (type.id() != arrow::Type::STRUCT) return {};
    place.push_back(outer);
    fields = &type.fields();
    path.remove_prefix(dot + 1);
  }
}

std::shared_ptr<arrow::DataType> TypeOfColumn(const arrow::Schema& schema,
                                              const std::vector<int>& place) {
  std::shared_ptr<arrow::DataType> type = schema.field(place.front())->type();
  for (size_t i = 1; i < place.size(); ++i) type = type->field(place[i])->type();
  return type;
}

bool IsTextType(const arrow::DataType& type) {
  if (type.id() != arrow::Type::DICTIONARY) {
    return IsPlainText(type.id()) || type.id() == arrow::Type::NA;
  }
  return IsPlainText(static_cast<const arrow::DictionaryType&>(type).value_type()->id());
}

Error NoSuchColumn(const arrow::Schema& schema, const std::string& path, const char* option) {
  return InputError(fmt::format("has no column \"{}\"; its columns are: {}; name one with $<{}>",
                                path, fmt::join(schema.field_names(), ", "), option))
      .value();
}

Result<std::vector<int>> FindTextColumn(const arrow::Schema& schema, const std::string& path) {
  std::vector<int> place = FindColumn(schema, path);
  if (place.empty()) return tl::make_unexpected(NoSuchColumn(schema, path, "text-field"));
  const auto type = TypeOfColumn(schema, place);
  if (IsTextType(*type)) return place;
  return InputError(
      fmt::format("column \"{}\" has the type {}, expected text (utf8 or "
                  "binary, their large and view forms, or a dictionary of them); name another with "
                  "$<text-field>",
                  path, type->ToString()));
}

ColumnarColumn::ColumnarColumn(std::shared_ptr<arrow::Array> array)
    : array_(std::move(array)), is_text_(IsTextType(*array_->type())) {}

std::unique_ptr<ColumnarColumn> ColumnarColumn::Make(const arrow::RecordBatch& batch,
                                                     const std::vector<int>& place) {
  std::shared_ptr<arrow::Array> array = batch.column(place.front());
  for (size_t i = 1; i < place.size(); ++i) {
    auto child = static_cast<const arrow::StructArray&>(*array).GetFlattenedField(place[i]);
    if (!child.ok()) return nullptr;
    array = std::move(child).MoveValueUnsafe();
  }
  return std::unique_ptr<ColumnarColumn>(new ColumnarColumn(std::move(array)));
}

std::optional<std::string_view> ColumnarColumn::Text(int64_t row) const {
  if (array_->IsNull(row)) return {};
  if (array_->type_id() != arrow::Type::DICTIONARY) return PlainText(*array_, row);
  const auto& dictionary = static_cast<const arrow::DictionaryArray&>(*array_);
  const int64_t index = dictionary.GetValueIndex(row);
  if (dictionary.dictionary()->IsNull(index)) return {};
  return PlainText(*dictionary.dictionary(), index);
}

std::optional<std::string> ColumnarColumn::AsText(int64_t row) const {
  if (array_->IsNull(row) || array_->type()->num_fields() > 0) return {};
  const FieldValue value = WholeValue(*array_, row);
  const arrow::Type::type type = array_->type_id();
  // Dates and times are more readable in their usual form than as integers. Other integers are the
  // common case and do not need a scalar.
  if (arrow::is_integer(type) && std::holds_alternative<int64_t>(value)) {
    return std::to_string(std::get<int64_t>(value));
  }
  auto scalar = array_->GetScalar(row);
  if (scalar.ok() && type == arrow::Type::DICTIONARY) {
    scalar = static_cast<const arrow::DictionaryScalar&>(**scalar).GetEncodedValue();
  }
  if (!scalar.ok() || !(*scalar)->is_valid) return {};
  if (arrow::is_base_binary_like(type)) {
    return static_cast<const arrow::BaseBinaryScalar&>(**scalar).value->ToString();
  }
  return (*scalar)->ToString();
}

FieldValue ColumnarColumn::Value(int64_t row) const {
  if (array_->IsNull(row)) return {};
  if (is_text_) {
    const std::optional<std::string_view> text = Text(row);
    return text ? FieldValue(std::string(*text)) : FieldValue();
  }
  switch (array_->type_id()) {
    case arrow::Type::HALF_FLOAT:
      return arrow::util::Float16::FromBits(
                 static_cast<const arrow::HalfFloatArray&>(*array_).Value(row))
          .ToDouble();
    case arrow::Type::FLOAT:
      return double{static_cast<const arrow::FloatArray&>(*array_).Value(row)};
    case arrow::Type::DOUBLE:
      return static_cast<const arrow::DoubleArray&>(*array_).Value(row);
    case arrow::Type::DECIMAL128:
    case arrow::Type::DECIMAL256:
      return DecimalValue(*array_, row);
    default:
      return WholeValue(*array_, row);
  }
}

}  // namespace lookalike
