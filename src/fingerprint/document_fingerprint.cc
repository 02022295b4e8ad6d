#include "fingerprint/document_fingerprint.h"

#include "stages/candidates/band_keys.h"

namespace lookalike {

DocumentFingerprint::DocumentFingerprint(const FingerprintSpec& spec)
    : spec_(spec), extractor_(spec.features), sketcher_(spec.sketch) {}

std::span<const uint64_t> DocumentFingerprint::FeatureSet(std::span<const uint64_t> features) {
  MakeFeatureSet(features, &set_);
  return set_;
}

bool DocumentFingerprint::IsSearched(std::span<const uint64_t> features) {
  const uint64_t least = spec_.min_features;
  if (features.empty() || features.size() < least) return false;
  return least <= 1 || FeatureSet(features).size() >= least;
}

std::span<const uint32_t> DocumentFingerprint::MakeSketch(std::span<const uint64_t> features) {
  const WeightedFeatures weighted = extractor_.weighted();
  const bool by_weight = sketcher_.TakesWeights() && !weighted.features.empty();
  return by_weight ? sketcher_.RunWeighted(weighted) : sketcher_.Run(features);
}

void DocumentFingerprint::MakeKeys(std::span<const uint32_t> sketch,
                                   std::span<uint64_t> keys) const {
  if (spec_.design) MakeBandKeys(*spec_.design, sketch, keys);
}

}  // namespace lookalike
