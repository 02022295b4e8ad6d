#include "stages/output/columnar_file.h"

#include <arrow/io/interfaces.h>
#include <arrow/ipc/options.h>
#include <arrow/ipc/writer.h>
#include <arrow/record_batch.h>
#include <arrow/result.h>
#include <arrow/type.h>
#include <arrow/util/byte_size.h>
#include <arrow/util/compression.h>
#include <parquet/arrow/schema.h>
#include <parquet/arrow/writer.h>
#include <parquet/exception.h>
#include <parquet/properties.h>
#include <parquet/schema.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "io/arrow_memory.h"
#include "io/block_codec.h"

namespace lookalike {
namespace {

/// Limit on a row group, which is held encoded in memory until it ends; longer ones are split.
constexpr int64_t kRowGroupBytes = int64_t{512} << 20;

/// Lets Arrow write into an OutputStream, and remembers the stream's Error, which is more
/// informative than Arrow's.
class Sink : public arrow::io::OutputStream {
 public:
  explicit Sink(std::unique_ptr<lookalike::OutputStream> stream) : stream_(std::move(stream)) {}

  arrow::Status Write(const void* data, int64_t size) override {
    return Convert(stream_->Write({static_cast<const char*>(data), static_cast<size_t>(size)}));
  }
  arrow::Status Close() override {
    closed_ = true;
    return Convert(stream_->Close());
  }
  arrow::Result<int64_t> Tell() const override {
    return static_cast<int64_t>(stream_->plain_bytes());
  }
  bool closed() const override { return closed_; }

  const std::optional<Error>& failure() const { return failure_; }

 private:
  arrow::Status Convert(const lookalike::Status& status) {
    if (status) return arrow::Status::OK();
    failure_ = status.error();
    return arrow::Status::IOError(status.error().what);
  }

  std::unique_ptr<lookalike::OutputStream> stream_;
  std::optional<Error> failure_;
  bool closed_ = false;
};

/// Runs `operation`, which returns arrow::Status and may throw, as Parquet does.
template <class Operation>
lookalike::Status Guard(const Sink& sink, const std::string& path, Operation operation) {
  arrow::Status status;
  try {
    status = operation();
    if (status.ok()) return {};
  } catch (const std::exception& error) {
    status = arrow::Status::UnknownError(error.what());
  }
  if (sink.failure()) return tl::make_unexpected(*sink.failure());
  const char* const why = status.IsOutOfMemory() ? "there is not enough memory; free some memory"
                          : status.IsNotImplemented()
                              ? "a column has a type that this format cannot hold; convert it"
                              : "this is a bug in lookalike; please report it";
  return DiskError(std::string("writing the columns failed, and the file is not usable: ") + why,
                   path);
}

class ParquetFile : public ColumnarFile {
 public:
  ParquetFile(std::shared_ptr<Sink> sink, std::string path)
      : sink_(std::move(sink)), path_(std::move(path)) {}

  lookalike::Status Open(const ColumnarTraits& traits, const arrow::Schema& schema) {
    return Guard(*sink_, path_, [&] { return OpenWriter(traits, schema); });
  }

  lookalike::Status Append(const arrow::RecordBatch& rows) override {
    return Guard(*sink_, path_, [&] { return AppendRows(rows); });
  }

  void EndRowGroup() override { in_group_ = false; }

  lookalike::Status Close() override {
    return Guard(*sink_, path_, [&] {
      ARROW_RETURN_NOT_OK(writer_->Close());
      return sink_->Close();
    });
  }

 private:
  arrow::Status OpenWriter(const ColumnarTraits& traits, const arrow::Schema& schema) {
    // Keeps the names of list items as in the input instead of renaming them "element".
    parquet::ArrowWriterProperties::Builder builder;
    builder.store_schema()->disable_compliant_nested_types();
    if (traits.int96_timestamps) builder.enable_deprecated_int96_timestamps();
    auto arrow_properties = builder.build();
    std::shared_ptr<parquet::SchemaDescriptor> leaves;
    ARROW_RETURN_NOT_OK(parquet::arrow::ToParquetSchema(
        &schema, *parquet::default_writer_properties(), *arrow_properties, &leaves));
    auto properties = StorageProperties(traits, *leaves);
    ARROW_ASSIGN_OR_RAISE(writer_, parquet::arrow::FileWriter::Open(schema, ReusedMemory(), sink_,
                                                                    properties, arrow_properties));
    return arrow::Status::OK();
  }

  static std::shared_ptr<parquet::WriterProperties> StorageProperties(
      const ColumnarTraits& traits, const parquet::SchemaDescriptor& leaves) {
    parquet::WriterProperties::Builder builder;
    builder.memory_pool(ReusedMemory());
    builder.compression(traits.leaves.empty() ? arrow::Compression::SNAPPY
                                              : traits.leaves.front().codec);
    if (traits.page_index) builder.enable_write_page_index();
    int64_t longest = parquet::DEFAULT_MAX_ROW_GROUP_LENGTH;
    for (int64_t rows : traits.row_group_rows) longest = std::max(longest, rows);
    builder.max_row_group_length(longest);
    // Leaves are matched by position: names of inner groups may differ from those in the input.
    const int count = std::min(leaves.num_columns(), static_cast<int>(traits.leaves.size()));
    for (int i = 0; i < count; ++i) {
      const LeafStorage& storage = traits.leaves[static_cast<size_t>(i)];
      const auto leaf = leaves.Column(i)->path();
      builder.compression(leaf, storage.codec);
      // Uses zstd's default level; with Arrow's default of 1, files are an eighth larger.
      if (storage.codec == arrow::Compression::ZSTD) {
        builder.compression_level(leaf, UsualLevel(Codec::kZstd));
      }
      if (storage.dictionary) continue;
      builder.disable_dictionary(leaf);
      if (storage.encoding != parquet::Encoding::PLAIN) builder.encoding(leaf, storage.encoding);
    }
    return builder.build();
  }

  arrow::Status AppendRows(const arrow::RecordBatch& rows) {
    if (rows.num_rows() == 0) return arrow::Status::OK();
    if (!in_group_) ARROW_RETURN_NOT_OK(writer_->NewBufferedRowGroup());
    if (!std::exchange(in_group_, true)) group_bytes_ = 0;
    ARROW_RETURN_NOT_OK(writer_->WriteRecordBatch(rows));
    ARROW_ASSIGN_OR_RAISE(int64_t bytes, arrow::util::ReferencedBufferSize(rows));
    group_bytes_ += bytes;
    if (group_bytes_ >= kRowGroupBytes) in_group_ = false;
    return arrow::Status::OK();
  }

  std::shared_ptr<Sink> sink_;
  std::string path_;
  std::unique_ptr<parquet::arrow::FileWriter> writer_;
  bool in_group_ = false;
  int64_t group_bytes_ = 0;
};

class IpcFile : public ColumnarFile {
 public:
  IpcFile(std::shared_ptr<Sink> sink, std::string path)
      : sink_(std::move(sink)), path_(std::move(path)) {}

  lookalike::Status Open(Format format, const ColumnarTraits& traits,
                         const std::shared_ptr<arrow::Schema>& schema) {
    return Guard(*sink_, path_, [&]() -> arrow::Status {
      auto options = arrow::ipc::IpcWriteOptions::Defaults();
      options.use_threads = false;
      options.emit_dictionary_deltas = true;
      if (traits.buffers != arrow::Compression::UNCOMPRESSED) {
        ARROW_ASSIGN_OR_RAISE(options.codec, arrow::util::Codec::Create(traits.buffers));
      }
      if (format == Format::kArrowStream) {
        return arrow::ipc::MakeStreamWriter(sink_, schema, options).Value(&writer_);
      }
      return arrow::ipc::MakeFileWriter(sink_, schema, options, traits.footer).Value(&writer_);
    });
  }

  lookalike::Status Append(const arrow::RecordBatch& rows) override {
    if (rows.num_rows() == 0) return {};
    return Guard(*sink_, path_, [&] { return writer_->WriteRecordBatch(rows); });
  }

  void EndRowGroup() override {}

  lookalike::Status Close() override {
    return Guard(*sink_, path_, [&] {
      ARROW_RETURN_NOT_OK(writer_->Close());
      return sink_->Close();
    });
  }

 private:
  std::shared_ptr<Sink> sink_;
  std::string path_;
  std::shared_ptr<arrow::ipc::RecordBatchWriter> writer_;
};

}  // namespace

Result<std::unique_ptr<ColumnarFile>> StartColumnarFile(
    Format format, const ColumnarTraits& traits, const std::shared_ptr<arrow::Schema>& schema,
    std::unique_ptr<OutputStream> stream, const std::string& path) {
  auto sink = std::make_shared<Sink>(std::move(stream));
  if (format == Format::kParquet) {
    auto file = std::make_unique<ParquetFile>(std::move(sink), path);
    LOOKALIKE_RETURN_IF_ERROR(file->Open(traits, *schema));
    return file;
  }
  auto file = std::make_unique<IpcFile>(std::move(sink), path);
  LOOKALIKE_RETURN_IF_ERROR(file->Open(format, traits, schema));
  return file;
}

}  // namespace lookalike
