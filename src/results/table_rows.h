// A table of a result, written row by row as Parquet or as an Arrow file.
#ifndef LOOKALIKE_RESULTS_TABLE_ROWS_H_
#define LOOKALIKE_RESULTS_TABLE_ROWS_H_

#include <arrow/type_fwd.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "lookalike/status.h"

namespace lookalike {

enum class TableForm : uint8_t {
  kParquet,  ///< With zstd-compressed row groups of some 100,000 rows.
  kArrow     ///< An Arrow file with zstd-compressed batches.
};

/// Writes rows cell by cell, in the order of the columns. Not thread-safe.
class TableRows {
 public:
  static Result<std::unique_ptr<TableRows>> Create(const std::string& path, TableForm form,
                                                   std::shared_ptr<arrow::Schema> schema);
  ~TableRows();
  TableRows(const TableRows&) = delete;
  TableRows& operator=(const TableRows&) = delete;

  /// Cells of the types utf8 (invalid UTF-8 is replaced), int64, double and bool. A cell that
  /// fails makes the row fail.
  void Text(std::string_view value);
  void Whole(uint64_t value);
  void Number(double value);
  void Flag(bool value);
  void Null();

  /// Returns the builder of the next cell, for other types. The caller says how many bytes of text
  /// it appended, and whether that failed.
  arrow::ArrayBuilder* Other();
  void CountBytes(size_t bytes);
  void Keep(const arrow::Status& done);

  /// REQUIRES: every column has its cell.
  Status EndRow();
  Status Close();

 private:
  struct Writer;
  TableRows(std::string path, std::unique_ptr<Writer> writer);
  Status Flush();

  std::string path_;
  std::unique_ptr<Writer> writer_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_RESULTS_TABLE_ROWS_H_
