// Sketches: k coordinates that are equal with probability = the resemblance of the feature sets.
#ifndef LOOKALIKE_STAGES_SKETCH_SKETCH_H_
#define LOOKALIKE_STAGES_SKETCH_SKETCH_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lookalike/sketch.h"
#include "lookalike/status.h"
#include "stages/sketch/sketch_function.h"

namespace lookalike {

/// Limits on the number of coordinates of a sketch.
inline constexpr uint32_t kLeastCoordinates = 16, kMostCoordinates = 1024;

/// `fss:128`: the kind of sketch and its number of coordinates.
struct SketchSpec {
  uint32_t coordinates = 128;  ///< kLeastCoordinates to kMostCoordinates.
  SketchKind kind = SketchKind::kFss;
};

/// The forms that ParseSketch accepts.
inline constexpr char kSketchForms[] =
    "fss:K, permutations:K, permutations:K:FAMILY, one-permutation:K, one-permutation:K:densified, "
    "one-permutation:K:bins, lead-byte:K, lead-byte:K:4, geometric:K, biased:K or weighted:K with "
    "K from 16 to 1024 and FAMILY one of mixer, linear, universal, matrix, tabulation and "
    "mixed-tabulation; for compare also bottom-k:K, mod-m:M or fracminhash:S";

/// Parses "fss:256"; "fss" alone has 128 coordinates.
Result<SketchSpec> ParseSketch(std::string_view text);

/// Returns the text that ParseSketch turns into this spec. REQUIRES: IsKnownKind(spec.kind).
std::string ToString(const SketchSpec& spec);

/// True if a kind has this number, which may come from a file.
bool IsKnownKind(SketchKind kind);

/// Returns all kinds, by number.
std::vector<SketchKind> AllKinds();

/// True if MergeSketch gives the sketch of the union.
bool IsMergeable(SketchKind kind);

/// True if candidate keys can be made of coordinates: none is ever empty.
bool IsBandable(SketchKind kind);

/// True if a kind samples features by their weights.
bool TakesWeights(SketchKind kind);

/// True if a sketch of this kind may have a coordinate of this value.
bool IsCoordinate(SketchKind kind, uint32_t value);

/// Estimates how many distinct features a sketch was made of: (K - 1) / (the sum of x over its
/// coordinates). The x of a coordinate is the hazard that a feature has passed when the coordinate
/// is found: it is exponentially distributed with the number of features as its rate, so that this
/// is the maximum likelihood estimate, made unbiased for independent coordinates (Chassaing and
/// Gerin 2006 for minima of uniform values). Its relative standard error is then 1 / sqrt(K - 2);
/// with bins the error is smaller, and the estimate too small by up to .6 parts in K.
/// For `weighted`, estimates the sum of the weights.
/// REQUIRES: IsCoordinate() for all.
double EstimateFeatures(SketchKind kind, std::span<const uint32_t> sketch);

/// Turns `sketch` into the sketch of the union: the least of each coordinate. With it, signatures
/// can be built row by row, or reduced from partial signatures of any chunks of the rows. REQUIRES:
/// equal sizes.
void MergeSketch(std::span<const uint32_t> other, std::span<uint32_t> sketch);

/// The largest number of one-byte codes in a sketch.
constexpr uint32_t kMaxCodes = 128;

/// Returns how many one-byte codes a sketch of this many coordinates has.
constexpr uint32_t CodeCount(uint32_t coordinates) {
  return coordinates < kMaxCodes ? coordinates : kMaxCodes;
}

/// Makes sketches. Holds scratch memory; use one per thread.
class Sketcher {
 public:
  explicit Sketcher(const SketchSpec& spec);

  /// Returns the sketch of a feature stream (repetitions change nothing); valid until the next
  /// call. Each feature weighs 1. REQUIRES: features not empty.
  std::span<const uint32_t> Run(std::span<const uint64_t> features);

  /// True if it samples by weight.
  [[nodiscard]] bool TakesWeights() const { return make_weighted_ != nullptr; }

  /// Returns the sketch of features with weights. REQUIRES: TakesWeights(), features not empty.
  std::span<const uint32_t> RunWeighted(const WeightedFeatures& features);

 private:
  SketchFunction make_;
  WeightedSketchFunction make_weighted_;  // for kinds that sample by weight
  std::vector<uint32_t> sketch_;
};

/// Writes one byte of each of the first CodeCount() coordinates: enough to reject most candidates
/// (b-bit minwise hashing, Li and Koenig 2010, b = 8), and the source of keys when buckets are
/// refined.
void MakeCodes(std::span<const uint32_t> sketch, uint8_t* codes);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_SKETCH_SKETCH_H_
