// A Parquet file written in batches of rows.
#ifndef LOOKALIKE_RESULTS_TABLE_FILE_H_
#define LOOKALIKE_RESULTS_TABLE_FILE_H_

#include <memory>
#include <string>

#include "lookalike/status.h"

namespace arrow {
class RecordBatch;
class Schema;
class Status;
}  // namespace arrow

namespace lookalike {

/// A Parquet file with zstd-compressed row groups of some 100,000 rows. Not thread-safe.
class TableFile {
 public:
  static Result<std::unique_ptr<TableFile>> Create(const std::string& path,
                                                   const arrow::Schema& schema);
  ~TableFile();
  TableFile(const TableFile&) = delete;
  TableFile& operator=(const TableFile&) = delete;

  /// REQUIRES: `rows` has the file's schema.
  Status Write(const arrow::RecordBatch& rows);
  Status Close();

  /// Turns a failure of Arrow into a failure of this file.
  [[nodiscard]] Status Checked(const arrow::Status& status) const;

 private:
  struct Writer;
  TableFile(std::string path, std::unique_ptr<Writer> writer);

  std::string path_;
  std::unique_ptr<Writer> writer_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_RESULTS_TABLE_FILE_H_
