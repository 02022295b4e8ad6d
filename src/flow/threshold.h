// The test that decides whether two sets are alike, and what follows from it.
#ifndef LOOKALIKE_FLOW_THRESHOLD_H_
#define LOOKALIKE_FLOW_THRESHOLD_H_

#include <cstdint>

namespace lookalike {

/// The test that decides everything: IEEE double(common) / double(union) >= threshold.
constexpr bool MeetsThreshold(uint64_t common, uint64_t size_a, uint64_t size_b, double threshold) {
  const uint64_t all = size_a + size_b - common;
  return all != 0 && static_cast<double>(common) / static_cast<double>(all) >= threshold;
}

/// The smallest `common` that meets the threshold for these sizes (it may exceed both sizes).
constexpr uint64_t NeededCommon(uint64_t size_a, uint64_t size_b, double threshold) {
  const auto sum = static_cast<double>(size_a + size_b);
  auto needed = static_cast<uint64_t>(threshold / (1 + threshold) * sum);
  // The division above is only close; settle the last step by the test itself.
  while (needed > 0 && MeetsThreshold(needed - 1, size_a, size_b, threshold)) --needed;
  while (needed < size_a + size_b && !MeetsThreshold(needed, size_a, size_b, threshold)) ++needed;
  return needed;
}

}  // namespace lookalike

#endif  // LOOKALIKE_FLOW_THRESHOLD_H_
