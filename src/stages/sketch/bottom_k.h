// Bottom-k sketches: the smallest hashes of a feature set.
#ifndef LOOKALIKE_STAGES_SKETCH_BOTTOM_K_H_
#define LOOKALIKE_STAGES_SKETCH_BOTTOM_K_H_

#include <cstdint>
#include <span>
#include <vector>

namespace lookalike {

/// Means "no further value" if a set has fewer than k features; no hash has this value.
inline constexpr uint32_t kNoBottomValue = UINT32_MAX;

/// Makes bottom-k sketches: the k smallest distinct 32-bit hashes of a feature set, ascending
/// (Broder 1997, "sets of minima"; Cohen and Kaplan 2007). The hash uses other bits of a feature
/// than those that decide in SketchFss, so that each may find pairs that the other misses. Holds
/// scratch memory; use one per thread.
class BottomSketcher {
 public:
  /// REQUIRES: k > 0.
  explicit BottomSketcher(uint32_t k) : sketch_(k) {}

  /// Returns the sketch of a feature stream, in which repetitions change nothing; padded with
  /// kNoBottomValue. O(features). Valid until the next call.
  std::span<const uint32_t> Run(std::span<const uint64_t> features);

 private:
  void Collect(std::span<const uint64_t> features, uint32_t bound);

  std::vector<uint32_t> sketch_;
  std::vector<uint32_t> found_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_SKETCH_BOTTOM_K_H_
