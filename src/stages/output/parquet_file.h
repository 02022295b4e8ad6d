// A Parquet file being written. Inside this stage only.
#ifndef LOOKALIKE_STAGES_OUTPUT_PARQUET_FILE_H_
#define LOOKALIKE_STAGES_OUTPUT_PARQUET_FILE_H_

#include <arrow/type_fwd.h>

#include <memory>
#include <string>

#include "stages/output/columnar_file.h"
#include "stages/output/columnar_sink.h"
#include "stages/output/columnar_traits.h"
#include "stages/output/writer.h"

namespace lookalike {

/// Starts a file, as StartColumnarFile() does. Its row groups are encoded side by side, as far as
/// `limits` and the threads of the caller's task arena allow. The bytes of the file do not depend
/// on that; a single writer would write the same.
Result<std::unique_ptr<ColumnarFile>> StartParquetFile(const ColumnarTraits& traits,
                                                       const std::shared_ptr<arrow::Schema>& schema,
                                                       const WriteLimits& limits,
                                                       std::shared_ptr<ColumnarSink> sink);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_OUTPUT_PARQUET_FILE_H_
