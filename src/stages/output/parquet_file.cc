#include "stages/output/parquet_file.h"

#include <arrow/record_batch.h>
#include <arrow/result.h>

#include <optional>
#include <string_view>
#include <utility>

#include "stages/output/parquet_footer.h"
#include "stages/output/parquet_form.h"
#include "stages/output/parquet_group.h"
#include "threads/parallel.h"
#include "threads/work_ahead.h"

namespace lookalike {
namespace {

/// The bytes at the front and at the end of a file.
constexpr std::string_view kMagic = "PAR1";

/// Limit on the bytes of a row group, which is held encoded in memory until it ends; longer ones
/// are split.
constexpr uint64_t kMostBytes = uint64_t{512} << 20;

/// A byte of an encoded group stands for about this many bytes of rows.
constexpr uint64_t kPackedBytes = 4;

class ParquetFile : public ColumnarFile {
 public:
  ParquetFile(ParquetForm form, const WriteLimits& limits, std::shared_ptr<ColumnarSink> sink)
      : form_(std::move(form)),
        sink_(std::move(sink)),
        footer_(form_),
        most_ended_(limits.waiting == 0 ? 0 : ThreadsHere() - 1),
        most_held_(limits.waiting) {}

  Status Begin() {
    return sink_->Guard([&] { return sink_->Write(kMagic); });
  }

  Status Append(RowSelection rows) override {
    return sink_->Guard([&] { return AppendRows(std::move(rows)); });
  }

  Status EndRowGroup() override {
    return sink_->Guard([&] { return EndGroup(); });
  }

  Status Close() override {
    return sink_->Guard([&] { return CloseFile(); });
  }

 private:
  /// A group with the memory that it counts for.
  struct Group {
    GroupEncoder encoder;
    uint64_t waiting = 0;  ///< Bytes of its rows that wait to be encoded,
    uint64_t encoded = 0;  ///< and of those that are encoded.

    void Run() { encoder.Run(); }
    [[nodiscard]] uint64_t Held() const { return waiting + encoded / kPackedBytes; }
  };

  arrow::Status AppendRows(RowSelection rows) {
    if (bytes_ >= kMostBytes) ARROW_RETURN_NOT_OK(EndGroup());
    if (!group_) {
      ARROW_ASSIGN_OR_RAISE(GroupEncoder encoder, GroupEncoder::Start(form_));
      group_ = {std::move(encoder)};
    }
    ARROW_ASSIGN_OR_RAISE(const uint64_t bytes, rows.Bytes());
    bytes_ += rows.ShareOf(bytes);
    group_->encoder.Add(std::move(rows));
    group_->waiting += bytes;
    held_ += bytes;
    while (held_ > most_held_ && ended_.FirstIsDone()) ARROW_RETURN_NOT_OK(WriteFirst());
    if (held_ > most_held_ || most_ended_ == 0) Encode();
    return arrow::Status::OK();
  }

  /// Encodes the rows of the current group that wait, while other threads encode the groups before
  /// it, if there are any.
  void Encode() {
    const double span = SpanBeside([&] { group_->Run(); });
    if (ended_.size() == 0) AddToSpan(span);
    held_ -= group_->waiting;
    group_->encoded += std::exchange(group_->waiting, 0);
  }

  arrow::Status EndGroup() {
    bytes_ = 0;
    if (!group_) return arrow::Status::OK();
    held_ += group_->encoded / kPackedBytes;  // Its waiting rows count already.
    group_->encoder.End();
    ended_.Add(*std::move(group_));
    group_.reset();
    while (ended_.size() > most_ended_ || (ended_.size() > 0 && held_ > most_held_)) {
      ARROW_RETURN_NOT_OK(WriteFirst());
    }
    return arrow::Status::OK();
  }

  /// Writes the group that ended first.
  arrow::Status WriteFirst() {
    Group group = ended_.TakeFirstDone();
    held_ -= group.Held();
    return WriteGroup(&group.encoder);
  }

  arrow::Status WriteGroup(GroupEncoder* group) {
    ARROW_ASSIGN_OR_RAISE(const EncodedGroup encoded, group->Finish());
    constexpr auto kFront = static_cast<int64_t>(kMagic.size());
    ARROW_ASSIGN_OR_RAISE(const int64_t place, sink_->Tell());
    int64_t size = 0;
    for (int i = 0; i < encoded.metadata->num_row_groups(); ++i) {
      size += encoded.metadata->RowGroup(i)->total_compressed_size();
    }
    ARROW_RETURN_NOT_OK(encoded.ForEachPart(
        kFront, size, [&](const uint8_t* data, int64_t part) { return sink_->Write(data, part); }));
    has_groups_ = true;
    return footer_.Add(encoded, place - kFront);
  }

  arrow::Status CloseFile() {
    ARROW_RETURN_NOT_OK(EndGroup());
    while (ended_.size() > 0) ARROW_RETURN_NOT_OK(WriteFirst());
    if (!has_groups_) {
      ARROW_ASSIGN_OR_RAISE(GroupEncoder none, GroupEncoder::Start(form_));
      none.End();
      none.Run();
      ARROW_RETURN_NOT_OK(WriteGroup(&none));
    }
    ARROW_RETURN_NOT_OK(footer_.Write(sink_.get()));
    return sink_->Close();
  }

  ParquetForm form_;
  std::shared_ptr<ColumnarSink> sink_;
  ParquetFooter footer_;  ///< It describes the groups that are written.
  bool has_groups_ = false;

  std::optional<Group> group_;  ///< The current one.
  uint64_t bytes_ = 0;          ///< About the bytes of its rows.
  WorkAhead<Group> ended_;      ///< The groups that are not written, and how many may be.
  size_t most_ended_;
  /// Memory of rows that wait, and of groups that have ended. What is encoded of the current group
  /// does not count: one group is always held.
  uint64_t most_held_, held_ = 0;
};

}  // namespace

Result<std::unique_ptr<ColumnarFile>> StartParquetFile(const ColumnarTraits& traits,
                                                       const std::shared_ptr<arrow::Schema>& schema,
                                                       const WriteLimits& limits,
                                                       std::shared_ptr<ColumnarSink> sink) {
  ParquetForm form;
  LOOKALIKE_RETURN_IF_ERROR(sink->Guard([&] { return FormOf(traits, schema).Value(&form); }));
  auto file = std::make_unique<ParquetFile>(std::move(form), limits, std::move(sink));
  LOOKALIKE_RETURN_IF_ERROR(file->Begin());
  return file;
}

}  // namespace lookalike
