// Set sketches: samples of a feature set by the hash of each feature. They estimate, merge and are
// stored; they have no coordinates, so no bands and no candidates.
#ifndef LOOKALIKE_STAGES_SKETCH_SET_SKETCH_H_
#define LOOKALIKE_STAGES_SKETCH_SET_SKETCH_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lookalike/set_sketch.h"
#include "lookalike/status.h"

namespace lookalike {

/// `bottom-k:128`: the kind of sample and its parameter.
struct SetSketchSpec {
  SetSketchKind kind = SetSketchKind::kBottomK;
  uint64_t parameter = 128;  ///< K, M or S; from 1 to 2^32 - 1.
  bool operator==(const SetSketchSpec&) const = default;
};

/// Whether a text names a set sketch, with or without a parameter that is allowed.
bool NamesSetSketch(std::string_view text);

/// "bottom-k:256" -> SetSketchSpec; without a parameter a usual one.
Result<SetSketchSpec> ParseSetSketch(std::string_view text);

/// The text that ParseSetSketch turns into this spec.
std::string ToString(const SetSketchSpec& spec);

/// Whether a kind has a name: a number that was read may be none.
bool IsKnownKind(SetSketchKind kind);

/// The place of a feature in the random order of all features: a bijection.
uint64_t OrderOf(uint64_t feature);

/// Whether a sample of mod-m or fracminhash has a feature of this order value.
bool IsSampled(const SetSketchSpec& spec, uint64_t order);

/// The sample of a feature stream, whose repetitions change nothing: order values, ascending.
std::vector<uint64_t> SampleFeatures(const SetSketchSpec& spec, std::span<const uint64_t> features);

/// The sample of the union of two sets, from theirs.
std::vector<uint64_t> MergeSamples(const SetSketchSpec& spec, std::span<const uint64_t> a,
                                   std::span<const uint64_t> b);

/// What two samples say of their union: how many of its features were looked at, and how many of
/// these are common. Of bottom-k the K least of the union, which are those of its own sample
/// (Broder 1997); counting all in both would be biased.
struct SampledUnion {
  uint64_t seen = 0, common = 0;
  uint64_t in_a = 0, in_b = 0;  ///< How many of those seen are in each set.
  uint64_t last = 0;            ///< The order value of the last that was seen.
  bool whole = false;           ///< It is all of the union, so that nothing is estimated.
};
SampledUnion Look(const SetSketchSpec& spec, std::span<const uint64_t> a,
                  std::span<const uint64_t> b);

/// The share of the union that was looked at.
double DrawnShare(const SetSketchSpec& spec, const SampledUnion& look);

/// The same where the features of both sets were counted: of `seen` that were looked at `common`
/// are in both. REQUIRES: seen > 0.
double DrawnShare(const SetSketchSpec& spec, uint64_t common, uint64_t seen, uint64_t size_a,
                  uint64_t size_b);

/// The error of a share of so many that were drawn, `drawn_share` of all there are: binomial, with
/// the correction for drawing without replacement. The share is moved a little towards one half
/// (Agresti and Coull 1998), as none or all of a few does not say that all others are alike.
/// REQUIRES: seen > 0.
double ErrorOfShare(uint64_t common, uint64_t seen, double drawn_share);

/// How many features a sample stands for, without bias; exact for bottom-k of fewer than K.
double EstimateFeatures(const SetSketchSpec& spec, std::span<const uint64_t> sample);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_SKETCH_SET_SKETCH_H_
