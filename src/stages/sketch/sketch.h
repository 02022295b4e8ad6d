// Sketches: k coordinates whose probability of being equal is the resemblance of the feature sets.
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

/// How many coordinates a sketch may have.
inline constexpr uint32_t kLeastCoordinates = 16, kMostCoordinates = 1024;

/// `fss:128`: the kind of sketch and its number of coordinates.
struct SketchSpec {
  uint32_t coordinates = 128;  ///< kLeastCoordinates to kMostCoordinates.
  SketchKind kind = SketchKind::kFss;
};

/// What ParseSketch understands.
inline constexpr char kSketchForms[] =
    "fss:K, permutations:K, permutations:K:FAMILY, one-permutation:K, one-permutation:K:densified, "
    "one-permutation:K:bins, lead-byte:K, lead-byte:K:4, geometric:K, biased:K or weighted:K with "
    "K from 16 to 1024 and FAMILY one of mixer, linear, universal, matrix, tabulation and "
    "mixed-tabulation; for compare also bottom-k:K, mod-m:M or fracminhash:S";

/// What is in a bin that stayed empty, of kinds that have such.
inline constexpr uint32_t kEmptyBin = UINT32_MAX;

/// "fss:256" -> SketchSpec; "fss" alone has 128 coordinates.
Result<SketchSpec> ParseSketch(std::string_view text);

/// The text that ParseSketch turns into this spec. REQUIRES: IsKnownKind(spec.kind).
std::string ToString(const SketchSpec& spec);

/// Whether a kind has a name: a number that was read may be none.
bool IsKnownKind(SketchKind kind);

/// Every kind there is, by number.
std::vector<SketchKind> AllKinds();

/// Whether MergeSketch gives the sketch of the union.
bool IsMergeable(SketchKind kind);

/// Whether keys of candidates can be made of coordinates: none is ever empty.
bool IsBandable(SketchKind kind);

/// Whether a kind samples features by their weights.
bool TakesWeights(SketchKind kind);

/// Whether a sketch of this kind may have a coordinate of this value.
bool IsCoordinate(SketchKind kind, uint32_t value);

/// How many distinct features a sketch was made of: (K - 1) / (the sum of x over its coordinates).
/// The x of a coordinate is the hazard that a feature has passed when the coordinate is found: it
/// is exponentially distributed, its rate the number of features, so that this is the estimate of
/// maximum likelihood, made unbiased for independent coordinates (Chassaing and Gerin 2006 for
/// minima of uniform values). Its relative standard error is then 1 / sqrt(K - 2); with bins it is
/// less, and the estimate too small by up to .6 parts in K.
/// Of `weighted` the sum of the weights.
/// REQUIRES: IsCoordinate() of all.
double EstimateFeatures(SketchKind kind, std::span<const uint32_t> sketch);

/// Turns `sketch` into the sketch of the union: the least of each coordinate. So signatures are
/// made row by row, and partial ones of any chunks of the rows are reduced. REQUIRES: equal sizes.
void MergeSketch(std::span<const uint32_t> other, std::span<uint32_t> sketch);

/// How many codes of one byte go with a sketch of so many coordinates.
constexpr uint32_t kMaxCodes = 128;
constexpr uint32_t CodeCount(uint32_t coordinates) {
  return coordinates < kMaxCodes ? coordinates : kMaxCodes;
}

/// Makes sketches. Holds scratch memory; one per thread.
class Sketcher {
 public:
  explicit Sketcher(const SketchSpec& spec);

  /// The sketch of a feature stream (repetitions change nothing); valid until the next call.
  /// Each weighs 1. REQUIRES: features not empty.
  std::span<const uint32_t> Run(std::span<const uint64_t> features);

  /// Whether it samples by weight.
  [[nodiscard]] bool TakesWeights() const { return make_weighted_ != nullptr; }

  /// The sketch of features with weights. REQUIRES: TakesWeights(), features not empty.
  std::span<const uint32_t> RunWeighted(const WeightedFeatures& features);

 private:
  SketchFunction make_;
  WeightedSketchFunction make_weighted_;  // of kinds that sample by weight
  std::vector<uint32_t> sketch_;
};

/// One byte of each of the first CodeCount() coordinates: enough to reject most candidates
/// (b-bit minwise hashing, Li and Koenig 2010, b = 8), and what refinement of buckets re-keys by.
void MakeCodes(std::span<const uint32_t> sketch, uint8_t* codes);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_SKETCH_SKETCH_H_
