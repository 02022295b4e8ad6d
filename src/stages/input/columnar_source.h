// Parquet and Arrow IPC files, and tables in memory, as a sequence of Arrow record batches.
#ifndef LOOKALIKE_STAGES_INPUT_COLUMNAR_SOURCE_H_
#define LOOKALIKE_STAGES_INPUT_COLUMNAR_SOURCE_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "lookalike/status.h"
#include "records/input_file.h"

namespace arrow {
class RecordBatch;
class Schema;
class Table;
}  // namespace arrow

namespace lookalike {

/// Reads rows in file order. Not thread-safe.
class ColumnarSource {
 public:
  virtual ~ColumnarSource() = default;

  /// Returns the schema of the whole file, whichever columns are read.
  [[nodiscard]] virtual std::shared_ptr<arrow::Schema> schema() const = 0;

  /// Returns the next rows, about a megabyte; null after the last. Never spans row groups or the
  /// file's own batches.
  virtual Result<std::shared_ptr<arrow::RecordBatch>> Next() = 0;

  /// Skips the next `rows` rows; an Error if there are fewer. REQUIRES: Next was not called.
  virtual Status Skip(uint64_t rows) = 0;

  /// Ends reading before the row group that begins at this row or later. REQUIRES: Next was not
  /// called. Only sources with CutPlaces() obey it.
  virtual void StopAt(uint64_t /*rows*/) {}

  /// Returns how many bytes of the file correspond to the rows so far.
  [[nodiscard]] virtual uint64_t bytes_read() const = 0;
};

/// Returns the size in bytes of the buffers that hold a table's rows.
uint64_t SizeOfTable(const arrow::Table& table);

/// Opens a Parquet, Arrow file or Arrow stream, or a table. Only the columns that hold `paths` are
/// read; empty: all of them. Applies the limits that can be checked for a file.
Result<std::unique_ptr<ColumnarSource>> OpenColumnarSource(const InputFile& file,
                                                           std::span<const std::string> paths,
                                                           const ReadLimits& limits = {});

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_INPUT_COLUMNAR_SOURCE_H_
