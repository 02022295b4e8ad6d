// The feature sets of many items, back to back.
#ifndef LOOKALIKE_RECORDS_FEATURE_SETS_H_
#define LOOKALIKE_RECORDS_FEATURE_SETS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lookalike {

/// Sets of 64-bit features in input order. Set i is features[begin[i]] to features[begin[i + 1]],
/// sorted, without repetitions; it may be empty. Values after the last set mean nothing.
struct FeatureSets {
  std::vector<uint64_t> features;
  std::vector<uint64_t> begin = {0};  ///< One entry more than there are sets.

  [[nodiscard]] size_t size() const { return begin.size() - 1; }

  [[nodiscard]] std::span<const uint64_t> Set(size_t i) const {
    return std::span(features).subspan(begin[i], begin[i + 1] - begin[i]);
  }

  /// Appends one set. REQUIRES: sorted and distinct.
  void Add(std::span<const uint64_t> set) {
    features.insert(features.end(), set.begin(), set.end());
    begin.push_back(features.size());
  }
};

}  // namespace lookalike

#endif  // LOOKALIKE_RECORDS_FEATURE_SETS_H_
