#include "stages/input/parquet_source.h"

#include <arrow/io/interfaces.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <parquet/arrow/reader.h>
#include <parquet/arrow/schema.h>
#include <parquet/file_reader.h>
#include <parquet/metadata.h>
#include <parquet/properties.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "io/arrow_memory.h"
#include "io/input_bytes.h"
#include "io/open_stream.h"
#include "stages/input/columnar_batches.h"
#include "stages/input/columnar_column.h"
#include "stages/input/format_readers.h"
#include "stages/input/parquet_row_group.h"
#include "threads/work_ahead.h"

namespace lookalike {
namespace {

constexpr int64_t kReadBuffer = int64_t{1} << 20;

// More row groups would only wait for memory.
constexpr size_t kGroupsForThread = 2;

void CollectLeaves(const parquet::arrow::SchemaField& field, std::vector<int>* leaves) {
  if (field.is_leaf()) leaves->push_back(field.column_index);
  for (const auto& child : field.children) CollectLeaves(child, leaves);
}

// An opener of readers of one file, whose footer is read only once.
class ParquetOpener {
 public:
  explicit ParquetOpener(uint64_t max_page)
      : pages_(ReusedMemoryUpTo(static_cast<int64_t>(std::min<uint64_t>(max_page, INT64_MAX)))) {}

  arrow::Status Open(const InputFile& file) { return OpenForArrow(file).Value(&file_); }

  arrow::Result<std::unique_ptr<parquet::arrow::FileReader>> NewReader() {
    parquet::ReaderProperties properties(pages_);
    properties.enable_buffered_stream();
    properties.set_buffer_size(kReadBuffer);
    parquet::ArrowReaderProperties arrow_properties(/*use_threads=*/false);
    arrow_properties.set_pre_buffer(false);
    parquet::arrow::FileReaderBuilder builder;
    ARROW_RETURN_NOT_OK(builder.Open(file_, properties, metadata_));
    builder.memory_pool(ReusedMemory())->properties(arrow_properties);
    ARROW_ASSIGN_OR_RAISE(auto reader, builder.Build());
    metadata_ = reader->parquet_reader()->metadata();
    return reader;
  }

 private:
  arrow::MemoryPool* pages_;
  std::shared_ptr<arrow::io::RandomAccessFile> file_;  // read by offset, from several threads
  std::shared_ptr<parquet::FileMetaData> metadata_;
};

class ParquetSource final : public ColumnarSource {
 public:
  ParquetSource(const InputFile& file, const ReadLimits& limits)
      : opener_(limits.max_part),
        place_(PlaceOf(file)),
        file_bytes_(file.size),
        ahead_bytes_(limits.ahead),
        most_ahead_(limits.ahead == 0 ? 0 : kGroupsForThread * (ThreadsHere() - 1)) {}

  arrow::Status Open(const InputFile& file, std::span<const std::string> paths) {
    ARROW_RETURN_NOT_OK(opener_.Open(file));
    ARROW_ASSIGN_OR_RAISE(auto reader, opener_.NewReader());
    ARROW_RETURN_NOT_OK(reader->GetSchema(&schema_));
    metadata_ = reader->parquet_reader()->metadata();
    end_group_ = metadata_->num_row_groups();
    ARROW_RETURN_NOT_OK(CheckRowCounts());
    FindLeaves(*reader, paths);
    readers_.push_back(std::move(reader));
    return arrow::Status::OK();
  }

  [[nodiscard]] std::shared_ptr<arrow::Schema> schema() const override { return schema_; }

  Result<std::shared_ptr<arrow::RecordBatch>> Next() override {
    auto next = WithoutExceptions([this] { return NextOrStatus(); });
    if (!next.ok()) return Broken("Parquet", next.status(), place_);
    return std::move(next).MoveValueUnsafe();
  }

  // Skips rows; whole row groups are not even opened.
  Status Skip(uint64_t rows) override {
    skip_ = static_cast<int64_t>(rows);
    while (group_ < end_group_) {
      const int64_t group_rows = metadata_->RowGroup(group_)->num_rows();
      if (group_rows > skip_) break;
      skip_ -= group_rows;
      rows_ += group_rows;
      ++group_;
    }
    if (skip_ > 0 && group_ == end_group_) {
      return EndsTooEarly(rows, "rows", place_);
    }
    return {};
  }

  void StopAt(uint64_t rows) override {
    uint64_t before = 0;
    for (int group = 0; group < metadata_->num_row_groups(); ++group) {
      if (before >= rows) {
        end_group_ = group;
        return;
      }
      before += static_cast<uint64_t>(metadata_->RowGroup(group)->num_rows());
    }
  }

  [[nodiscard]] uint64_t bytes_read() const override {
    return ShareOf(file_bytes_, rows_, metadata_->num_rows());
  }

 private:
  // The library silently loses rows if a count in the file is wrong.
  [[nodiscard]] arrow::Status CheckRowCounts() const {
    int64_t left = metadata_->num_rows();
    for (int group = 0; group < metadata_->num_row_groups(); ++group) {
      const int64_t rows = metadata_->RowGroup(group)->num_rows();
      if (rows < 0 || rows > left) return Defect("the row groups' sizes are wrong");
      left -= rows;
    }
    return left == 0 ? arrow::Status::OK() : Defect("row groups are missing");
  }

  void FindLeaves(const parquet::arrow::FileReader& reader, std::span<const std::string> paths) {
    const auto& fields = reader.manifest().schema_fields;
    if (paths.empty()) {
      for (const auto& field : fields) CollectLeaves(field, &leaves_);
      return;
    }
    for (const std::string& path : paths) {
      const std::vector<int> place = FindColumn(*schema_, path);
      if (place.empty()) continue;
      const parquet::arrow::SchemaField* field = &fields[static_cast<size_t>(place[0])];
      for (size_t i = 1; i < place.size(); ++i) {
        field = &field->children[static_cast<size_t>(place[i])];
      }
      CollectLeaves(*field, &leaves_);
    }
    std::sort(leaves_.begin(), leaves_.end());
    leaves_.erase(std::unique(leaves_.begin(), leaves_.end()), leaves_.end());
  }

  arrow::Result<std::shared_ptr<arrow::RecordBatch>> NextOrStatus() {
    while (true) {
      if (current_) {
        ARROW_ASSIGN_OR_RAISE(auto batch, current_->Next());
        if (batch) {
          rows_ += batch->num_rows();
          const int64_t skipped = std::min(skip_, batch->num_rows());
          skip_ -= skipped;
          if (skipped > 0) batch = batch->Slice(skipped);
          if (skipped > 0 && batch->num_rows() == 0) continue;
          return batch;
        }
        EndGroup();
        if (rows_ != group_end_) {
          return Defect("a row group does not have the rows that it announces");
        }
      }
      if (group_ == end_group_) return nullptr;
      ARROW_RETURN_NOT_OK(BeginGroup());
    }
  }

  void EndGroup() {
    held_ -= std::exchange(held_by_current_, 0);
    readers_.push_back(current_->Release());
    current_.reset();
  }

  // Moves to the next row group. A row group that was not decoded ahead is decoded batch by batch.
  arrow::Status BeginGroup() {
    if (ahead_.size() == 0) {
      ARROW_ASSIGN_OR_RAISE(ParquetRowGroup next, RowGroup(PartOf(group_)));
      current_.emplace(std::move(next));
    } else {
      auto [next, done] = ahead_.TakeFirst();
      if (done) {
        held_by_current_ = next.share();
      } else {
        held_ -= next.share();
      }
      current_.emplace(std::move(next));
    }
    group_end_ = rows_ + metadata_->RowGroup(group_)->num_rows();
    ++group_;
    LookAhead();
    return arrow::Status::OK();
  }

  // Starts decoding as many row groups as there is memory for.
  void LookAhead() {
    while (ahead_.size() < most_ahead_) {
      const int group = group_ + static_cast<int>(ahead_.size());
      if (group == end_group_) return;
      GroupPart part = PartOf(group);
      if (part.share > ahead_bytes_ - held_) return;
      auto next = RowGroup(std::move(part));
      if (!next.ok()) return;  // reported when the group is delivered
      held_ += next->share();
      ahead_.Add(std::move(next).MoveValueUnsafe());
    }
  }

  // Decoding a row group ahead may take the size of its columns before dictionaries are expanded;
  // the expanded size is unknown, so it may take up to an equal part of the memory.
  [[nodiscard]] GroupPart PartOf(int group) const {
    const auto metadata = metadata_->RowGroup(group);
    int64_t bytes = 0, buffers = 0;
    for (const int leaf : leaves_) {
      const auto chunk = metadata->ColumnChunk(leaf);
      bytes += chunk->total_uncompressed_size();
      buffers += std::min(chunk->total_compressed_size(), kReadBuffer);
    }
    const auto needed = static_cast<uint64_t>(std::max<int64_t>(0, bytes + buffers));
    return {group, leaves_, RowsPerBatch(bytes, metadata->num_rows()),
            std::max(needed, ahead_bytes_ / (most_ahead_ + 1))};
  }

  arrow::Result<ParquetRowGroup> RowGroup(GroupPart part) {
    if (readers_.empty()) {
      ARROW_ASSIGN_OR_RAISE(auto reader, opener_.NewReader());
      readers_.push_back(std::move(reader));
    }
    ParquetRowGroup made(std::move(readers_.back()), std::move(part));
    readers_.pop_back();
    return made;
  }

  ParquetOpener opener_;
  std::string place_;
  uint64_t file_bytes_;
  uint64_t ahead_bytes_;
  size_t most_ahead_;
  std::shared_ptr<arrow::Schema> schema_;
  std::shared_ptr<parquet::FileMetaData> metadata_;
  std::vector<int> leaves_;
  std::vector<std::unique_ptr<parquet::arrow::FileReader>> readers_;  // not in use
  std::optional<ParquetRowGroup> current_;
  WorkAhead<ParquetRowGroup> ahead_;  // the row groups from `group_` on
  uint64_t held_ = 0;                 // memory of these, and of the current one if decoded ahead
  uint64_t held_by_current_ = 0;
  int group_ = 0, end_group_ = 0;
  int64_t rows_ = 0;
  int64_t group_end_ = 0;  // The value of `rows_` after the current group.
  int64_t skip_ = 0;       // Rows of the current group to skip.
};

}  // namespace

Result<std::unique_ptr<ColumnarSource>> OpenParquetSource(const InputFile& file,
                                                          std::span<const std::string> paths,
                                                          const ReadLimits& limits) {
  auto source = std::make_unique<ParquetSource>(file, limits);
  const arrow::Status status = WithoutExceptions([&] { return source->Open(file, paths); });
  if (!status.ok()) return Broken("Parquet", status, PlaceOf(file));
  return std::unique_ptr<ColumnarSource>(std::move(source));
}

}  // namespace lookalike
