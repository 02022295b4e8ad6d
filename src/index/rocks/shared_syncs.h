// Syncs of a log that threads share.
#ifndef LOOKALIKE_INDEX_ROCKS_SHARED_SYNCS_H_
#define LOOKALIKE_INDEX_ROCKS_SHARED_SYNCS_H_

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>

#include "lookalike/status.h"

namespace lookalike {

/// Lets threads share the syncs of a log.
class SharedSyncs {
 public:
  /// Returns the Error of the first sync that failed.
  [[nodiscard]] Status CheckSound() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return failure_;
  }

  void NoteWrite() {
    const std::lock_guard<std::mutex> lock(mutex_);
    ++writes_;
  }

  /// Returns when a sync that began after this call, or found nothing to do, has ended.
  Status Run(const std::function<Status()>& sync) {
    std::unique_lock<std::mutex> lock(mutex_);
    const uint64_t wanted = writes_;
    while (failure_ && synced_ < wanted) {
      if (is_running_) {
        ended_.wait(lock);
        continue;
      }
      is_running_ = true;
      const uint64_t covered = writes_;
      lock.unlock();
      const Status status = sync();
      lock.lock();
      is_running_ = false;
      if (status) synced_ = covered;
      if (!status) failure_ = status;
      ended_.notify_all();
    }
    return failure_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable ended_;
  uint64_t writes_ = 0, synced_ = 0;  // writes so far, and how many of them are durable
  bool is_running_ = false;
  Status failure_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_INDEX_ROCKS_SHARED_SYNCS_H_
