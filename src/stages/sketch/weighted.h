// Consistent weighted sampling: the sketch of features with real weights.
#ifndef LOOKALIKE_STAGES_SKETCH_WEIGHTED_H_
#define LOOKALIKE_STAGES_SKETCH_WEIGHTED_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "stages/sketch/sketch_function.h"

namespace lookalike {

/// Bounds on weights; weights beyond them count as these.
inline constexpr double kLeastWeight = 1e-100, kGreatestWeight = 1e100;

/// Improved consistent weighted sampling (Ioffe 2010, after Manasse, McSherry and Talwar 2007). For
/// a feature of weight w, each coordinate draws a value that is exponentially distributed with rate
/// w and does not rise with w; a coordinate is the least of them. So a feature is chosen with
/// probability w / the sum of all, a coordinate of two sketches is equal with probability (sum of
/// the lesser weights) / (sum of the greater weights), and the least of each coordinate is the
/// sketch of the union with the greater weights. O(features * coordinates), whatever the weights.
class ConsistentSampling {
 public:
  explicit ConsistentSampling(uint32_t coordinates);

  /// Writes values as coordinates: the upper half of the bits of a positive double, which rise with
  /// it. Repeated features change nothing if their weights are equal. REQUIRES: features not empty.
  void Run(const WeightedFeatures& features, std::span<uint32_t> out) const;

  /// Returns which feature a coordinate chooses. REQUIRES: features not empty.
  [[nodiscard]] size_t Choose(const WeightedFeatures& features, uint32_t coordinate) const;

 private:
  std::vector<uint64_t> words_;  // one per coordinate
};

WeightedSketchFunction MakeWeighted(uint32_t coordinates);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_SKETCH_WEIGHTED_H_
