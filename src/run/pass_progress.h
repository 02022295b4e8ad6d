// The progress of a pass over the inputs, for readers that work side by side.
#ifndef LOOKALIKE_RUN_PASS_PROGRESS_H_
#define LOOKALIKE_RUN_PASS_PROGRESS_H_

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <string_view>

#include "lookalike/lookalike.h"
#include "stages/input/block_pool.h"

namespace lookalike {

/// The things that the readers of a pass share: the sum of what they have read, the turn to process
/// a long record, which takes much memory, and memory for blocks. Thread-safe.
class PassProgress {
 public:
  /// `stage`: the name under which progress is reported. `bytes`: the estimated size of the inputs,
  /// decompressed.
  PassProgress(std::string_view stage, uint64_t bytes, const Observer& observer)
      : observer_(observer), stage_(stage), total_(static_cast<int64_t>(bytes)) {}

  /// Waits until no other reader processes a long record, and lets none do so until the lock is
  /// released.
  [[nodiscard]] std::unique_lock<std::mutex> TakeTurn() { return std::unique_lock(turn_); }

  [[nodiscard]] const BlockPool& blocks() const { return blocks_; }

  /// Adds bytes that were read, and corrects the estimate of all bytes.
  void Add(int64_t read, int64_t more) {
    const std::lock_guard lock(mutex_);
    done_ += read;
    total_ += more;
    if (!observer_.progress) return;
    const int64_t total = std::max<int64_t>(0, total_);
    const int64_t done = std::clamp<int64_t>(done_, 0, total);
    observer_.progress(
        {stage_, static_cast<uint64_t>(done), static_cast<uint64_t>(total), "bytes"});
  }

 private:
  const Observer& observer_;
  std::string_view stage_;
  BlockPool blocks_;
  std::mutex mutex_, turn_;
  int64_t done_ = 0, total_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_RUN_PASS_PROGRESS_H_
