// Bottom-k sketches: the smallest hashes of a feature set.
#ifndef LOOKALIKE_STAGES_SKETCH_BOTTOM_K_H_
#define LOOKALIKE_STAGES_SKETCH_BOTTOM_K_H_

#include <cstdint>
#include <span>
#include <vector>

namespace lookalike {

/// Stands for "no further value" where a set has fewer than k features; no hash has it.
inline constexpr uint32_t kNoBottomValue = UINT32_MAX;

/// Makes bottom-k sketches: the k smallest distinct 32-bit hashes of a feature set, ascending
/// (Broder 1997, "sets of minima"; Cohen and Kaplan 2007). The hash is made of other bits of a
/// feature than decide in SketchFss, so that what the one misses the other may see. Holds scratch
/// memory; one per thread.
class BottomSketcher {
 public:
  /// REQUIRES: k > 0.
  explicit BottomSketcher(uint32_t k) : sketch_(k) {}

  /// The sketch of a feature stream, whose repetitions change nothing; filled up with
  /// kNoBottomValue. O(features). Valid until the next call.
  std::span<const uint32_t> Run(std::span<const uint64_t> features);

 private:
  void Collect(std::span<const uint64_t> features, uint32_t bound);

  std::vector<uint32_t> sketch_;
  std::vector<uint32_t> found_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_SKETCH_BOTTOM_K_H_
