// The type of the functions that compute a kind of sketch.
#ifndef LOOKALIKE_STAGES_SKETCH_SKETCH_FUNCTION_H_
#define LOOKALIKE_STAGES_SKETCH_SKETCH_FUNCTION_H_

#include <cstdint>
#include <functional>
#include <span>

namespace lookalike {

/// Value of a bin that stayed empty, for kinds that have empty bins.
inline constexpr uint32_t kEmptyBin = UINT32_MAX;

/// Writes the sketch of the features (at least one) into the coordinates, as many as it was made
/// for. Copies share its tables, but not its scratch memory: use one copy per thread.
using SketchFunction = std::function<void(std::span<const uint64_t>, std::span<uint32_t>)>;

/// Features and their weights.
struct WeightedFeatures {
  std::span<const uint64_t> features;
  std::span<const double> weights = {};  ///< One per feature, positive; empty: 1 each.
};

/// The same, for kinds that sample by weight.
using WeightedSketchFunction = std::function<void(const WeightedFeatures&, std::span<uint32_t>)>;

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_SKETCH_SKETCH_FUNCTION_H_
