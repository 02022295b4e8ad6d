#include "stages/verify/resemblance.h"

#include <algorithm>

#include "flow/binomial.h"
#include "flow/code_agreement.h"

namespace lookalike {

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
  return BinomialFloor(codes, CodeAgreement(threshold), miss);
}

}  // namespace lookalike
