#include "batch/document_sketch.h"

#include <algorithm>

#include "format/sketch_bytes.h"
#include "stages/sketch/estimate.h"

namespace lookalike {

DocumentSketch DocumentSketcher::Make(const Document& document) {
  if (document.features != 0) {
    Unpack(document.sketch, count_, bits_, &coordinates_);
    return {document.features, coordinates_, false};
  }
  const auto features = fingerprint_.Features(document.text, document.kind);
  const bool repaired = document.repaired || fingerprint_.replaced_invalid();
  if (features.empty()) return {0, {}, repaired};
  const auto sketch = fingerprint_.MakeSketch(features);
  coordinates_.assign(sketch.begin(), sketch.end());
  for (uint32_t& coordinate : coordinates_) coordinate = KeepBits(coordinate, bits_);
  return {fingerprint_.FeatureSet(features).size(), coordinates_, repaired};
}

void AppendStored(const DocumentSketch& sketch, std::vector<uint64_t>* words) {
  words->push_back(sketch.features);
  const auto& all = sketch.coordinates;
  for (size_t i = 0; i < all.size(); i += 2) {
    const uint64_t second = i + 1 < all.size() ? all[i + 1] : 0;
    words->push_back(second << 32 | all[i]);
  }
}

}  // namespace lookalike
