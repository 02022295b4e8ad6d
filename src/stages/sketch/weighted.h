// Consistent weighted sampling: the sketch of features with real weights.
#ifndef LOOKALIKE_STAGES_SKETCH_WEIGHTED_H_
#define LOOKALIKE_STAGES_SKETCH_WEIGHTED_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "stages/sketch/sketch_function.h"

namespace lookalike {

/// Weights beyond these count as these.
inline constexpr double kLeastWeight = 1e-100, kGreatestWeight = 1e100;

/// Improved consistent weighted sampling (Ioffe 2010, after Manasse, McSherry and Talwar 2007). Of
/// a feature of weight w each coordinate draws a value that is exponentially distributed with rate
/// w and does not rise with w; a coordinate is the least of them. So a feature is chosen with
/// probability w / the sum of all, a coordinate of two sketches is equal with probability
/// (sum of the lesser weights) / (sum of the greater ones), and the least of each coordinate is the
/// sketch of the union with the greater weights. O(features * coordinates), whatever the weights.
class ConsistentSampling {
 public:
  explicit ConsistentSampling(uint32_t coordinates);

  /// Values as coordinates: the upper half of the bits of a positive double, which rise with it.
  /// Repeated features change nothing
  /// where their weights are equal. REQUIRES: features not empty.
  void Run(const WeightedFeatures& features, std::span<uint32_t> out) const;

  /// Which feature a coordinate chooses. REQUIRES: features not empty.
  [[nodiscard]] size_t Choose(const WeightedFeatures& features, uint32_t coordinate) const;

 private:
  std::vector<uint64_t> words_;  // one a coordinate
};

WeightedSketchFunction MakeWeighted(uint32_t coordinates);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_SKETCH_WEIGHTED_H_
