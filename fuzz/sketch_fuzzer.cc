// The bytes of a stored sketch: as they are, and with a correct checksum, so that the code after
// its check is reached too.
#include <cmath>
#include <string>

#include "laws.h"
#include "lookalike/set_sketch.h"
#include "lookalike/sketch.h"
#include "seal.h"

namespace lookalike::fuzz {
namespace {

void CheckSample(const std::string& bytes) {
  auto sample = SetSketch::FromBytes(bytes);
  if (!sample) return Require(!sample.error().what.empty(), "an error says what is wrong");
  Require(sample->ToBytes() == bytes, "a sample is its bytes");
  Require(!Sketch::FromBytes(bytes), "a sample is no sketch of coordinates");
  const SetSketch before = *sample;
  Require(sample->Merge(before).has_value() && *sample == before, "merged with itself it stays");
  const auto estimate = sample->EstimateResemblance(before);
  Require(estimate && estimate->value == (before.values().empty() ? 0 : 1), "it resembles itself");
  Require(std::isfinite(sample->EstimateFeatureCount().features), "features can be counted");
}

void CheckCompressed(const std::string& bytes) {
  const auto sketch = CompressedSketch::FromBytes(bytes);
  if (!sketch) return Require(!sketch.error().what.empty(), "an error says what is wrong");
  Require(sketch->ToBytes() == bytes, "a compressed sketch is its bytes");
  const auto estimate = sketch->EstimateResemblance(*sketch);
  Require(estimate && estimate->resemblance == (sketch->empty() ? 0 : 1), "it resembles itself");
}

void Check(const std::string& bytes) {
  CheckSample(bytes);
  CheckCompressed(bytes);
  auto sketch = Sketch::FromBytes(bytes);
  if (!sketch) return Require(!sketch.error().what.empty(), "an error says what is wrong");
  Require(sketch->ToBytes() == bytes, "a sketch is its bytes");
  const Sketch before = *sketch;
  const bool merges = sketch->kind() != SketchKind::kDensifiedBins;
  Require(sketch->Merge(before).has_value() == merges && *sketch == before,
          "merged with itself it stays");
  if (const auto compressed = sketch->Compressed(2)) CheckCompressed(compressed->ToBytes());
  const auto estimate = sketch->EstimateResemblance(before);
  Require(estimate && estimate->resemblance == (before.empty() ? 0 : 1), "it resembles itself");
  const FeatureCountEstimate count = sketch->EstimateFeatureCount();
  Require(std::isfinite(count.features) && count.features >= 0, "features can be counted");
  Require((count.features == 0) == sketch->empty(), "no features are 0");
}

}  // namespace
}  // namespace lookalike::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  lookalike::fuzz::Check(bytes);
  lookalike::fuzz::Check(lookalike::fuzz::Sealed(bytes));
  return 0;
}
