// The exact resemblance of two feature sets, and a cheap bound that avoids most of that work.
#ifndef LOOKALIKE_STAGES_VERIFY_RESEMBLANCE_H_
#define LOOKALIKE_STAGES_VERIFY_RESEMBLANCE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "measures/threshold.h"  // IWYU pragma: export

namespace lookalike {

/// Returns the number of common values of two ascending sets, or nothing as soon as fewer than
/// `needed` are certain. REQUIRES: each set sorted without repetitions.
std::optional<uint64_t> CountCommon(std::span<const uint64_t> a, std::span<const uint64_t> b,
                                    uint64_t needed);

/// Returns how many of `codes` one-byte codes must agree for a pair to be examined further: the
/// largest number such that a pair exactly at the threshold falls below it with probability at most
/// `miss` (binomial; FSS coordinates vary less). P[code equal] = J + (1-J)/256.
uint32_t CodeAgreementFloor(double threshold, uint32_t codes, double miss);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_VERIFY_RESEMBLANCE_H_
