// Rows of a batch of columns that are to be written. Inside this stage only.
#ifndef LOOKALIKE_STAGES_OUTPUT_ROW_SELECTION_H_
#define LOOKALIKE_STAGES_OUTPUT_ROW_SELECTION_H_

#include <arrow/type_fwd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace lookalike {

/// A selection of rows, perhaps with columns added. The rows are copied only by Make(), which may
/// be called on any thread.
class RowSelection {
 public:
  /// Selects the rows whose flag is 1. REQUIRES: flags.size() is the number of rows.
  RowSelection(std::shared_ptr<arrow::RecordBatch> rows, std::span<const uint8_t> flags);

  /// Adds columns behind those of the rows, with a value for each selected row. `schema` is the one
  /// with them.
  void AddColumns(std::shared_ptr<arrow::Schema> schema,
                  std::vector<std::shared_ptr<arrow::Array>> added);

  /// Returns the number of selected rows.
  [[nodiscard]] size_t count() const { return count_; }

  /// Returns the share of the selected rows in a number that stands for all rows.
  [[nodiscard]] uint64_t ShareOf(uint64_t whole) const {
    return whole / std::max<size_t>(1, flags_.size()) * count_;
  }

  /// Returns the bytes of all rows, selected or not, which stay in memory with this.
  [[nodiscard]] arrow::Result<uint64_t> Bytes() const;

  /// Returns the selected rows. REQUIRES: count() > 0.
  [[nodiscard]] arrow::Result<std::shared_ptr<arrow::RecordBatch>> Make() const;

 private:
  std::shared_ptr<arrow::RecordBatch> rows_;
  std::vector<uint8_t> flags_;
  size_t count_;
  std::shared_ptr<arrow::Schema> schema_;  ///< Null: that of the rows.
  std::vector<std::shared_ptr<arrow::Array>> added_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_OUTPUT_ROW_SELECTION_H_
