// A Parquet or Arrow IPC file being written through an OutputStream.
#ifndef LOOKALIKE_STAGES_OUTPUT_COLUMNAR_FILE_H_
#define LOOKALIKE_STAGES_OUTPUT_COLUMNAR_FILE_H_

#include <arrow/type_fwd.h>

#include <memory>
#include <string>

#include "io/output_stream.h"
#include "lookalike/status.h"
#include "records/input_file.h"
#include "stages/output/columnar_traits.h"
#include "stages/output/row_selection.h"
#include "stages/output/writer.h"

namespace lookalike {

/// A columnar file being written. Not thread-safe.
class ColumnarFile {
 public:
  virtual ~ColumnarFile() = default;

  /// Appends rows of the file's schema, at least one.
  virtual Status Append(RowSelection rows) = 0;

  /// Makes the next rows begin a new row group, in formats that have row groups.
  virtual Status EndRowGroup() = 0;

  /// Ends the file and makes it durable.
  virtual Status Close() = 0;
};

/// Starts a file of `schema`, which is that of `traits`, possibly with more columns, stored as
/// `traits` says. `path` is for errors.
Result<std::unique_ptr<ColumnarFile>> StartColumnarFile(
    Format format, const ColumnarTraits& traits, const std::shared_ptr<arrow::Schema>& schema,
    const WriteLimits& limits, std::unique_ptr<OutputStream> stream, const std::string& path);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_OUTPUT_COLUMNAR_FILE_H_
