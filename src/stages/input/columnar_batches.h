// Cuts columnar files into batches, and words the errors of broken files. Inside this stage only.
#ifndef LOOKALIKE_STAGES_INPUT_COLUMNAR_BATCHES_H_
#define LOOKALIKE_STAGES_INPUT_COLUMNAR_BATCHES_H_

#include <arrow/status.h>
#include <parquet/exception.h>

#include <cstdint>
#include <exception>
#include <string>

#include "lookalike/status.h"

namespace lookalike {

/// Returns the number of rows in a batch of about a megabyte, if `rows` rows have `bytes` bytes.
int64_t RowsPerBatch(int64_t bytes, int64_t rows);

/// Returns the share of `bytes` for the first `part` of `rows` rows.
uint64_t ShareOf(uint64_t bytes, int64_t part, int64_t rows);

/// Returns a defect of a file, described for users.
arrow::Status Defect(std::string what);

/// Returns the error for a file of this format that cannot be read. Leaves out the library's
/// messages, which describe its internals.
tl::unexpected<Error> Broken(const char* format, const arrow::Status& status,
                             const std::string& place);

/// Runs code of the Arrow and Parquet libraries, which may throw as well as return a Status.
template <class Function>
auto WithoutExceptions(Function function) -> decltype(function()) {
  try {
    return function();
  } catch (const parquet::ParquetStatusException& exception) {
    return exception.status();
  } catch (const std::exception& exception) {
    return arrow::Status::IOError(exception.what());
  }
}

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_INPUT_COLUMNAR_BATCHES_H_
