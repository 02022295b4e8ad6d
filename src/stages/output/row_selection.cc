#include "stages/output/row_selection.h"

#include <arrow/array/concatenate.h>
#include <arrow/builder.h>
#include <arrow/compute/api_vector.h>
#include <arrow/compute/exec.h>
#include <arrow/datum.h>
#include <arrow/record_batch.h>
#include <arrow/result.h>
#include <arrow/type.h>
#include <arrow/util/byte_size.h>

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "io/arrow_memory.h"

namespace lookalike {
namespace {

/// Calls `use(begin, length)` for each run of ones.
template <class Use>
arrow::Status ForEachRun(std::span<const uint8_t> mask, Use use) {
  auto begin = std::find(mask.begin(), mask.end(), uint8_t{1});
  while (begin != mask.end()) {
    auto end = std::find(begin, mask.end(), uint8_t{0});
    ARROW_RETURN_NOT_OK(use(begin - mask.begin(), end - begin));
    begin = std::find(end, mask.end(), uint8_t{1});
  }
  return arrow::Status::OK();
}

/// True if the type, or a type nested in it, is one of `ids`.
bool Holds(const arrow::DataType& type, std::initializer_list<arrow::Type::type> ids) {
  if (std::find(ids.begin(), ids.end(), type.id()) != ids.end()) return true;
  return std::any_of(type.fields().begin(), type.fields().end(),
                     [&](const auto& field) { return Holds(*field->type(), ids); });
}

/// Copies only the data of the chosen rows. Slices of view types share the values of the whole
/// column, and Arrow IPC would write those out again with each slice.
arrow::Result<std::shared_ptr<arrow::Array>> CopyRows(const arrow::Array& column,
                                                      std::span<const uint8_t> mask) {
  ARROW_ASSIGN_OR_RAISE(auto builder, arrow::MakeBuilder(column.type()));
  const arrow::ArraySpan source(*column.data());
  ARROW_RETURN_NOT_OK(ForEachRun(mask, [&](int64_t begin, int64_t length) {
    return builder->AppendArraySlice(source, begin, length);
  }));
  return builder->Finish();
}

arrow::Result<std::shared_ptr<arrow::Array>> JoinRows(const arrow::Array& column,
                                                      std::span<const uint8_t> mask) {
  arrow::ArrayVector runs;
  ARROW_RETURN_NOT_OK(ForEachRun(mask, [&](int64_t begin, int64_t length) {
    runs.push_back(column.Slice(begin, length));
    return arrow::Status::OK();
  }));
  return arrow::Concatenate(runs);
}

arrow::Result<std::shared_ptr<arrow::Array>> SelectCells(
    const std::shared_ptr<arrow::Array>& column, std::span<const uint8_t> mask,
    const std::shared_ptr<arrow::Array>& flags, bool all) {
  using Id = arrow::Type;
  const arrow::DataType& type = *column->type();
  // A builder would renumber dictionaries; too many bytes are better than different dictionaries.
  if (Holds(type, {Id::STRING_VIEW, Id::BINARY_VIEW}) && !Holds(type, {Id::DICTIONARY})) {
    return CopyRows(*column, mask);
  }
  if (all) return column;
  arrow::compute::ExecContext context(ReusedMemory());
  auto filtered =
      arrow::compute::Filter(column, flags, arrow::compute::FilterOptions::Defaults(), &context);
  if (filtered.ok()) return filtered->make_array();
  if (filtered.status().IsNotImplemented()) return JoinRows(*column, mask);
  return filtered.status();
}

}  // namespace

RowSelection::RowSelection(std::shared_ptr<arrow::RecordBatch> rows, std::span<const uint8_t> flags)
    : rows_(std::move(rows)),
      flags_(flags.begin(), flags.end()),
      count_(static_cast<size_t>(std::count(flags.begin(), flags.end(), uint8_t{1}))) {}

void RowSelection::AddColumns(std::shared_ptr<arrow::Schema> schema, arrow::ArrayVector added) {
  schema_ = std::move(schema);
  added_ = std::move(added);
}

arrow::Result<uint64_t> RowSelection::Bytes() const {
  ARROW_ASSIGN_OR_RAISE(const int64_t bytes, arrow::util::ReferencedBufferSize(*rows_));
  return static_cast<uint64_t>(bytes);
}

arrow::Result<std::shared_ptr<arrow::RecordBatch>> RowSelection::Make() const {
  arrow::BooleanBuilder builder;
  ARROW_RETURN_NOT_OK(builder.AppendValues(flags_.data(), rows_->num_rows()));
  ARROW_ASSIGN_OR_RAISE(const auto flags, builder.Finish());
  arrow::ArrayVector columns;
  for (const auto& column : rows_->columns()) {
    ARROW_ASSIGN_OR_RAISE(auto cells, SelectCells(column, flags_, flags, count_ == flags_.size()));
    columns.push_back(std::move(cells));
  }
  columns.insert(columns.end(), added_.begin(), added_.end());
  return arrow::RecordBatch::Make(schema_ ? schema_ : rows_->schema(), static_cast<int64_t>(count_),
                                  std::move(columns));
}

}  // namespace lookalike
