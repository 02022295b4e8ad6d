#include "stages/output/parquet_group.h"

#include <arrow/io/interfaces.h>
#include <arrow/record_batch.h>

#include <string>

#include "stages/output/columnar_sink.h"

namespace lookalike {

/// Keeps the buffers that are written, without copying those that it may own.
class GroupEncoder::Sink : public arrow::io::OutputStream {
 public:
  arrow::Status Write(const void* data, int64_t size) override {
    return Write(arrow::Buffer::FromString(
        std::string(static_cast<const char*>(data), static_cast<size_t>(size))));
  }
  arrow::Status Write(const std::shared_ptr<arrow::Buffer>& data) override {
    size_ += data->size();
    bytes_.push_back(data);
    return arrow::Status::OK();
  }
  arrow::Status Close() override { return arrow::Status::OK(); }
  [[nodiscard]] arrow::Result<int64_t> Tell() const override { return size_; }
  [[nodiscard]] bool closed() const override { return false; }

  [[nodiscard]] std::vector<std::shared_ptr<arrow::Buffer>> Take() { return std::move(bytes_); }

 private:
  std::vector<std::shared_ptr<arrow::Buffer>> bytes_;
  int64_t size_ = 0;
};

arrow::Result<GroupEncoder> GroupEncoder::Start(const ParquetForm& form) {
  GroupEncoder made;
  made.sink_ = std::make_shared<Sink>();
  ARROW_ASSIGN_OR_RAISE(made.writer_, form.NewWriter(made.sink_));
  return made;
}

void GroupEncoder::Run() {
  if (status_.ok()) status_ = WithoutThrowing([this] { return Encode(); });
  rows_.clear();
}

arrow::Status GroupEncoder::Encode() {
  for (RowSelection& rows : rows_) {
    if (!std::exchange(begun_, true)) ARROW_RETURN_NOT_OK(writer_->NewBufferedRowGroup());
    const RowSelection taken = std::move(rows);  // its memory is free as soon as it is encoded
    ARROW_ASSIGN_OR_RAISE(const auto made, taken.Make());
    ARROW_RETURN_NOT_OK(writer_->WriteRecordBatch(*made));
  }
  return ended_ ? writer_->Close() : arrow::Status::OK();
}

arrow::Result<EncodedGroup> GroupEncoder::Finish() {
  ARROW_RETURN_NOT_OK(status_);
  return EncodedGroup{writer_->metadata(), sink_->Take()};
}

}  // namespace lookalike
