#include "io/block_compressor.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "flow/parallel.h"

namespace lookalike {
namespace {

constexpr size_t kMostInFlight = 6;  // some 2 MB each, which no memory plan counts
constexpr size_t kJobsForThread = 2;

}  // namespace

// One block. Whoever claims it first compresses it: a thread that found the time, or the one that
// needs it now. So nobody waits for a task that no thread has begun.
struct BlockCompressor::Job {
  enum State : int { kWaiting, kClaimed, kDone };

  std::shared_ptr<const BlockCodec> codec;
  std::string path;
  CodecBlock block;
  Status status;
  std::atomic<int> state = kWaiting;

  [[nodiscard]] bool Claim() {
    int waiting = kWaiting;
    return state.compare_exchange_strong(waiting, kClaimed);
  }

  // REQUIRES: claimed.
  void Run() {
    status = codec->Compress(&block, path);
    state = kDone;
    state.notify_all();
  }
};

BlockCompressor::BlockCompressor(std::unique_ptr<BlockCodec> codec,
                                 std::function<Status(std::string_view)> write, std::string path)
    : codec_(std::move(codec)),
      write_(std::move(write)),
      path_(std::move(path)),
      in_flight_(std::min(kJobsForThread * (ThreadsHere() - 1), kMostInFlight)) {}

BlockCompressor::~BlockCompressor() {
  for (const auto& job : jobs_) (void)job->Claim();
}

Status BlockCompressor::Append(std::string_view bytes) {
  while (!bytes.empty()) {
    if (!next_) {
      if (spare_.empty()) spare_.push_back(std::make_shared<Job>());
      next_ = std::move(spare_.back());
      spare_.pop_back();
      next_->block.plain.reserve(codec_->block_bytes());
    }
    std::string& plain = next_->block.plain;
    const std::string_view part = bytes.substr(0, codec_->block_bytes() - plain.size());
    plain += part;
    bytes.remove_prefix(part.size());
    if (plain.size() == codec_->block_bytes()) LOOKALIKE_RETURN_IF_ERROR(StartJob());
  }
  return {};
}

// Hands on the block that was filled, and writes what must be out of the way.
Status BlockCompressor::StartJob() {
  next_->codec = codec_;
  next_->path = path_;
  next_->state = Job::kWaiting;
  jobs_.push_back(std::move(next_));
  if (in_flight_ > 0) {
    RunSometime([job = jobs_.back()] {
      if (job->Claim()) job->Run();
    });
  }
  return TakeAllBut(in_flight_);
}

Status BlockCompressor::TakeAllBut(size_t left) {
  while (jobs_.size() > left) LOOKALIKE_RETURN_IF_ERROR(TakeFirst());
  return {};
}

// Writes the first block. As long as others are at it, this thread works on those behind.
Status BlockCompressor::TakeFirst() {
  const std::shared_ptr<Job> first = jobs_.front();
  for (const auto& job : jobs_) {
    if (first->state == Job::kDone) break;
    if (job->Claim()) job->Run();
  }
  while (first->state != Job::kDone) first->state.wait(Job::kClaimed);
  jobs_.pop_front();
  LOOKALIKE_RETURN_IF_ERROR(first->status);
  if (!std::exchange(begun_, true)) LOOKALIKE_RETURN_IF_ERROR(write_(codec_->Front()));
  LOOKALIKE_RETURN_IF_ERROR(write_(first->block.compressed()));
  codec_->Count(first->block);
  first->block.plain.clear();
  spare_.push_back(first);
  return {};
}

Status BlockCompressor::Finish() {
  // A file of nothing is one empty block.
  const bool nothing = !begun_ && jobs_.empty();
  if (!next_ && nothing) next_ = std::make_shared<Job>();
  if (next_) LOOKALIKE_RETURN_IF_ERROR(StartJob());
  LOOKALIKE_RETURN_IF_ERROR(TakeAllBut(0));
  return write_(codec_->Back());
}

}  // namespace lookalike
