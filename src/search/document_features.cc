#include "search/document_features.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>

#include "fingerprint/feature_extractor.h"

namespace lookalike {
DocumentFeatures::DocumentFeatures(const Job& job)
    : fields_(std::max<size_t>(1, job.choices.text_fields.paths.size())),
      guards_(job.choices.guards, job.features) {}

void DocumentFeatures::Append(std::span<const uint64_t> features, size_t field) {
  for (const uint64_t feature : features) all_.push_back(FeatureOfField(feature, field));
}

StreamHash DocumentFeatures::HashBytes(const Document& document) const {
  const uint64_t mask = guards_.MaskOf(document);
  XXH128_hash_t hash = XXH3_128bits_withSeed(document.text.data(), document.text.size(), mask);
  for (const auto& text : FurtherTexts(document)) {
    const std::string_view bytes = text.value_or(std::string_view());
    const XXH128_hash_t both[] = {hash, XXH3_128bits(bytes.data(), bytes.size())};
    hash = XXH3_128bits(both, sizeof(both));
  }
  return {hash.low64, hash.high64};
}

uint64_t DocumentFeatures::TextHash(const Document& document) const {
  return fields_ == 1 ? TextHashOf(document) : HashBytes(document).low;
}

void DocumentFeatures::TakeCoordinates(size_t first, size_t step,
                                       std::span<const uint32_t> sketch) {
  sketch_.resize(sketch.size());
  for (size_t k = first; k < sketch.size(); k += step) sketch_[k] = sketch[k];
}

}  // namespace lookalike
