// A file that Arrow writes into, and what its errors mean. Inside this stage only.
#ifndef LOOKALIKE_STAGES_OUTPUT_COLUMNAR_SINK_H_
#define LOOKALIKE_STAGES_OUTPUT_COLUMNAR_SINK_H_

#include <arrow/io/interfaces.h>
#include <arrow/result.h>
#include <arrow/status.h>

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>

#include "io/output_stream.h"
#include "lookalike/status.h"

namespace lookalike {

/// Lets Arrow write into an OutputStream, and remembers the stream's Error, which is more
/// informative than Arrow's.
class ColumnarSink : public arrow::io::OutputStream {
 public:
  /// `path` is for errors.
  ColumnarSink(std::unique_ptr<lookalike::OutputStream> stream, std::string path)
      : stream_(std::move(stream)), path_(std::move(path)) {}

  using arrow::io::OutputStream::Write;
  arrow::Status Write(const void* data, int64_t size) override;
  arrow::Status Close() override;
  [[nodiscard]] arrow::Result<int64_t> Tell() const override;
  [[nodiscard]] bool closed() const override { return closed_; }

  /// Runs `operation`, which writes here, returns arrow::Status and may throw. Returns the Error of
  /// a file that cannot be written if it fails: that of the stream, if there is one.
  template <class Operation>
  lookalike::Status Guard(const Operation& operation) const;

 private:
  arrow::Status Convert(const lookalike::Status& status);
  [[nodiscard]] lookalike::Status StatusOf(const arrow::Status& status) const;

  std::unique_ptr<lookalike::OutputStream> stream_;
  std::string path_;
  std::optional<Error> failure_;
  bool closed_ = false;
};

/// Returns what `operation` returns, an arrow::Status; what it throws, as Parquet does, becomes an
/// UnknownError.
template <class Operation>
arrow::Status WithoutThrowing(const Operation& operation) {
  try {
    return operation();
  } catch (const std::exception& error) {
    return arrow::Status::UnknownError(error.what());
  }
}

template <class Operation>
lookalike::Status ColumnarSink::Guard(const Operation& operation) const {
  return StatusOf(WithoutThrowing(operation));
}

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_OUTPUT_COLUMNAR_SINK_H_
