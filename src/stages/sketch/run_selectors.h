// Sketches from few random bits per feature and coordinate: the longest run of zeros wins.
#ifndef LOOKALIKE_STAGES_SKETCH_RUN_SELECTORS_H_
#define LOOKALIKE_STAGES_SKETCH_RUN_SELECTORS_H_

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "lookalike/sketch.h"
#include "stages/sketch/random_words.h"
#include "stages/sketch/sketch_function.h"

namespace lookalike {

/// A string of random bits, cut after each 1.
class BitString {
 public:
  explicit BitString(uint64_t state) : words_(state) {}

  /// Returns the number of zeros before the next 1: two bits are read on average.
  uint32_t NextRun();

 private:
  RandomWords words_;
  uint64_t left_ = 0;   // bits not yet read, the first one lowest
  uint32_t count_ = 0;  // number of unread bits
};

/// Counts of the work done.
struct SelectorCost {
  uint64_t bits = 0;      ///< Bits read from strings, except those that resolve ties.
  uint64_t ties = 0;      ///< Number of times further bits were needed.
  uint64_t draws = 0;     ///< Words drawn to find the next 0 among biased bits.
  uint64_t selected = 0;  ///< Biased bits that were 0.
  uint64_t reruns = 0;    ///< Coordinates for which no biased bit was 0.
};

/// The 2-bit scheme (Manasse): for each coordinate, a feature has the number of zeros before the
/// first 1 of a string of random bits; the feature with the longest run is chosen, and among ties
/// the feature whose further bits are least. One string per feature, cut at the ones, serves all
/// coordinates. A coordinate is 31 - the zeros (5 bits), then 27 of the further bits: the least
/// hash over the features, so that coordinates are equal with probability = resemblance and the
/// sketch of a union is the least of each coordinate. O(features * coordinates), two bits each.
class GeometricSelectors {
 public:
  explicit GeometricSelectors(uint32_t coordinates);
  SelectorCost Run(std::span<const uint64_t> features, std::span<uint32_t> out) const;

 private:
  uint64_t string_word_;
  std::vector<uint64_t> tie_words_;
};

/// The biased-bit scheme: the first bit is 1 with probability .99, for 100 coordinates at once.
/// Among the features whose bit is 0, the feature whose further bits are least is chosen; if there
/// is none, all are examined again by the 2-bit scheme. A coordinate is 31 further bits; or 2^31 +
/// (31
/// - the zeros) 2^26 + 26 further bits. O(features * coordinates / 100) for many features.
class BiasedSelectors {
 public:
  explicit BiasedSelectors(uint32_t coordinates);
  SelectorCost Run(std::span<const uint64_t> features, std::span<uint32_t> out) const;

  /// Returns the number of ones before the next 0 among 100 biased bits: at least i with
  /// probability .99^i.
  [[nodiscard]] uint32_t OnesBefore(uint64_t uniform) const;

  /// Returns how many of the upper bits of `uniform` are enough to determine OnesBefore.
  [[nodiscard]] uint32_t BitsNeeded(uint64_t uniform) const;

 private:
  void Select(std::span<const uint64_t> features, std::span<uint32_t> out,
              SelectorCost* cost) const;
  void Rerun(std::span<const uint64_t> features, std::span<uint32_t> out, SelectorCost* cost) const;

  std::array<uint64_t, 100> bounds_;  // floor(.99^i 2^64), i = 1 .. 100, each from the previous one
  uint64_t bias_word_, string_word_;
  std::vector<uint64_t> tie_words_;
};

SketchFunction MakeGeometric(uint32_t coordinates);
SketchFunction MakeBiased(uint32_t coordinates);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_SKETCH_RUN_SELECTORS_H_
