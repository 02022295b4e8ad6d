// Calls that may take for ever or fail for a moment: a deadline each, and another try or two.
#ifndef LOOKALIKE_IO_PATIENT_CALL_H_
#define LOOKALIKE_IO_PATIENT_CALL_H_

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

/// Operations that run now, those among them that nobody waits for any more included. While there
/// is one, what it uses must not be torn down.
int RunningCalls();

/// Whether another try may succeed: neither cancelled, nor refused for a reason that stays.
bool IsWorthAnotherTry(const arrow::Status& status);

/// Sleeps before try `next` (2, 3, ...); false when the run was cancelled meanwhile.
bool PauseBefore(int next, const Patience& patience);

/// Says that a run was cancelled.
arrow::Status Interrupted();

/// The Status of an operation that did not end in time.
arrow::Status TooSlow(const Patience& patience);

/// Marks an operation as running for as long as it lives.
class RunningCall {
 public:
  RunningCall();
  ~RunningCall();
  RunningCall(const RunningCall&) = delete;
  RunningCall& operator=(const RunningCall&) = delete;
};

/// An operation on a thread of its own, so that it can be left behind: `body` must own, or share,
/// all it uses. `T` is what its Result holds.
template <class T>
class BackgroundCall {
 public:
  explicit BackgroundCall(std::function<arrow::Result<T>()> body) {
    // It runs from here on, however late its thread begins.
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
  arrow::Result<T> Wait(const Patience& patience) {
    constexpr std::chrono::milliseconds kBetweenQuestions{50};
    const auto end = std::chrono::steady_clock::now() + patience.deadline;
    while (outcome_.wait_for(kBetweenQuestions) != std::future_status::ready) {
      if (patience.IsCancelled()) return Interrupted();
      if (std::chrono::steady_clock::now() >= end) return TooSlow(patience);
    }
    return outcome_.get();
  }

 private:
  std::future<arrow::Result<T>> outcome_;
};

/// Calls `body` until it succeeds, fails for good, or `patience` is at its end.
template <class T>
arrow::Result<T> CallPatiently(const Patience& patience,
                               const std::function<arrow::Result<T>()>& body) {
  for (int turn = 1;; ++turn) {
    arrow::Result<T> result = BackgroundCall<T>(body).Wait(patience);
    if (result.ok() || turn >= patience.tries || !IsWorthAnotherTry(result.status())) return result;
    if (!PauseBefore(turn + 1, patience)) return Interrupted();
  }
}

/// The same for an operation that yields nothing.
arrow::Status CallPatiently(const Patience& patience, const std::function<arrow::Status()>& body);

}  // namespace lookalike

#endif  // LOOKALIKE_IO_PATIENT_CALL_H_
