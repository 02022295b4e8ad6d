#include "stages/verify/resemblance.h"

#include <algorithm>
#include <cmath>

namespace lookalike {

uint64_t NeededCommon(uint64_t size_a, uint64_t size_b, double threshold) {
  const auto sum = static_cast<double>(size_a + size_b);
  auto needed = static_cast<uint64_t>(threshold / (1 + threshold) * sum);
  // The division above is only close; settle the last step by the test itself.
  while (needed > 0 && MeetsThreshold(needed - 1, size_a, size_b, threshold)) --needed;
  while (needed < size_a + size_b && !MeetsThreshold(needed, size_a, size_b, threshold)) ++needed;
  return needed;
}

std::optional<uint64_t> CountCommon(std::span<const uint64_t> a, std::span<const uint64_t> b,
                                    uint64_t needed) {
  constexpr size_t kStride = 64;  // how often hopelessness is looked for
  if (std::min(a.size(), b.size()) < needed) return std::nullopt;
  const uint64_t* x = a.data();
  const uint64_t* y = b.data();
  const uint64_t* x_end = x + a.size();
  const uint64_t* y_end = y + b.size();
  uint64_t common = 0;
  while (x != x_end && y != y_end) {
    const auto left = static_cast<uint64_t>(std::min(x_end - x, y_end - y));
    if (common + left < needed) return std::nullopt;
    for (size_t i = 0; i < kStride && x != x_end && y != y_end; ++i) {
      const uint64_t v = *x, w = *y;
      common += v == w;
      x += v <= w;
      y += w <= v;
    }
  }
  if (common < needed) return std::nullopt;
  return common;
}

uint32_t CodeAgreementFloor(double threshold, uint32_t codes, double miss) {
  const double equal = threshold + (1 - threshold) / 256;
  if (equal >= 1) return codes;
  const double n = codes;
  const double log_equal = std::log(equal), log_other = std::log1p(-equal);
  double below = 0;
  for (uint32_t agree = 0; agree < codes; ++agree) {
    const double k = agree;
    const double log_choose = std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1);
    below += std::exp(log_choose + k * log_equal + (n - k) * log_other);
    if (below > miss) return agree;
  }
  return codes;
}

}  // namespace lookalike
