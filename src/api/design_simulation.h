// What a design lets pass of pairs that are drawn and go through the real sketch.
#ifndef LOOKALIKE_API_DESIGN_SIMULATION_H_
#define LOOKALIKE_API_DESIGN_SIMULATION_H_

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/splitmix.h"
#include "stages/candidates/design.h"
#include "stages/sketch/sketch.h"

namespace lookalike {

/// Two documents: how many features both have, and how many each has alone.
struct DrawnPair {
  uint64_t common = 0, alone_a = 0, alone_b = 0;
};

/// Draws pairs of feature sets and asks whether a design lets them pass. Equal seeds give equal
/// answers. Not thread-safe.
class DesignSimulation {
 public:
  /// REQUIRES: a kind of sketch that is bandable, with the coordinates of the design. The design
  /// outlives this.
  DesignSimulation(const Design& design, const SketchSpec& spec, uint64_t seed);

  /// True where a fresh pair passes.
  bool Passes(const DrawnPair& pair);

  /// The share of `pairs` fresh pairs of documents of `features` features each that pass, at a
  /// resemblance. Where no whole number of common features has it, pairs of the two nearest are
  /// drawn in proportion.
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

#endif  // LOOKALIKE_API_DESIGN_SIMULATION_H_
