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
  explicit ColumnarSink(std::unique_ptr<lookalike::OutputStream> stream)
      : stream_(std::move(stream)) {}

  using arrow::io::OutputStream::Write;
  arrow::Status Write(const void* data, int64_t size) override;
  arrow::Status Close() override;
  [[nodiscard]] arrow::Result<int64_t> Tell() const override;
  [[nodiscard]] bool closed() const override { return closed_; }

  [[nodiscard]] const std::optional<Error>& failure() const { return failure_; }

 private:
  arrow::Status Convert(const lookalike::Status& status);

  std::unique_ptr<lookalike::OutputStream> stream_;
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

/// Returns the Error of a file that cannot be written, if `status` is not OK: that of its sink if
/// there is one. `path` is for errors.
lookalike::Status FileStatus(const arrow::Status& status, const ColumnarSink& sink,
                             const std::string& path);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_OUTPUT_COLUMNAR_SINK_H_
