#include "stages/output/columnar_file.h"

#include <arrow/ipc/options.h>
#include <arrow/ipc/writer.h>
#include <arrow/record_batch.h>
#include <arrow/result.h>
#include <arrow/type.h>
#include <arrow/util/compression.h>

#include <utility>

#include "stages/output/columnar_sink.h"
#include "stages/output/parquet_file.h"

namespace lookalike {
namespace {

class IpcFile : public ColumnarFile {
 public:
  explicit IpcFile(std::shared_ptr<ColumnarSink> sink) : sink_(std::move(sink)) {}

  Status Open(Format format, const ColumnarTraits& traits,
              const std::shared_ptr<arrow::Schema>& schema) {
    return sink_->Guard([&]() -> arrow::Status {
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

  Status Append(RowSelection rows) override {
    return sink_->Guard([&]() -> arrow::Status {
      ARROW_ASSIGN_OR_RAISE(const auto made, rows.Make());
      return writer_->WriteRecordBatch(*made);
    });
  }

  Status EndRowGroup() override { return {}; }

  Status Close() override {
    return sink_->Guard([&] {
      ARROW_RETURN_NOT_OK(writer_->Close());
      return sink_->Close();
    });
  }

 private:
  std::shared_ptr<ColumnarSink> sink_;
  std::shared_ptr<arrow::ipc::RecordBatchWriter> writer_;
};

}  // namespace

Result<std::unique_ptr<ColumnarFile>> StartColumnarFile(
    Format format, const ColumnarTraits& traits, const std::shared_ptr<arrow::Schema>& schema,
    const WriteLimits& limits, std::unique_ptr<OutputStream> stream, const std::string& path) {
  auto sink = std::make_shared<ColumnarSink>(std::move(stream), path);
  if (format == Format::kParquet) {
    return StartParquetFile(traits, schema, limits, std::move(sink));
  }
  auto file = std::make_unique<IpcFile>(std::move(sink));
  LOOKALIKE_RETURN_IF_ERROR(file->Open(format, traits, schema));
  return file;
}

}  // namespace lookalike
