#include "run/document_sketch.h"

#include <algorithm>

#include "format/sketch_bytes.h"
#include "stages/sketch/estimate.h"

namespace lookalike {
namespace {

/// The number of bits per coordinate from which a key of several coordinates is as rare as a hash.
constexpr uint32_t kLeastKeyBits = 8;

/// Converts an estimate to the resemblance of two sets of coordinates. An estimate counts two
/// coordinates in the same place once, but the union of the sets has both.
double OfSets(double share) {
  constexpr double kRounding = 1e-12;
  return share / (2 - share) - kRounding;
}

}  // namespace

bool KeptSketch::HasKeys() const {
  return !sample && IsBandable(sketch.kind) && bits >= kLeastKeyBits;
}

double KeptSketch::KeyThreshold(double threshold) const {
  if (HasKeys()) return threshold;
  // The estimate is the resemblance of the two samples themselves.
  if (sample && sample->kind != SetSketchKind::kBottomK) return threshold;
  if (sample) return OfSets(threshold);
  const double chance = bits == kWholeCoordinate ? 0 : 1 / static_cast<double>(uint64_t{1} << bits);
  return OfSets(threshold + (1 - threshold) * chance);
}

DocumentSketcher::DocumentSketcher(const FeatureSpec& features, const KeptSketch& kept)
    : fingerprint_({features, kept.sketch}), kept_(kept) {}

DocumentSketch DocumentSketcher::Take(const Document& stored) {
  if (!kept_.sample) {
    Unpack(stored.sketch, kept_.sketch.coordinates, kept_.bits, &coordinates_);
    return {stored.features, coordinates_, {}, false};
  }
  CopyNumbers(stored.sketch, &sample_);
  return {stored.features, {}, sample_, false};
}

DocumentSketch DocumentSketcher::Make(const Document& document) {
  if (document.features != 0) return Take(document);
  const auto features = fingerprint_.Features(document.text, document.kind);
  const bool repaired = document.repaired || fingerprint_.replaced_invalid();
  if (features.empty()) return {0, {}, {}, repaired};
  if (kept_.sample) {
    const auto set = fingerprint_.FeatureSet(features);
    sample_ = SampleFeatures(*kept_.sample, set);
    return {set.size(), {}, sample_, repaired};
  }
  const auto sketch = fingerprint_.MakeSketch(features);
  coordinates_.assign(sketch.begin(), sketch.end());
  for (uint32_t& coordinate : coordinates_) coordinate = KeepBits(coordinate, kept_.bits);
  return {fingerprint_.FeatureSet(features).size(), coordinates_, {}, repaired};
}

KeyCoordinates::KeyCoordinates(const KeptSketch& kept) : kept_(kept), sketcher_(kept.KeySketch()) {}

std::span<const uint32_t> KeyCoordinates::Of(const DocumentSketch& sketch) {
  if (kept_.HasKeys()) return sketch.coordinates;
  parts_.clear();
  // The values of a sample are the smallest hashes, or multiples of a number. They are mixed again,
  // because sketches need all their bits to be random.
  for (const uint64_t value : sketch.sample) parts_.push_back(OrderOf(value));
  const bool has_gaps = !IsBandable(kept_.sketch.kind);
  for (size_t i = 0; i < sketch.coordinates.size(); ++i) {
    const uint32_t value = sketch.coordinates[i];
    if (has_gaps && value == kEmptyBin) continue;
    parts_.push_back(OrderOf(uint64_t{i} << 32 | value));
  }
  if (parts_.empty()) return {};
  return sketcher_.Run(parts_);
}

void AppendStored(const DocumentSketch& sketch, std::vector<uint64_t>* words) {
  words->push_back(sketch.features);
  words->insert(words->end(), sketch.sample.begin(), sketch.sample.end());
  const auto& all = sketch.coordinates;
  for (size_t i = 0; i < all.size(); i += 2) {
    const uint64_t second = i + 1 < all.size() ? all[i + 1] : 0;
    words->push_back(second << 32 | all[i]);
  }
}

}  // namespace lookalike
