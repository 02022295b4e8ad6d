#include "stages/input/parquet_row_group.h"

#include <arrow/util/byte_size.h>

#include <utility>

#include "stages/input/columnar_batches.h"

namespace lookalike {

arrow::Result<std::shared_ptr<arrow::RecordBatch>> ParquetRowGroup::Decode() {
  return WithoutExceptions([this]() -> arrow::Result<std::shared_ptr<arrow::RecordBatch>> {
    if (!batches_) {
      reader_->set_batch_size(part_.rows_per_batch);
      ARROW_ASSIGN_OR_RAISE(batches_, reader_->GetRecordBatchReader({part_.group}, part_.leaves));
    }
    std::shared_ptr<arrow::RecordBatch> batch;
    ARROW_RETURN_NOT_OK(batches_->ReadNext(&batch));
    return batch;
  });
}

void ParquetRowGroup::Run() {
  for (uint64_t bytes = 0; bytes < part_.share;) {
    auto batch = Decode();
    if (!batch.ok()) {
      failed_ = batch.status();
      return;
    }
    ended_ = *batch == nullptr;
    if (ended_) return;
    decoded_.push_back(*batch);
    bytes += static_cast<uint64_t>(arrow::util::TotalBufferSize(**batch));
  }
}

arrow::Result<std::shared_ptr<arrow::RecordBatch>> ParquetRowGroup::Next() {
  if (decoded_.empty()) {
    ARROW_RETURN_NOT_OK(failed_);
    if (ended_) return nullptr;
    return Decode();
  }
  std::shared_ptr<arrow::RecordBatch> batch = std::move(decoded_.front());
  decoded_.pop_front();
  return batch;
}

std::unique_ptr<parquet::arrow::FileReader> ParquetRowGroup::Release() {
  batches_.reset();
  return std::move(reader_);
}

}  // namespace lookalike
