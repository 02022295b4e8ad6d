#include "lookalike/inputs.h"

#include <arrow/array/array_dict.h>
#include <arrow/buffer.h>
#include <arrow/c/bridge.h>
#include <arrow/io/memory.h>
#include <arrow/ipc/options.h>
#include <arrow/ipc/reader.h>
#include <arrow/record_batch.h>
#include <arrow/table.h>
#include <arrow/type.h>
#include <arrow/util/byte_size.h>

#include <algorithm>
#include <exception>
#include <string_view>
#include <utility>
#include <vector>

#include "io/arrow_memory.h"
#include "run/no_exceptions.h"
#include "stages/input/columnar_check.h"
#include "stages/input/columnar_column.h"

namespace lookalike {
namespace {

/// True if the stream's rows have columns. Returns the producer's Error if there is no schema.
Result<bool> HasColumns(ArrowArrayStream* stream) {
  ArrowSchema schema = {};
  if (stream->get_schema(stream, &schema) != 0) {
    const char* const why = stream->get_last_error(stream);
    return InputError(std::string("the Arrow stream has no schema: ") +
                      (why ? why : "no reason given"));
  }
  const bool rows = std::string_view(schema.format) == "+s";
  schema.release(&schema);
  return rows;
}

arrow::Status CheckTable(const arrow::Table& table) {
  ARROW_RETURN_NOT_OK(table.Validate());
  for (const auto& column : table.columns()) {
    for (const auto& chunk : column->chunks()) ARROW_RETURN_NOT_OK(CheckColumn(*chunk));
  }
  return arrow::Status::OK();
}

const arrow::DictionaryArray& AsDictionary(const std::shared_ptr<arrow::Array>& chunk) {
  return static_cast<const arrow::DictionaryArray&>(*chunk);
}

bool HaveOneDictionary(const arrow::ChunkedArray& column) {
  return std::all_of(column.chunks().begin(), column.chunks().end(), [&](const auto& chunk) {
    return AsDictionary(chunk).dictionary()->Equals(AsDictionary(column.chunk(0)).dictionary());
  });
}

/// Returns the column with one dictionary for all chunks; its indices become wider if they are too
/// narrow for all values.
arrow::Result<std::shared_ptr<arrow::ChunkedArray>> Unify(const arrow::ChunkedArray& column) {
  const auto& type = static_cast<const arrow::DictionaryType&>(*column.type());
  ARROW_ASSIGN_OR_RAISE(const auto unifier, arrow::DictionaryUnifier::Make(type.value_type()));
  std::vector<std::shared_ptr<arrow::Buffer>> places(column.chunks().size());
  for (size_t i = 0; i < places.size(); ++i) {
    const auto& dictionary = AsDictionary(column.chunks()[i]).dictionary();
    ARROW_RETURN_NOT_OK(unifier->Unify(*dictionary, &places[i]));
  }
  std::shared_ptr<arrow::DataType> least;
  std::shared_ptr<arrow::Array> values;
  ARROW_RETURN_NOT_OK(unifier->GetResult(&least, &values));
  auto index = static_cast<const arrow::DictionaryType&>(*least).index_type();
  if (index->byte_width() <= type.index_type()->byte_width()) index = type.index_type();
  const auto unified = arrow::dictionary(index, type.value_type(), type.ordered());
  arrow::ArrayVector chunks;
  for (size_t i = 0; i < places.size(); ++i) {
    const auto* const map = reinterpret_cast<const int32_t*>(places[i]->data());
    ARROW_ASSIGN_OR_RAISE(auto chunk,
                          AsDictionary(column.chunks()[i]).Transpose(unified, values, map));
    chunks.push_back(std::move(chunk));
  }
  return arrow::ChunkedArray::Make(std::move(chunks), unified);
}

/// Gives each column a single dictionary, as Arrow files have; each chunk of a table may have its
/// own.
arrow::Result<std::shared_ptr<arrow::Table>> UnifyDictionaries(
    std::shared_ptr<arrow::Table> table) {
  for (int i = 0; i < table->num_columns(); ++i) {
    std::shared_ptr<arrow::ChunkedArray> column = table->column(i);
    if (column->num_chunks() < 2) continue;
    if (column->type()->id() != arrow::Type::DICTIONARY) {
      // A nested type may contain one.
      auto unified = arrow::DictionaryUnifier::UnifyChunkedArray(column);
      if (!unified.ok()) continue;
      column = *std::move(unified);
    } else if (!HaveOneDictionary(*column)) {
      ARROW_ASSIGN_OR_RAISE(column, Unify(*column));
    }
    if (column == table->column(i)) continue;
    const auto field = table->field(i)->WithType(column->type());
    ARROW_ASSIGN_OR_RAISE(table, table->SetColumn(i, field, column));
  }
  return table;
}

arrow::Result<std::shared_ptr<arrow::Table>> ReadAll(ArrowArrayStream* stream) {
  ARROW_ASSIGN_OR_RAISE(const auto reader, arrow::ImportRecordBatchReader(stream));
  return reader->ToTable();
}

/// Reads some columns of a stream. A small stream can say that it is huge: each buffer is bounded,
/// and so are all together.
arrow::Result<std::shared_ptr<arrow::Table>> ReadIpcColumns(
    std::string_view bytes, std::span<const std::string_view> columns, uint64_t most) {
  const auto buffer = std::make_shared<arrow::Buffer>(bytes);
  auto options = arrow::ipc::IpcReadOptions::Defaults();
  options.use_threads = false;
  options.memory_pool = ReusedMemoryUpTo(static_cast<int64_t>(most));
  const auto open = [&] {
    return arrow::ipc::RecordBatchStreamReader::Open(
        std::make_shared<arrow::io::BufferReader>(buffer), options);
  };
  ARROW_ASSIGN_OR_RAISE(auto reader, open());
  for (const std::string_view column : columns) {
    const int place = reader->schema()->GetFieldIndex(std::string(column));
    if (place >= 0) options.included_fields.push_back(place);
  }
  std::ranges::sort(options.included_fields);
  if (options.included_fields.empty()) return arrow::Table::MakeEmpty(arrow::schema({}));
  ARROW_ASSIGN_OR_RAISE(reader, open());
  arrow::RecordBatchVector batches;
  for (int64_t unpacked = 0;;) {
    std::shared_ptr<arrow::RecordBatch> batch;
    ARROW_RETURN_NOT_OK(reader->ReadNext(&batch));
    if (!batch) return arrow::Table::FromRecordBatches(reader->schema(), std::move(batches));
    unpacked += arrow::util::TotalBufferSize(*batch);
    if (unpacked > static_cast<int64_t>(most)) {
      return arrow::Status::CapacityError("its columns take more than ", most, " bytes unpacked");
    }
    batches.push_back(std::move(batch));
  }
}

/// Returns a table that can be read without looking at each place in it.
Result<std::shared_ptr<arrow::Table>> Checked(arrow::Result<std::shared_ptr<arrow::Table>> table) {
  if (!table.ok()) return InputError("the Arrow data cannot be read: " + table.status().message());
  if (!CheckTable(**table).ok()) {
    return CorruptError(
        "the Arrow data cannot be read: a column is damaged, for example by offsets or indices "
        "outside its values; create it again");
  }
  auto unified = UnifyDictionaries(*std::move(table));
  if (!unified.ok()) {
    return InputError(
        "the chunks of a column have dictionaries that cannot be merged; convert the column to "
        "plain values");
  }
  return std::move(unified).MoveValueUnsafe();
}

}  // namespace

Result<ArrowTable> ArrowTable::Import(ArrowArrayStream* stream) {
  // An earlier reader has released the stream, so it has no functions to call.
  if (stream->release == nullptr) {
    return InputError(
        "the Arrow stream was already read; a stream can be read only once, create a new one");
  }
  const Result<bool> columns = HasColumns(stream);
  if (!columns || !*columns) {
    stream->release(stream);
    if (!columns) return tl::make_unexpected(columns.error());
    return InputError("the Arrow data is a single array, expected a table with named columns");
  }
  try {
    LOOKALIKE_ASSIGN_OR_RETURN(auto table, Checked(ReadAll(stream)));
    return ArrowTable(std::move(table));
  } catch (const std::exception& error) {
    return InputError(std::string("the Arrow data cannot be read: ") + error.what());
  }
}

Result<ArrowTable> ArrowTable::ReadStream(std::string_view bytes,
                                          std::span<const std::string_view> columns,
                                          uint64_t most) {
  try {
    LOOKALIKE_ASSIGN_OR_RETURN(auto table, Checked(ReadIpcColumns(bytes, columns, most)));
    return ArrowTable(std::move(table));
  } catch (const std::exception& error) {
    return InputError(std::string("the Arrow data cannot be read: ") + error.what());
  }
}

struct TextColumn::Rows {
  ArrowTable table;
  std::vector<std::unique_ptr<ColumnarColumn>> columns;  // the views may point into them
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
        return InputError("the Arrow data cannot be read: its columns do not fit together");
      }
      if (!batch) return TextColumn(std::move(rows));
      auto column = ColumnarColumn::Make(*batch, place);
      if (!column) return MemoryError("out of memory; pass fewer rows at a time");
      for (int64_t row = 0; row < batch->num_rows(); ++row) {
        rows->texts.push_back(column->Text(row).value_or(std::string_view()));
      }
      rows->columns.push_back(std::move(column));
    }
  });
}

std::span<const std::string_view> TextColumn::texts() const { return rows_->texts; }

bool ArrowTable::Has(const std::string& column) const {
  return table_->schema()->GetFieldIndex(column) >= 0;
}

uint64_t ArrowTable::rows() const { return static_cast<uint64_t>(table_->num_rows()); }

}  // namespace lookalike
