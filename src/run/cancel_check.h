// Ends a long computation that does not use an Observer itself when the caller asks for it.
#ifndef LOOKALIKE_RUN_CANCEL_CHECK_H_
#define LOOKALIKE_RUN_CANCEL_CHECK_H_

#include <cstdint>
#include <functional>
#include <utility>

#include "lookalike/lookalike.h"

namespace lookalike {

/// A check that asks Observer::cancelled now and then. Loops leave early once Step() is true, with
/// an unusable result, and the caller returns status() before looking at that result. Not
/// thread-safe.
class CancelCheck {
 public:
  /// Makes a check that is never cancelled.
  CancelCheck() = default;
  explicit CancelCheck(const Observer& observer) : cancelled_(observer.cancelled) {}

  /// Counts a step of a loop, and asks once in kStepsBetween steps. Stays true once the answer was
  /// yes.
  bool Step() { return ++steps_ % kStepsBetween == 0 ? IsCancelled() : stopped_; }

  /// Asks whether to stop. Stays true once the answer was yes.
  bool IsCancelled() {
    stopped_ = stopped_ || (cancelled_ && cancelled_());
    return stopped_;
  }

  /// Asks whether to stop, and returns the Error "interrupted" if the answer was ever yes.
  Status status() { return IsCancelled() ? Status(Cancelled()) : Status(); }

 private:
  static constexpr uint64_t kStepsBetween = 4096;

  std::function<bool()> cancelled_;
  uint64_t steps_ = 0;
  bool stopped_ = false;
};

}  // namespace lookalike

#endif  // LOOKALIKE_RUN_CANCEL_CHECK_H_
