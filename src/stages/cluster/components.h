// Step 8, `--cluster components`: connected components of related documents.
#ifndef LOOKALIKE_STAGES_CLUSTER_COMPONENTS_H_
#define LOOKALIKE_STAGES_CLUSTER_COMPONENTS_H_

#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace lookalike {

/// Disjoint sets of the positions 0 .. count-1, joined step by step. Each set is represented by its
/// smallest position. 4 bytes per position. REQUIRES: fewer than 2^32 positions.
class Components {
 public:
  explicit Components(uint64_t count) : parent_(count) {
    std::iota(parent_.begin(), parent_.end(), uint32_t{0});
  }

  /// Returns the representative. Halves the path on the way (Tarjan and van Leeuwen 1984).
  uint64_t Find(uint64_t x) {
    while (parent_[x] != x) {
      parent_[x] = parent_[parent_[x]];
      x = parent_[x];
    }
    return x;
  }

  void Join(uint64_t x, uint64_t y) {
    x = Find(x);
    y = Find(y);
    if (x > y) std::swap(x, y);
    parent_[y] = static_cast<uint32_t>(x);
  }

 private:
  std::vector<uint32_t> parent_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_CLUSTER_COMPONENTS_H_
