#include "results/table_file.h"

#include <arrow/api.h>
#include <arrow/io/file.h>
#include <arrow/util/io_util.h>
#include <parquet/arrow/writer.h>

#include <cstring>
#include <string>
#include <utility>

namespace lookalike {
namespace {

constexpr int64_t kRowGroup = 100'000;

using FileWriter = parquet::arrow::FileWriter;

arrow::Result<std::unique_ptr<FileWriter>> Open(const std::string& path,
                                                const arrow::Schema& schema) {
  ARROW_ASSIGN_OR_RAISE(auto file, arrow::io::FileOutputStream::Open(path));
  const auto properties = parquet::WriterProperties::Builder()
                              .compression(arrow::Compression::ZSTD)
                              ->max_row_group_length(kRowGroup)
                              ->build();
  ARROW_ASSIGN_OR_RAISE(auto writer, FileWriter::Open(schema, arrow::default_memory_pool(),
                                                      std::move(file), properties));
  ARROW_RETURN_NOT_OK(writer->NewBufferedRowGroup());
  return writer;
}

Status CheckedAt(const arrow::Status& status, const std::string& path) {
  if (status.ok()) return {};
  const int error = arrow::internal::ErrnoFromStatus(status);
  return DiskError(std::string("cannot be written: ") +
                       (error != 0 ? std::strerror(error) : "its columns were refused") +
                       "; free space on the disk, or write elsewhere",
                   path);
}

}  // namespace

struct TableFile::Writer {
  std::unique_ptr<FileWriter> file;
};

TableFile::TableFile(std::string path, std::unique_ptr<Writer> writer)
    : path_(std::move(path)), writer_(std::move(writer)) {}

TableFile::~TableFile() = default;

Result<std::unique_ptr<TableFile>> TableFile::Create(const std::string& path,
                                                     const arrow::Schema& schema) {
  auto writer = Open(path, schema);
  LOOKALIKE_RETURN_IF_ERROR(CheckedAt(writer.status(), path));
  auto owned = std::make_unique<Writer>(Writer{std::move(writer).MoveValueUnsafe()});
  return std::unique_ptr<TableFile>(new TableFile(path, std::move(owned)));
}

Status TableFile::Checked(const arrow::Status& status) const { return CheckedAt(status, path_); }

Status TableFile::Write(const arrow::RecordBatch& rows) {
  return Checked(writer_->file->WriteRecordBatch(rows));
}

Status TableFile::Close() { return Checked(writer_->file->Close()); }

}  // namespace lookalike
