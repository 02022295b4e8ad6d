// Parquet files as a sequence of Arrow record batches. Inside this stage only.
#ifndef LOOKALIKE_STAGES_INPUT_PARQUET_SOURCE_H_
#define LOOKALIKE_STAGES_INPUT_PARQUET_SOURCE_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "lookalike/status.h"
#include "records/input_file.h"
#include "stages/input/columnar_source.h"

namespace lookalike {

/// Opens a Parquet file. Only the columns that hold `paths` are read; empty: all of them. Row
/// groups after the current one are decoded by other threads of the caller's task arena, in
/// `limits.ahead` bytes of memory; the batches do not depend on it. A page of more than
/// `limits.max_part` bytes is an error.
Result<std::unique_ptr<ColumnarSource>> OpenParquetSource(const InputFile& file,
                                                          std::span<const std::string> paths,
                                                          const ReadLimits& limits);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_INPUT_PARQUET_SOURCE_H_
