// Set sketches: samples of a feature set by the hash of each feature. They can be compared, merged
// and stored, but have no coordinates, and so give no bands and no candidates.
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

/// True if a text names a set sketch, whatever its parameter.
bool NamesSetSketch(std::string_view text);

/// Parses "bottom-k:256"; without a parameter, the usual one is taken.
Result<SetSketchSpec> ParseSetSketch(std::string_view text);

/// Returns the text that ParseSetSketch turns into this spec.
std::string ToString(const SetSketchSpec& spec);

/// True if this is the number of a known kind. The number may come from a file.
bool IsKnownKind(SetSketchKind kind);

/// Returns the place of a feature in the random order of all features: a bijection.
uint64_t OrderOf(uint64_t feature);

/// True if a sample of mod-m or fracminhash includes features of this order value.
bool IsSampled(const SetSketchSpec& spec, uint64_t order);

/// Returns the sample of a feature stream, in which repetitions change nothing: order values,
/// ascending.
std::vector<uint64_t> SampleFeatures(const SetSketchSpec& spec, std::span<const uint64_t> features);

/// Returns the sample of the union of two sets, from their samples.
std::vector<uint64_t> MergeSamples(const SetSketchSpec& spec, std::span<const uint64_t> a,
                                   std::span<const uint64_t> b);

/// Counts over the union of two sets from their samples: how many of its features were seen, and
/// how many of them are common. For bottom-k, the K least features of the union are seen: they are
/// the union's own sample (Broder 1997); counting all features of both samples would be biased.
struct SampledUnion {
  uint64_t seen = 0, common = 0;
  uint64_t in_a = 0, in_b = 0;  ///< Number of seen features in each set.
  uint64_t last = 0;            ///< The order value of the last feature seen.
  bool whole = false;           ///< All of the union was seen, so that nothing is estimated.
};
SampledUnion Look(const SetSketchSpec& spec, std::span<const uint64_t> a,
                  std::span<const uint64_t> b);

/// Returns the share of the union that was seen.
double DrawnShare(const SetSketchSpec& spec, const SampledUnion& look);

/// Returns the same share if the features of both sets were counted: `common` of the `seen`
/// features are in both. REQUIRES: seen > 0.
double DrawnShare(const SetSketchSpec& spec, uint64_t common, uint64_t seen, uint64_t size_a,
                  uint64_t size_b);

/// Returns the standard error of the share `common` of `seen` features, which are `drawn_share` of
/// all features: binomial, with the correction for drawing without replacement. The share is moved
/// a little towards one half (Agresti and Coull 1998), because none or all of a few says little
/// about the others. REQUIRES: seen > 0.
double ErrorOfShare(uint64_t common, uint64_t seen, double drawn_share);

/// Estimates how many features a sample was drawn from, without bias; exact for a bottom-k sample
/// of fewer than K features.
double EstimateFeatures(const SetSketchSpec& spec, std::span<const uint64_t> sample);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_SKETCH_SET_SKETCH_H_
