// One row group of a Parquet file as batches, which may be decoded before they are asked for.
// Inside this stage only.
#ifndef LOOKALIKE_STAGES_INPUT_PARQUET_ROW_GROUP_H_
#define LOOKALIKE_STAGES_INPUT_PARQUET_ROW_GROUP_H_

#include <arrow/record_batch.h>
#include <arrow/result.h>
#include <parquet/arrow/reader.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

namespace lookalike {

/// The part of one row group that is read.
struct GroupPart {
  int group = 0;
  std::vector<int> leaves;
  int64_t rows_per_batch = 1;
  uint64_t share = 0;  ///< Bytes that may be decoded before they are asked for.
};

/// Movable; used by one thread at a time. Exceptions of the library become a Status.
class ParquetRowGroup {
 public:
  /// REQUIRES: `reader` reads nothing else meanwhile.
  ParquetRowGroup(std::unique_ptr<parquet::arrow::FileReader> reader, GroupPart part)
      : reader_(std::move(reader)), part_(std::move(part)) {}

  /// Decodes batches from the front, until they fill their share or decoding fails.
  void Run();

  /// Returns the next batch; null after the last.
  arrow::Result<std::shared_ptr<arrow::RecordBatch>> Next();

  /// Returns the number of decoded batches that were not asked for yet.
  [[nodiscard]] size_t decoded() const { return decoded_.size(); }

  /// Returns how many bytes of memory are reserved for the row group.
  [[nodiscard]] uint64_t share() const { return part_.share; }

  /// Ends decoding, and returns the reader.
  std::unique_ptr<parquet::arrow::FileReader> Release();

 private:
  arrow::Result<std::shared_ptr<arrow::RecordBatch>> Decode();

  std::unique_ptr<parquet::arrow::FileReader> reader_;
  GroupPart part_;
  std::unique_ptr<arrow::RecordBatchReader> batches_;  ///< Null until started.
  std::deque<std::shared_ptr<arrow::RecordBatch>> decoded_;
  bool ended_ = false;    ///< No more batches follow.
  arrow::Status failed_;  ///< Status of the batch after the decoded batches.
};

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_INPUT_PARQUET_ROW_GROUP_H_
