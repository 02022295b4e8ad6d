// A row group of Parquet, encoded in memory. Inside this stage only.
#ifndef LOOKALIKE_STAGES_OUTPUT_PARQUET_GROUP_H_
#define LOOKALIKE_STAGES_OUTPUT_PARQUET_GROUP_H_

#include <arrow/buffer.h>
#include <arrow/result.h>
#include <arrow/status.h>
#include <arrow/type_fwd.h>
#include <parquet/arrow/writer.h>
#include <parquet/metadata.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "stages/output/parquet_form.h"
#include "stages/output/row_selection.h"

namespace lookalike {

/// A Parquet file in memory that has at most one row group.
struct EncodedGroup {
  std::shared_ptr<parquet::FileMetaData> metadata;
  std::vector<std::shared_ptr<arrow::Buffer>> bytes;  ///< The file's, in order.

  /// Calls `take(data, size)` for the parts of `size` bytes from `offset` of the file on.
  template <class Take>
  arrow::Status ForEachPart(int64_t offset, int64_t size, const Take& take) const {
    for (const auto& buffer : bytes) {
      const int64_t begin = std::min(offset, buffer->size());
      const int64_t part = std::min(size, buffer->size() - begin);
      if (part > 0) ARROW_RETURN_NOT_OK(take(buffer->data() + begin, part));
      offset -= begin;
      size -= part;
    }
    return size == 0 ? arrow::Status::OK() : arrow::Status::IndexError("a row group is too short");
  }
};

/// Encodes a row group, perhaps on another thread than that which adds its rows; not from several
/// at a time.
class GroupEncoder {
 public:
  static arrow::Result<GroupEncoder> Start(const ParquetForm& form);

  /// Adds rows that wait to be encoded.
  void Add(RowSelection rows) { rows_.push_back(std::move(rows)); }

  /// Tells that no rows will be added any more.
  void End() { ended_ = true; }

  /// Encodes the rows that wait, and closes a group that has ended. Finish() returns the error, if
  /// any.
  void Run();

  /// REQUIRES: End() and then Run() were called.
  arrow::Result<EncodedGroup> Finish();

 private:
  class Sink;

  GroupEncoder() = default;
  arrow::Status Encode();

  std::shared_ptr<Sink> sink_;
  std::unique_ptr<parquet::arrow::FileWriter> writer_;
  std::vector<RowSelection> rows_;
  bool begun_ = false, ended_ = false;
  arrow::Status status_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_OUTPUT_PARQUET_GROUP_H_
