#include "stages/input/columnar_source.h"

#include <arrow/array.h>
#include <arrow/io/interfaces.h>
#include <arrow/ipc/options.h>
#include <arrow/ipc/reader.h>
#include <arrow/record_batch.h>
#include <arrow/table.h>
#include <arrow/type.h>
#include <arrow/util/byte_size.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "io/input_bytes.h"
#include "io/open_stream.h"
#include "stages/input/columnar_batches.h"
#include "stages/input/columnar_check.h"
#include "stages/input/columnar_column.h"
#include "stages/input/format_readers.h"
#include "stages/input/parquet_source.h"

namespace lookalike {
namespace {

// Returns the positions of the top-level columns that hold `paths`, ascending.
std::vector<int> ColumnsOf(const arrow::Schema& schema, std::span<const std::string> paths) {
  std::vector<int> columns;
  for (const std::string& path : paths) {
    const std::vector<int> place = FindColumn(schema, path);
    if (!place.empty()) columns.push_back(place.front());
  }
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  return columns;
}

// Checks all columns, because Arrow IPC trusts the offsets that it reads.
arrow::Status CheckColumns(const arrow::RecordBatch& batch) {
  for (const auto& column : batch.columns()) ARROW_RETURN_NOT_OK(CheckColumn(*column));
  return arrow::Status::OK();
}

arrow::ipc::IpcReadOptions IpcOptions(const arrow::Schema& schema,
                                      std::span<const std::string> paths) {
  auto options = arrow::ipc::IpcReadOptions::Defaults();
  options.use_threads = false;
  options.included_fields = ColumnsOf(schema, paths);
  return options;
}

// Reads both IPC formats: a file of batches, which are cut to about a megabyte.
class IpcSource final : public ColumnarSource {
 public:
  explicit IpcSource(const InputFile& file)
      : place_(PlaceOf(file)), input_(file), file_bytes_(file.size) {}

  arrow::Status OpenFile(std::span<const std::string> paths) {
    ARROW_ASSIGN_OR_RAISE(file_, OpenForArrow(input_));
    ARROW_ASSIGN_OR_RAISE(const auto whole, arrow::ipc::RecordBatchFileReader::Open(file_));
    schema_ = whole->schema();
    ARROW_ASSIGN_OR_RAISE(
        batches_, arrow::ipc::RecordBatchFileReader::Open(file_, IpcOptions(*schema_, paths)));
    return arrow::Status::OK();
  }

  arrow::Status OpenStream(std::span<const std::string> paths) {
    ARROW_ASSIGN_OR_RAISE(file_, OpenForArrow(input_));
    ARROW_RETURN_NOT_OK(CheckEndOfStream());
    {
      ARROW_ASSIGN_OR_RAISE(const auto front, OpenForArrow(input_));
      ARROW_ASSIGN_OR_RAISE(const auto whole, arrow::ipc::RecordBatchStreamReader::Open(front));
      schema_ = whole->schema();
    }
    return arrow::ipc::RecordBatchStreamReader::Open(file_, IpcOptions(*schema_, paths))
        .Value(&stream_);
  }

  [[nodiscard]] std::shared_ptr<arrow::Schema> schema() const override { return schema_; }

  Result<std::shared_ptr<arrow::RecordBatch>> Next() override {
    while (!batch_ || row_ == batch_->num_rows()) {
      const arrow::Status status = WithoutExceptions([this] { return NextWhole(); });
      if (!status.ok()) return Broken("Arrow IPC", status, place_);
      if (!batch_) return std::shared_ptr<arrow::RecordBatch>();
    }
    const int64_t rows = std::min(rows_per_slice_, batch_->num_rows() - row_);
    row_ += rows;
    return batch_->Slice(row_ - rows, rows);
  }

  Status Skip(uint64_t rows) override {
    auto left = static_cast<int64_t>(rows);
    while (left > 0) {
      const arrow::Status status = WithoutExceptions([this] { return Fetch(); });
      if (!status.ok()) return Broken("Arrow IPC", status, place_);
      if (!batch_) return EndsTooEarly(rows, "rows", place_);
      if (batch_->num_rows() > left) return CheckSkipped(left);
      left -= batch_->num_rows();
      batch_.reset();
    }
    return {};
  }

  [[nodiscard]] uint64_t bytes_read() const override {
    if (!stream_) {
      const int batches = std::max(1, batches_->num_record_batches());
      return file_bytes_ * static_cast<uint64_t>(next_) / static_cast<uint64_t>(batches);
    }
    const auto place = file_->Tell();
    return place.ok() ? static_cast<uint64_t>(*place) : 0;
  }

 private:
  // An uninterrupted writer ends its stream with a marker. Without it, a stream cut between two
  // batches would look complete.
  arrow::Status CheckEndOfStream() {
    ARROW_ASSIGN_OR_RAISE(const int64_t size, file_->GetSize());
    ARROW_ASSIGN_OR_RAISE(
        const auto tail, file_->ReadAt(std::max<int64_t>(0, size - 8), std::min<int64_t>(8, size)));
    const std::string_view bytes(*tail);
    constexpr std::string_view kMarker("\xFF\xFF\xFF\xFF\0\0\0\0", 8);
    if (bytes == kMarker) return file_->Seek(0);
    return Defect("it does not end with the end-of-stream marker");
  }

  // Checks the current batch and continues after its first `rows` rows.
  Status CheckSkipped(int64_t rows) {
    const arrow::Status status = Check();
    if (!status.ok()) return Broken("Arrow IPC", status, place_);
    row_ = rows;
    return {};
  }

  // Fetches the next batch of the file, checked; null after the last.
  arrow::Status NextWhole() {
    ARROW_RETURN_NOT_OK(Fetch());
    return batch_ ? Check() : arrow::Status::OK();
  }

  arrow::Status Fetch() {
    batch_.reset();
    row_ = 0;
    if (stream_) {
      ARROW_RETURN_NOT_OK(stream_->ReadNext(&batch_));
    } else if (next_ < batches_->num_record_batches()) {
      ARROW_ASSIGN_OR_RAISE(batch_, batches_->ReadRecordBatch(next_++));
    }
    return arrow::Status::OK();
  }

  arrow::Status Check() {
    ARROW_RETURN_NOT_OK(CheckColumns(*batch_));
    const int64_t bytes = arrow::util::TotalBufferSize(*batch_);
    rows_per_slice_ = RowsPerBatch(bytes, batch_->num_rows());
    return arrow::Status::OK();
  }

  std::string place_;
  InputFile input_;
  uint64_t file_bytes_;
  std::shared_ptr<arrow::io::RandomAccessFile> file_;
  std::shared_ptr<arrow::ipc::RecordBatchFileReader> batches_;
  std::shared_ptr<arrow::ipc::RecordBatchStreamReader> stream_;
  std::shared_ptr<arrow::Schema> schema_;
  std::shared_ptr<arrow::RecordBatch> batch_;
  int next_ = 0;
  int64_t row_ = 0;
  int64_t rows_per_slice_ = 1;
};

class TableSource final : public ColumnarSource {
 public:
  TableSource(const InputFile& file, std::shared_ptr<arrow::Table> columns)
      : table_(file.table),
        columns_(std::move(columns)),
        place_(PlaceOf(file)),
        bytes_(file.size),
        rows_per_batch_(RowsPerBatch(static_cast<int64_t>(bytes_), table_->num_rows())) {
    Restart();
  }

  [[nodiscard]] std::shared_ptr<arrow::Schema> schema() const override { return table_->schema(); }

  Result<std::shared_ptr<arrow::RecordBatch>> Next() override {
    std::shared_ptr<arrow::RecordBatch> batch;
    const arrow::Status status = reader_->ReadNext(&batch);
    if (!status.ok())
      return InputError("the table cannot be read: its columns do not fit together", place_);
    if (batch) row_ += batch->num_rows();
    return batch;
  }

  Status Skip(uint64_t rows) override {
    row_ = static_cast<int64_t>(rows);
    if (row_ > table_->num_rows()) return EndsTooEarly(rows, "rows", place_);
    columns_ = columns_->Slice(row_);
    Restart();
    return {};
  }

  [[nodiscard]] uint64_t bytes_read() const override {
    return ShareOf(bytes_, row_, table_->num_rows());
  }

 private:
  void Restart() {
    reader_ = std::make_unique<arrow::TableBatchReader>(columns_);
    reader_->set_chunksize(rows_per_batch_);
  }

  std::shared_ptr<arrow::Table> table_, columns_;
  std::string place_;
  uint64_t bytes_;
  int64_t rows_per_batch_;
  int64_t row_ = 0;
  std::unique_ptr<arrow::TableBatchReader> reader_;
};

Result<std::unique_ptr<ColumnarSource>> OpenTable(const InputFile& file,
                                                  std::span<const std::string> paths) {
  if (paths.empty()) return std::make_unique<TableSource>(file, file.table);
  auto columns = file.table->SelectColumns(ColumnsOf(*file.table->schema(), paths));
  if (!columns.ok()) return InputError("the columns of the table cannot be chosen", PlaceOf(file));
  return std::make_unique<TableSource>(file, std::move(columns).MoveValueUnsafe());
}

}  // namespace

uint64_t SizeOfTable(const arrow::Table& table) {
  // Size of the data that the slices refer to; not known for every type.
  const auto referenced = arrow::util::ReferencedBufferSize(table);
  return static_cast<uint64_t>(referenced.ok() ? *referenced : arrow::util::TotalBufferSize(table));
}

Result<std::unique_ptr<ColumnarSource>> OpenColumnarSource(const InputFile& file,
                                                           std::span<const std::string> paths,
                                                           const ReadLimits& limits) {
  if (file.table) return OpenTable(file, paths);
  if (file.codec != Codec::kNone) {
    return InputError(
        "is a compressed columnar file, which cannot be read from the middle; decompress "
        "it first (Parquet and Arrow compress inside)",
        PlaceOf(file));
  }
  if (file.format == Format::kParquet) return OpenParquetSource(file, paths, limits);
  auto source = std::make_unique<IpcSource>(file);
  const arrow::Status status = WithoutExceptions([&] {
    return file.format == Format::kArrowFile ? source->OpenFile(paths) : source->OpenStream(paths);
  });
  if (!status.ok()) return Broken("Arrow IPC", status, PlaceOf(file));
  return std::unique_ptr<ColumnarSource>(std::move(source));
}

}  // namespace lookalike
