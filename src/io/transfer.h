// The state shared by the threads of one transfer from or to a store: its progress, and why it
// ended.
#ifndef LOOKALIKE_IO_TRANSFER_H_
#define LOOKALIKE_IO_TRANSFER_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>

#include "io/object_access.h"
#include "lookalike/status.h"

namespace lookalike {

/// One transfer. Safe to use from several threads.
class Transfer {
 public:
  explicit Transfer(std::function<void(uint64_t)> progress) : progress_(std::move(progress)) {}

  /// Counts bytes that have arrived, and reports progress. `more` is modulo 2^64: an upload that
  /// starts again takes its bytes back.
  void Add(uint64_t more) {
    const std::lock_guard lock(mutex_);
    bytes_ += more;
    if (progress_) progress_(bytes_);
  }

  /// Makes all threads stop; the first reason counts.
  void EndWith(Error error) {
    const std::lock_guard lock(mutex_);
    if (!end_) end_ = std::move(error);
    stopped_ = true;
  }

  [[nodiscard]] bool IsStopped() const { return stopped_; }

  /// Returns why it was stopped, if it was. Call it when all threads have ended.
  std::optional<Error> TakeEnd() { return std::move(end_); }

  /// Returns `retry` that also ends with this transfer, which must outlive it.
  RetryPolicy Until(const RetryPolicy& retry) {
    RetryPolicy until = retry;
    until.cancelled = [this, cancelled = retry.cancelled] {
      return stopped_ || (cancelled && cancelled());
    };
    return until;
  }

 private:
  std::function<void(uint64_t)> progress_;
  std::atomic<bool> stopped_ = false;
  std::mutex mutex_;
  uint64_t bytes_ = 0;
  std::optional<Error> end_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_IO_TRANSFER_H_
