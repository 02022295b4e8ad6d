#include "index/contained_keys.h"

#include <algorithm>

#include "index/encoding.h"
#include "index/family.h"
#include "stages/sketch/set_sketch.h"

namespace lookalike {
namespace {

constexpr uint32_t kSampleBits = 8 * (kPostingPrefix - 1);
constexpr char kHeldTag = '\x85', kLookTag = '\x86';  // no tags of other keys

/// Returns the samples of a level, one for each feature.
std::vector<uint64_t> SamplesOfLevel(const ContainmentDesign& design, uint32_t level,
                                     std::span<const uint64_t> features) {
  const SetSketchSpec stored = {SetSketchKind::kFracMinHash, uint64_t{1} << design.base()};
  std::vector<uint64_t> samples;
  for (const uint64_t feature : features) {
    const uint64_t order = OrderOf(feature);
    if (!IsSampled(stored, order)) continue;
    const uint64_t key = design.KeyOf(order, false);
    if (design.LevelOfKey(key) >= level) samples.push_back(key >> (64 - kSampleBits));
  }
  return samples;
}

void SortDistinct(std::vector<uint64_t>* samples) {
  std::sort(samples->begin(), samples->end());
  samples->erase(std::unique(samples->begin(), samples->end()), samples->end());
}

}  // namespace

std::vector<uint64_t> ContainedKeys::SamplesOf(std::span<const uint64_t> features) const {
  std::vector<uint64_t> samples = SamplesOfLevel(design_, design_.base(), features);
  SortDistinct(&samples);
  return samples;
}

// Two features of a document may have the same 40 bits. It then looks with one sample fewer, and
// needs one fewer in common.
Looks ContainedKeys::LooksOf(std::span<const uint64_t> features) const {
  Looks looks;
  looks.samples = SamplesOfLevel(design_, design_.LevelOf(features.size()), features);
  const size_t all = looks.samples.size();
  const uint32_t common = design_.Needed(features.size(), static_cast<uint32_t>(all));
  SortDistinct(&looks.samples);
  looks.needed = all < common ? 0 : std::min(looks.samples.size(), all - common + 1);
  return looks;
}

std::string ContainedKeys::HeldKey(uint64_t sample) {
  return TaggedKey(kHeldTag, sample << (64 - kSampleBits));
}

std::string ContainedKeys::LookKey(uint64_t sample) {
  return TaggedKey(kLookTag, sample << (64 - kSampleBits));
}

}  // namespace lookalike
