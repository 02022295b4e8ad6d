// Calls that may hang or fail temporarily: each has a deadline, and is tried again once or twice.
#ifndef LOOKALIKE_IO_RETRYING_CALL_H_
#define LOOKALIKE_IO_RETRYING_CALL_H_

#include <arrow/result.h>
#include <arrow/status.h>

#include <chrono>
#include <exception>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "io/object_access.h"

namespace lookalike {

/// Returns the number of running operations, including abandoned ones. While it is not 0, nothing
/// they use may be torn down.
int RunningCalls();

/// True if another try may succeed: the call was neither cancelled, nor refused for a lasting
/// reason.
bool IsRetryable(const arrow::Status& status);

/// Sleeps before try `next` (2, 3, ...); false if the run was cancelled meanwhile.
bool PauseBefore(int next, const RetryPolicy& retry);

/// Returns the Status of a cancelled run.
arrow::Status Interrupted();

/// Returns the Status of an operation that did not end in time.
arrow::Status DeadlineExceeded(const RetryPolicy& retry);

/// A mark that an operation is running, for as long as it lives.
class RunningCall {
 public:
  RunningCall();
  ~RunningCall();
  RunningCall(const RunningCall&) = delete;
  RunningCall& operator=(const RunningCall&) = delete;
};

/// An operation on its own thread, so that it can be abandoned: `body` must own, or share,
/// everything it uses. `T` is the value type of its Result.
template <class T>
class BackgroundCall {
 public:
  explicit BackgroundCall(std::function<arrow::Result<T>()> body) {
    // It counts as running from here on, however late its thread begins.
    auto begun = std::make_unique<const RunningCall>();
    std::packaged_task<arrow::Result<T>()> task(
        [body = std::move(body), begun = std::move(begun)]() mutable -> arrow::Result<T> {
          const auto running = std::move(begun);
          try {
            return body();
          } catch (const std::exception& error) {
            return arrow::Status::UnknownError(error.what());
          }
        });
    outcome_ = task.get_future();
    std::thread(std::move(task)).detach();
  }

  /// Waits until it ends, the deadline passes or the run is cancelled. Call it once.
  arrow::Result<T> Wait(const RetryPolicy& retry) {
    constexpr std::chrono::milliseconds kBetweenQuestions{50};
    const auto end = std::chrono::steady_clock::now() + retry.deadline;
    while (outcome_.wait_for(kBetweenQuestions) != std::future_status::ready) {
      if (retry.IsCancelled()) return Interrupted();
      if (std::chrono::steady_clock::now() >= end) return DeadlineExceeded(retry);
    }
    return outcome_.get();
  }

 private:
  std::future<arrow::Result<T>> outcome_;
};

/// Calls `body` until it succeeds, fails for good, or `retry` runs out.
template <class T>
arrow::Result<T> CallWithRetries(const RetryPolicy& retry,
                                 const std::function<arrow::Result<T>()>& body) {
  for (int turn = 1;; ++turn) {
    arrow::Result<T> result = BackgroundCall<T>(body).Wait(retry);
    if (result.ok() || turn >= retry.tries || !IsRetryable(result.status())) return result;
    if (!PauseBefore(turn + 1, retry)) return Interrupted();
  }
}

/// Does the same for an operation that returns nothing.
arrow::Status CallWithRetries(const RetryPolicy& retry, const std::function<arrow::Status()>& body);

}  // namespace lookalike

#endif  // LOOKALIKE_IO_RETRYING_CALL_H_
