#include "stages/output/columnar_sink.h"

namespace lookalike {

arrow::Status ColumnarSink::Write(const void* data, int64_t size) {
  return Convert(stream_->Write({static_cast<const char*>(data), static_cast<size_t>(size)}));
}

arrow::Status ColumnarSink::Close() {
  closed_ = true;
  return Convert(stream_->Close());
}

arrow::Result<int64_t> ColumnarSink::Tell() const {
  return static_cast<int64_t>(stream_->plain_bytes());
}

arrow::Status ColumnarSink::Convert(const lookalike::Status& status) {
  if (status) return arrow::Status::OK();
  failure_ = status.error();
  return arrow::Status::IOError(status.error().what);
}

lookalike::Status ColumnarSink::StatusOf(const arrow::Status& status) const {
  if (status.ok()) return {};
  if (failure_) return tl::make_unexpected(*failure_);
  const char* const why = status.IsOutOfMemory() ? "there is not enough memory; free some memory"
                          : status.IsNotImplemented()
                              ? "a column has a type that this format cannot hold; convert it"
                              : "this is a bug in lookalike; please report it";
  return DiskError(std::string("writing the columns failed, and the file is not usable: ") + why,
                   path_);
}

}  // namespace lookalike
