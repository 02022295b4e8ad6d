#include "results/table_rows.h"

#include <arrow/api.h>
#include <arrow/io/file.h>
#include <arrow/ipc/writer.h>
#include <arrow/util/compression.h>
#include <arrow/util/io_util.h>
#include <parquet/arrow/writer.h>

#include <cstring>
#include <string>
#include <utility>

#include "io/utf8.h"
#include "text/utf8.h"

namespace lookalike {
namespace {

constexpr int64_t kRowGroup = 100'000;
constexpr int64_t kRowsAtATime = 1 << 14;
constexpr size_t kBytesAtATime = 16 << 20;  // of texts

/// A file that takes batches of rows, in either form.
class BatchFile {
 public:
  virtual ~BatchFile() = default;
  virtual arrow::Status Write(const arrow::RecordBatch& rows) = 0;
  virtual arrow::Status Close() = 0;
};

class ParquetFile final : public BatchFile {
 public:
  static arrow::Result<std::unique_ptr<BatchFile>> Open(
      std::shared_ptr<arrow::io::OutputStream> file, const arrow::Schema& schema) {
    const auto properties = parquet::WriterProperties::Builder()
                                .compression(arrow::Compression::ZSTD)
                                ->max_row_group_length(kRowGroup)
                                ->build();
    ARROW_ASSIGN_OR_RAISE(auto writer,
                          parquet::arrow::FileWriter::Open(schema, arrow::default_memory_pool(),
                                                           std::move(file), properties));
    ARROW_RETURN_NOT_OK(writer->NewBufferedRowGroup());
    return std::make_unique<ParquetFile>(std::move(writer));
  }

  explicit ParquetFile(std::unique_ptr<parquet::arrow::FileWriter> writer)
      : writer_(std::move(writer)) {}

  arrow::Status Write(const arrow::RecordBatch& rows) override {
    return writer_->WriteRecordBatch(rows);
  }
  arrow::Status Close() override { return writer_->Close(); }

 private:
  std::unique_ptr<parquet::arrow::FileWriter> writer_;
};

class ArrowFile final : public BatchFile {
 public:
  static arrow::Result<std::unique_ptr<BatchFile>> Open(
      const std::shared_ptr<arrow::io::OutputStream>& file,
      const std::shared_ptr<arrow::Schema>& schema) {
    arrow::ipc::IpcWriteOptions options;
    ARROW_ASSIGN_OR_RAISE(options.codec, arrow::util::Codec::Create(arrow::Compression::ZSTD, 1));
    ARROW_ASSIGN_OR_RAISE(auto writer, arrow::ipc::MakeFileWriter(file, schema, options));
    return std::make_unique<ArrowFile>(file, std::move(writer));
  }

  ArrowFile(std::shared_ptr<arrow::io::OutputStream> file,
            std::shared_ptr<arrow::ipc::RecordBatchWriter> writer)
      : file_(std::move(file)), writer_(std::move(writer)) {}

  arrow::Status Write(const arrow::RecordBatch& rows) override {
    return writer_->WriteRecordBatch(rows);
  }
  arrow::Status Close() override {
    ARROW_RETURN_NOT_OK(writer_->Close());
    return file_->Close();
  }

 private:
  std::shared_ptr<arrow::io::OutputStream> file_;
  std::shared_ptr<arrow::ipc::RecordBatchWriter> writer_;
};

arrow::Result<std::unique_ptr<BatchFile>> Open(const std::string& path, TableForm form,
                                               const std::shared_ptr<arrow::Schema>& schema) {
  ARROW_ASSIGN_OR_RAISE(auto file, arrow::io::FileOutputStream::Open(path));
  if (form == TableForm::kArrow) return ArrowFile::Open(std::move(file), schema);
  return ParquetFile::Open(std::move(file), *schema);
}

/// Turns a failure of Arrow into a failure of the file.
Status CheckedAt(const arrow::Status& status, const std::string& path) {
  if (status.ok()) return {};
  const int error = arrow::internal::ErrnoFromStatus(status);
  return DiskError(
      std::string("cannot be written: ") +
          (error != 0 ? std::strerror(error) : "the file format does not accept its columns") +
          "; free space on the disk, or write elsewhere",
      path);
}

}  // namespace

struct TableRows::Writer {
  std::unique_ptr<BatchFile> file;
  std::unique_ptr<arrow::RecordBatchBuilder> cells;
  int column = 0;
  int64_t rows = 0;
  size_t bytes = 0;        ///< The bytes of the texts in these rows.
  arrow::Status row = {};  ///< The first failure of a cell of this row.

  template <class Builder>
  Builder* Next() {
    return cells->GetFieldAs<Builder>(column++);
  }
};

TableRows::TableRows(std::string path, std::unique_ptr<Writer> writer)
    : path_(std::move(path)), writer_(std::move(writer)) {}

TableRows::~TableRows() = default;

Result<std::unique_ptr<TableRows>> TableRows::Create(const std::string& path, TableForm form,
                                                     std::shared_ptr<arrow::Schema> schema) {
  auto file = Open(path, form, schema);
  LOOKALIKE_RETURN_IF_ERROR(CheckedAt(file.status(), path));
  auto cells = arrow::RecordBatchBuilder::Make(std::move(schema), arrow::default_memory_pool());
  LOOKALIKE_RETURN_IF_ERROR(CheckedAt(cells.status(), path));
  auto writer = std::make_unique<Writer>(
      Writer{std::move(file).MoveValueUnsafe(), std::move(cells).MoveValueUnsafe()});
  return std::unique_ptr<TableRows>(new TableRows(path, std::move(writer)));
}

void TableRows::Text(std::string_view value) {
  writer_->bytes += value.size();
  auto* const cell = writer_->Next<arrow::StringBuilder>();
  Keep(IsUtf8(value) ? cell->Append(value) : cell->Append(RepairUtf8(value)));
}

void TableRows::Whole(uint64_t value) {
  Keep(writer_->Next<arrow::Int64Builder>()->Append(static_cast<int64_t>(value)));
}

void TableRows::Number(double value) { Keep(writer_->Next<arrow::DoubleBuilder>()->Append(value)); }

void TableRows::Flag(bool value) { Keep(writer_->Next<arrow::BooleanBuilder>()->Append(value)); }

void TableRows::CountBytes(size_t bytes) { writer_->bytes += bytes; }

void TableRows::Null() { Keep(Other()->AppendNull()); }

arrow::ArrayBuilder* TableRows::Other() { return writer_->cells->GetField(writer_->column++); }

void TableRows::Keep(const arrow::Status& done) { writer_->row &= done; }

Status TableRows::EndRow() {
  writer_->column = 0;
  LOOKALIKE_RETURN_IF_ERROR(CheckedAt(writer_->row, path_));
  const bool full = ++writer_->rows == kRowsAtATime || writer_->bytes >= kBytesAtATime;
  return full ? Flush() : Status();
}

Status TableRows::Flush() {
  if (writer_->rows == 0) return {};
  writer_->rows = 0;
  writer_->bytes = 0;
  const auto batch = writer_->cells->Flush();
  LOOKALIKE_RETURN_IF_ERROR(CheckedAt(batch.status(), path_));
  return CheckedAt(writer_->file->Write(**batch), path_);
}

Status TableRows::Close() {
  LOOKALIKE_RETURN_IF_ERROR(Flush());
  return CheckedAt(writer_->file->Close(), path_);
}

}  // namespace lookalike
