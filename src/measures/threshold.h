// The tests that decide whether two sets are alike, and bounds that follow from them.
#ifndef LOOKALIKE_MEASURES_THRESHOLD_H_
#define LOOKALIKE_MEASURES_THRESHOLD_H_

#include <algorithm>
#include <cstdint>

namespace lookalike {

/// A measure of how alike two sets are: common / union (Jaccard), or common / the smaller set,
/// which is the larger of the two containments (Broder 1997).
enum class Measure : uint8_t { kResemblance, kContainment };

/// Returns the number that the common features are divided by.
constexpr uint64_t Divisor(uint64_t common, uint64_t size_a, uint64_t size_b, Measure measure) {
  return measure == Measure::kContainment ? std::min(size_a, size_b) : size_a + size_b - common;
}

/// True if IEEE double(common) / double(divisor) >= threshold: the test that decides everything.
constexpr bool MeetsThreshold(uint64_t common, uint64_t size_a, uint64_t size_b, double threshold,
                              Measure measure = Measure::kResemblance) {
  const uint64_t all = Divisor(common, size_a, size_b, measure);
  return all != 0 && static_cast<double>(common) / static_cast<double>(all) >= threshold;
}

/// Returns the smallest `common` that meets the threshold for these sizes (it may exceed both
/// sizes).
constexpr uint64_t NeededCommon(uint64_t size_a, uint64_t size_b, double threshold,
                                Measure measure = Measure::kResemblance) {
  const bool contained = measure == Measure::kContainment;
  const auto base = static_cast<double>(contained ? std::min(size_a, size_b) : size_a + size_b);
  auto needed = static_cast<uint64_t>((contained ? threshold : threshold / (1 + threshold)) * base);
  // The product above is only close; the test itself settles the last step.
  const auto meets = [&](uint64_t common) {
    return MeetsThreshold(common, size_a, size_b, threshold, measure);
  };
  while (needed > 0 && meets(needed - 1)) --needed;
  while (needed < size_a + size_b && !meets(needed)) ++needed;
  return needed;
}

/// A measure and its threshold.
struct AlikeTest {
  double threshold = 1;
  Measure measure = Measure::kResemblance;

  // A threshold without a measure is for resemblance.
  constexpr AlikeTest(double at_least, Measure of = Measure::kResemblance)  // NOLINT: implicit
      : threshold(at_least), measure(of) {}

  [[nodiscard]] constexpr bool Meets(uint64_t common, uint64_t size_a, uint64_t size_b) const {
    return MeetsThreshold(common, size_a, size_b, threshold, measure);
  }
  [[nodiscard]] constexpr uint64_t Needed(uint64_t size_a, uint64_t size_b) const {
    return NeededCommon(size_a, size_b, threshold, measure);
  }
};

}  // namespace lookalike

#endif  // LOOKALIKE_MEASURES_THRESHOLD_H_
