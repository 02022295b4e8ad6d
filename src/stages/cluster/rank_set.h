// Holds a growing set of ranks in little memory.
#ifndef LOOKALIKE_STAGES_CLUSTER_RANK_SET_H_
#define LOOKALIKE_STAGES_CLUSTER_RANK_SET_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace lookalike {

/// A set of numbers of 64 bits to which higher and higher ones are added. Memory: 2 bytes per
/// number, and 16 per range of 2^16 numbers that holds some.
class RankSet {
 public:
  /// REQUIRES: higher than all before.
  void Add(uint64_t rank) {
    if (ranges_.empty() || ranges_.back().high != rank >> kLowBits) {
      ranges_.push_back({rank >> kLowBits, lows_.size()});
    }
    lows_.push_back(static_cast<uint16_t>(rank));
  }

  [[nodiscard]] bool Contains(uint64_t rank) const {
    const auto range =
        std::lower_bound(ranges_.begin(), ranges_.end(), rank >> kLowBits,
                         [](const Range& r, uint64_t high) { return r.high < high; });
    if (range == ranges_.end() || range->high != rank >> kLowBits) return false;
    const size_t end = range + 1 == ranges_.end() ? lows_.size() : (range + 1)->begin;
    return std::binary_search(lows_.begin() + static_cast<ptrdiff_t>(range->begin),
                              lows_.begin() + static_cast<ptrdiff_t>(end),
                              static_cast<uint16_t>(rank));
  }

 private:
  static constexpr uint32_t kLowBits = 16;

  struct Range {
    uint64_t high;
    size_t begin;  // in lows_
  };

  std::vector<Range> ranges_;
  std::vector<uint16_t> lows_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_CLUSTER_RANK_SET_H_
