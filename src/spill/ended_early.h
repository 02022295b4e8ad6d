// The error for a stream that has fewer records than expected.
#ifndef LOOKALIKE_SPILL_ENDED_EARLY_H_
#define LOOKALIKE_SPILL_ENDED_EARLY_H_

#include <string>
#include <string_view>

#include "lookalike/status.h"

namespace lookalike {

/// Returns the Error for a missing record of `what`: the error that stopped the stream, or else one
/// that says that it ended too early.
inline tl::unexpected<Error> EndedEarly(const Status& status, std::string_view what) {
  if (!status) return tl::unexpected<Error>(status.error());
  return CorruptError(std::string(what) +
                      " ended too early: a temporary file is shorter than it was, or damaged; run "
                      "again, and report this if it happens again");
}

}  // namespace lookalike

#endif  // LOOKALIKE_SPILL_ENDED_EARLY_H_
