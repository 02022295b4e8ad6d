// Simulates how many pairs a design lets pass: pairs are drawn and put through the real sketch.
#ifndef LOOKALIKE_USES_STUDIES_DESIGN_SIMULATION_H_
#define LOOKALIKE_USES_STUDIES_DESIGN_SIMULATION_H_

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/splitmix.h"
#include "stages/candidates/design.h"
#include "stages/sketch/sketch.h"

namespace lookalike {

/// Two documents: the number of features they share, and the number that each has alone.
struct DrawnPair {
  uint64_t common = 0, alone_a = 0, alone_b = 0;
};

/// A simulation that draws pairs of feature sets and tests whether a design lets them pass. Equal
/// seeds give equal answers. Not thread-safe.
class DesignSimulation {
 public:
  /// REQUIRES: a bandable kind of sketch, with the coordinates of the design. The design outlives
  /// this object.
  DesignSimulation(const Design& design, const SketchSpec& spec, uint64_t seed);

  /// True if a newly drawn pair passes.
  bool Passes(const DrawnPair& pair);

  /// Returns the share of `pairs` newly drawn pairs that pass at a resemblance, with `features`
  /// features in each document. If no whole number of common features gives that resemblance, pairs
  /// with the two nearest numbers are drawn in proportion.
  double ShareAt(double resemblance, uint64_t features, uint64_t pairs);

 private:
  bool Meet(std::span<const uint32_t> a, std::span<const uint32_t> b);

  const Design& design_;
  Sketcher sketcher_;
  SplitMix64 random_;
  std::vector<uint64_t> features_, keys_a_, keys_b_;
  std::vector<uint32_t> sketch_a_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_USES_STUDIES_DESIGN_SIMULATION_H_
