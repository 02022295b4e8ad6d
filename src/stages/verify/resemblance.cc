#include "stages/verify/resemblance.h"

#include <algorithm>

#include "kernels/sets.h"
#include "measures/binomial.h"
#include "measures/code_agreement.h"

namespace lookalike {

std::optional<uint64_t> CountCommon(std::span<const uint64_t> a, std::span<const uint64_t> b,
                                    uint64_t needed) {
  if (std::min(a.size(), b.size()) < needed) return std::nullopt;
  const uint64_t common = CountCommonValues(a.data(), a.size(), b.data(), b.size(), needed);
  if (common < needed) return std::nullopt;
  return common;
}

uint32_t CodeAgreementFloor(double threshold, uint32_t codes, double miss) {
  return BinomialFloor(codes, CodeAgreement(threshold), miss);
}

}  // namespace lookalike
