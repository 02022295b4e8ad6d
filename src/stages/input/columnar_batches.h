// How columnar files are cut into batches, and what is said of broken ones. Inside this stage only.
#ifndef LOOKALIKE_STAGES_INPUT_COLUMNAR_BATCHES_H_
#define LOOKALIKE_STAGES_INPUT_COLUMNAR_BATCHES_H_

#include <arrow/status.h>
#include <parquet/exception.h>

#include <cstdint>
#include <exception>
#include <string>

#include "lookalike/status.h"

namespace lookalike {

/// Rows of a batch of about a megabyte, where `rows` rows have `bytes` bytes.
int64_t RowsPerBatch(int64_t bytes, int64_t rows);

/// The bytes that the first `part` of `rows` rows stand for.
uint64_t ShareOf(uint64_t bytes, int64_t part, int64_t rows);

/// What is wrong with a file, in words for people.
arrow::Status Defect(std::string what);

/// The error of a file of this format that cannot be read. Messages of the library are left out:
/// they speak of its insides.
tl::unexpected<Error> Broken(const char* format, const arrow::Status& status,
                             const std::string& place);

/// Runs code of the Arrow and Parquet libraries, which throw beside returning a Status.
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
