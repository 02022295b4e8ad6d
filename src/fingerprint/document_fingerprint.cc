#include "fingerprint/document_fingerprint.h"

#include <array>

#include "kernels/splitmix.h"
#include "stages/candidates/band_keys.h"

namespace lookalike {

DocumentFingerprint::DocumentFingerprint(const FingerprintSpec& spec)
    : spec_(spec), extractor_(spec.features), sketcher_(spec.sketch) {}

std::span<const uint64_t> DocumentFingerprint::FeatureSet(std::span<const uint64_t> features) {
  MakeFeatureSet(features, &set_);
  return set_;
}

bool DocumentFingerprint::HasMoreFeatures(std::span<const uint64_t> features, size_t than) {
  constexpr size_t kSlots = 512;
  if (features.size() <= than) return false;
  std::array<uint64_t, kSlots> seen = {};  // 0 marks a free slot, so the feature 0 is skipped
  size_t distinct = 0;
  for (const uint64_t feature : features) {
    size_t slot = Mix64(feature) % kSlots;
    while (seen[slot] != 0 && seen[slot] != feature) slot = (slot + 1) % kSlots;
    distinct += seen[slot] == 0 && feature != 0;
    seen[slot] = feature;
    if (distinct > than) return true;
  }
  return false;
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
