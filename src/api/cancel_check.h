// Ends a long computation without an Observer of its own where the caller has asked for that.
#ifndef LOOKALIKE_API_CANCEL_CHECK_H_
#define LOOKALIKE_API_CANCEL_CHECK_H_

#include <cstdint>
#include <functional>
#include <utility>

#include "lookalike/lookalike.h"

namespace lookalike {

/// Asks Observer::cancelled now and then. Loops leave early once Step() is true, with a result of
/// no use, and the caller returns status() before it looks at that result. Not thread-safe.
class CancelCheck {
 public:
  /// Never cancelled.
  CancelCheck() = default;
  explicit CancelCheck(const Observer& observer) : cancelled_(observer.cancelled) {}

  /// For the steps of a loop: asks once in so many steps. True from the first yes on.
  bool Step() { return ++steps_ % kStepsBetween == 0 ? IsCancelled() : stopped_; }

  /// Asks. True from the first yes on.
  bool IsCancelled() {
    stopped_ = stopped_ || (cancelled_ && cancelled_());
    return stopped_;
  }

  /// Asks; the Error "interrupted" after a yes.
  Status status() { return IsCancelled() ? Status(Fail("interrupted")) : Status(); }

 private:
  static constexpr uint64_t kStepsBetween = 4096;

  std::function<bool()> cancelled_;
  uint64_t steps_ = 0;
  bool stopped_ = false;
};

}  // namespace lookalike

#endif  // LOOKALIKE_API_CANCEL_CHECK_H_
