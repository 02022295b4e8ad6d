#include "lookalike/inputs.h"

#include <arrow/c/bridge.h>
#include <arrow/record_batch.h>
#include <arrow/table.h>

#include <exception>
#include <string_view>

#include "api/run.h"
#include "stages/input/columnar_check.h"
#include "stages/input/columnar_column.h"

namespace lookalike {
namespace {

/// Whether the stream's rows have columns; an Error of the producer where it has no schema.
Result<bool> HasColumns(ArrowArrayStream* stream) {
  ArrowSchema schema = {};
  if (stream->get_schema(stream, &schema) != 0) {
    const char* const why = stream->get_last_error(stream);
    return Fail(std::string("the Arrow stream has no schema: ") + (why ? why : "no reason given"));
  }
  const bool rows = std::string_view(schema.format) == "+s";
  schema.release(&schema);
  return rows;
}

arrow::Result<std::shared_ptr<arrow::Table>> ReadAll(ArrowArrayStream* stream) {
  ARROW_ASSIGN_OR_RAISE(const auto reader, arrow::ImportRecordBatchReader(stream));
  ARROW_ASSIGN_OR_RAISE(auto table, reader->ToTable());
  ARROW_RETURN_NOT_OK(table->Validate());
  for (const auto& column : table->columns()) {
    for (const auto& chunk : column->chunks()) ARROW_RETURN_NOT_OK(CheckColumn(*chunk));
  }
  return table;
}

}  // namespace

Result<ArrowTable> ArrowTable::Import(ArrowArrayStream* stream) {
  // Who took the stream before has released it, and left nothing to call.
  if (stream->release == nullptr) {
    return Fail("the Arrow stream was read before; a stream can be read once, make a new one");
  }
  const Result<bool> columns = HasColumns(stream);
  if (!columns || !*columns) {
    stream->release(stream);
    if (!columns) return tl::make_unexpected(columns.error());
    return Fail("the Arrow data is one array, expected a table with named columns");
  }
  try {
    auto table = ReadAll(stream);
    if (!table.ok()) return Fail("the Arrow data cannot be read: " + table.status().message());
    return ArrowTable(std::move(table).MoveValueUnsafe());
  } catch (const std::exception& error) {
    return Fail(std::string("the Arrow data cannot be read: ") + error.what());
  }
}

struct TextColumn::Rows {
  ArrowTable table;
  std::vector<std::unique_ptr<ColumnarColumn>> columns;  // what the views may point into
  std::vector<std::string_view> texts;
};

Result<TextColumn> TextColumn::Of(const ArrowTable& table, const std::string& field) {
  return WithoutExceptions([&]() -> Result<TextColumn> {
    const arrow::Table& data = *table.table();
    LOOKALIKE_ASSIGN_OR_RETURN(const auto place, FindTextColumn(*data.schema(), field));
    auto rows = std::make_shared<Rows>(Rows{table, {}, {}});
    rows->texts.reserve(table.rows());
    arrow::TableBatchReader reader(data);
    std::shared_ptr<arrow::RecordBatch> batch;
    while (true) {
      if (const auto status = reader.ReadNext(&batch); !status.ok()) {
        return Fail("the Arrow data cannot be read: " + status.message());
      }
      if (!batch) return TextColumn(std::move(rows));
      auto column = ColumnarColumn::Make(*batch, place);
      if (!column) return Fail("out of memory; give fewer rows at a time");
      for (int64_t row = 0; row < batch->num_rows(); ++row) {
        rows->texts.push_back(column->Text(row).value_or(std::string_view()));
      }
      rows->columns.push_back(std::move(column));
    }
  });
}

std::span<const std::string_view> TextColumn::texts() const { return rows_->texts; }

uint64_t ArrowTable::rows() const { return static_cast<uint64_t>(table_->num_rows()); }

}  // namespace lookalike
