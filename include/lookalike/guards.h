// Compares what guards (Options::differ) find in two texts.
#ifndef LOOKALIKE_GUARDS_H_
#define LOOKALIKE_GUARDS_H_

#include <string>
#include <string_view>
#include <vector>

#include "lookalike/status.h"

namespace lookalike {

/// The tokens of a guard that one of two texts has and the other has not, as multisets: a token
/// that stands twice in A and once in B is once in `only_a`.
struct GuardDifference {
  std::string guard;                        ///< As in Options::differ.
  std::vector<std::string> only_a, only_b;  ///< Sorted as bytes.
};

/// Returns those of some guards that would keep two texts apart, in the order given, each with all
/// that differs. `guards`: values of Options::differ that look into texts ("numbers", "dates",
/// "regex:..."). Errors: a value that names a field, or that is not a guard.
Result<std::vector<GuardDifference>> GuardsBetween(std::string_view a, std::string_view b,
                                                   const std::vector<std::string>& guards);

}  // namespace lookalike

#endif  // LOOKALIKE_GUARDS_H_
