#include "lookalike/inputs.h"

#include <arrow/array/array_dict.h>
#include <arrow/buffer.h>
#include <arrow/c/bridge.h>
#include <arrow/io/memory.h>
#include <arrow/ipc/options.h>
#include <arrow/ipc/reader.h>
#include <arrow/memory_pool.h>
#include <arrow/record_batch.h>
#include <arrow/table.h>
#include <arrow/type.h>

#include <algorithm>
#include <exception>
#include <string_view>
#include <utility>
#include <vector>

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

/// Memory for one stream: a small one can say that it is huge. Counts all that was ever taken,
/// because a stream can replace its dictionaries any number of times.
class BoundedMemory final : public arrow::MemoryPool {
 public:
  explicit BoundedMemory(int64_t most) : left_(most) {}

  using arrow::MemoryPool::Allocate;
  using arrow::MemoryPool::Free;
  using arrow::MemoryPool::Reallocate;

  arrow::Status Allocate(int64_t size, int64_t alignment, uint8_t** out) override {
    ARROW_RETURN_NOT_OK(Take(size));
    return pool_.Allocate(size, alignment, out);
  }
  arrow::Status Reallocate(int64_t old_size, int64_t new_size, int64_t alignment,
                           uint8_t** ptr) override {
    ARROW_RETURN_NOT_OK(Take(new_size - old_size));
    return pool_.Reallocate(old_size, new_size, alignment, ptr);
  }
  void Free(uint8_t* buffer, int64_t size, int64_t alignment) override {
    pool_.Free(buffer, size, alignment);
  }
  [[nodiscard]] int64_t bytes_allocated() const override { return pool_.bytes_allocated(); }
  [[nodiscard]] int64_t max_memory() const override { return pool_.max_memory(); }
  [[nodiscard]] int64_t total_bytes_allocated() const override {
    return pool_.total_bytes_allocated();
  }
  [[nodiscard]] int64_t num_allocations() const override { return pool_.num_allocations(); }
  [[nodiscard]] std::string backend_name() const override { return pool_.backend_name(); }

 private:
  arrow::Status Take(int64_t bytes) {
    if (bytes <= 0) return arrow::Status::OK();
    left_ -= bytes;
    if (left_ >= 0) return arrow::Status::OK();
    return arrow::Status::CapacityError("it takes too many bytes unpacked; send less at a time");
  }

  arrow::MemoryPool& pool_ = *arrow::system_memory_pool();
  int64_t left_;
};

/// Returns the first column that the stream may not have, or an empty text.
std::string ForeignColumn(const arrow::Schema& schema, std::span<const std::string_view> columns) {
  for (const auto& field : schema.fields()) {
    const bool is_known = std::ranges::find(columns, field->name()) != columns.end();
    const bool is_flat = field->type()->num_fields() == 0;
    if (!is_known || !is_flat || schema.GetAllFieldIndices(field->name()).size() > 1) {
      return field->name();
    }
  }
  return {};
}

/// Reads a stream that has no other columns than these. `memory` outlives the table.
arrow::Result<std::shared_ptr<arrow::Table>> ReadIpcColumns(
    std::string_view bytes, std::span<const std::string_view> columns, arrow::MemoryPool* memory) {
  auto options = arrow::ipc::IpcReadOptions::Defaults();
  options.use_threads = false;
  options.memory_pool = memory;
  ARROW_ASSIGN_OR_RAISE(
      const auto reader,
      arrow::ipc::RecordBatchStreamReader::Open(
          std::make_shared<arrow::io::BufferReader>(std::make_shared<arrow::Buffer>(bytes)),
          options));
  const std::string foreign = ForeignColumn(*reader->schema(), columns);
  if (!foreign.empty()) {
    return arrow::Status::Invalid("the column ", foreign, " is not wanted, is there twice, or ",
                                  "has columns within it");
  }
  return reader->ToTable();
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
    const auto memory = std::make_shared<BoundedMemory>(static_cast<int64_t>(most));
    LOOKALIKE_ASSIGN_OR_RETURN(auto table, Checked(ReadIpcColumns(bytes, columns, memory.get())));
    // Its buffers go back to the memory, which must be there then.
    arrow::Table* const kept = table.get();
    return ArrowTable(std::shared_ptr<arrow::Table>(
        kept,
        [memory, held = std::move(table)](arrow::Table* /*table*/) mutable { held.reset(); }));
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
