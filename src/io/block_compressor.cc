#include "io/block_compressor.h"

#include <algorithm>
#include <utility>

#include "threads/parallel.h"

namespace lookalike {
namespace {

constexpr size_t kMostInFlight = 6;  // some 2 MB each, which no memory plan includes
constexpr size_t kJobsForThread = 2;

}  // namespace

BlockCompressor::BlockCompressor(std::unique_ptr<BlockCodec> codec,
                                 std::function<Status(std::string_view)> write, std::string path)
    : codec_(std::move(codec)),
      write_(std::move(write)),
      path_(std::move(path)),
      in_flight_(std::min(kJobsForThread * (ThreadsHere() - 1), kMostInFlight)) {}

Status BlockCompressor::Append(std::string_view bytes) {
  while (!bytes.empty()) {
    if (!next_) {
      if (spare_.empty()) spare_.emplace_back();
      next_ = std::move(spare_.back());
      spare_.pop_back();
      next_->plain.reserve(codec_->block_bytes());
    }
    std::string& plain = next_->plain;
    const std::string_view part = bytes.substr(0, codec_->block_bytes() - plain.size());
    plain += part;
    bytes.remove_prefix(part.size());
    if (plain.size() == codec_->block_bytes()) LOOKALIKE_RETURN_IF_ERROR(StartJob());
  }
  return {};
}

// Starts compressing the full block, and writes enough finished blocks to stay within the limit.
Status BlockCompressor::StartJob() {
  jobs_.Add({codec_.get(), &path_, *std::move(next_)});
  next_.reset();
  return TakeAllBut(in_flight_);
}

Status BlockCompressor::TakeAllBut(size_t left) {
  while (jobs_.size() > left) LOOKALIKE_RETURN_IF_ERROR(TakeFirst());
  return {};
}

// Writes the block that was added first.
Status BlockCompressor::TakeFirst() {
  Job job = jobs_.TakeFirstDone();
  LOOKALIKE_RETURN_IF_ERROR(job.status);
  if (!std::exchange(begun_, true)) LOOKALIKE_RETURN_IF_ERROR(write_(codec_->Front()));
  LOOKALIKE_RETURN_IF_ERROR(write_(job.block.compressed()));
  codec_->Count(job.block);
  job.block.plain.clear();
  spare_.push_back(std::move(job.block));
  return {};
}

Status BlockCompressor::Finish() {
  // An empty file is one empty block.
  const bool nothing = !begun_ && jobs_.size() == 0;
  if (!next_ && nothing) next_.emplace();
  if (next_) LOOKALIKE_RETURN_IF_ERROR(StartJob());
  LOOKALIKE_RETURN_IF_ERROR(TakeAllBut(0));
  return write_(codec_->Back());
}

}  // namespace lookalike
