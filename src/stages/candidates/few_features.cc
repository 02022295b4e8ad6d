#include "stages/candidates/few_features.h"

#include <set>

#include "kernels/splitmix.h"

namespace lookalike {
namespace {

// Returns the largest size of a set that can be alike with a set of `size`.
uint64_t LargestPartner(uint64_t size, double threshold) {
  auto largest = static_cast<uint64_t>(static_cast<double>(size) / threshold);
  while (MeetsThreshold(size, size, largest + 1, threshold)) ++largest;
  while (largest > size && !MeetsThreshold(size, size, largest, threshold)) --largest;
  return largest;
}

uint64_t WithForm(uint64_t key, KeyForm form) {
  return (key & ~uint64_t{3}) | static_cast<uint64_t>(form);
}

uint64_t KeyOfTwo(uint64_t first, uint64_t second) {
  return WithForm(Mix64(first * kGolden + second), KeyForm::kTwo);
}

uint64_t SignatureOf(std::span<const CountedFeature> features) {
  uint64_t signature = 0;
  for (const CountedFeature& feature : features) signature |= uint64_t{1} << (feature.key & 63);
  return signature;
}

}  // namespace

FewFeatures::FewFeatures(double threshold) : covering_(threshold + (1 - threshold) / 4) {
  few_ = kFew;
  while (few_ > 0 && LargestPartner(few_, threshold) > kMost) --few_;
  if (few_ == 0) return;
  most_ = static_cast<uint32_t>(LargestPartner(few_, threshold));
  const uint32_t sizes = most_ + 1;
  needed_.resize(sizes * sizes);
  needed_of_size_.resize(sizes);
  for (uint32_t a = 1; a < sizes; ++a) {
    std::set<uint8_t> values;
    for (uint32_t b = 1; b < sizes; ++b) {
      const uint64_t needed = NeededCommon(a, b, threshold);
      if (std::min(a, b) > few_ || needed > std::min(a, b)) continue;
      needed_[a * sizes + b] = static_cast<uint8_t>(needed);
      values.insert(static_cast<uint8_t>(needed));
    }
    needed_of_size_[a].assign(values.begin(), values.end());
  }
}

uint32_t FewFeatures::LeastNeeded(uint32_t size, uint32_t from) const {
  for (const uint8_t needed : needed_of_size_[size]) {
    if (needed >= from) return needed;
  }
  return 0;
}

bool GroupsMayBeAlike(const FewFeatures& few, KeyForm form, uint32_t group_x, uint32_t group_y) {
  // Documents whose features are all shared have identical signatures.
  const auto of_group = [&](uint32_t group) {
    const uint32_t size = group >> 8;
    return FewMeeting::Of(static_cast<uint64_t>(form), 0, size, group & 0xff, size, 0);
  };
  return MayBeAlike(few, of_group(group_x), of_group(group_y));
}

void FrequentFeatures::Count(uint32_t size, std::span<const CountedFeature> features) {
  const uint32_t least = few_.LeastNeeded(size, 1);
  const auto shared = static_cast<uint32_t>(features.size());
  for (uint32_t i = 0; i < shared && least != 0 && shared - i >= least; ++i) {
    if (features[i].count() < kFrequent) continue;
    ++features_[features[i].key].groups[size << 8 | (shared - i)].documents;
  }
}

void FrequentFeatures::Decide() {
  for (auto& [key, feature] : features_) Decide(&feature);
}

// Uses keys of two features if they need fewer keys than there are pairs to compare.
void FrequentFeatures::Decide(Feature* feature) const {
  uint64_t pairs = 0, keys = 0;
  for (auto& [x, group] : feature->groups) {
    for (const auto& [y, other] : feature->groups) {
      if (!GroupsMayBeAlike(few_, KeyForm::kOne, x, y)) continue;
      if (x == y && group.documents < 2) continue;
      group.passes = true;
      pairs += group.documents * other.documents / 2;
    }
    if (group.passes) keys += group.documents * (x & 0xff);
  }
  feature->two = pairs > kPairsAKey * keys;
}

FrequentFeatures::Use FrequentFeatures::UseOf(const CountedFeature& feature, uint32_t size,
                                              uint32_t tail) const {
  if (feature.count() < kFrequent) return Use::kOne;
  const auto at = features_.find(feature.key);
  if (at == features_.end()) return Use::kNone;
  const auto group = at->second.groups.find(size << 8 | tail);
  if (group == at->second.groups.end() || !group->second.passes) return Use::kNone;
  return at->second.two ? Use::kTwo : Use::kOne;
}

void MakeMeetingKeys(const FewFeatures& few, const FrequentFeatures& frequent, Rank rank,
                     uint32_t size, std::span<const CountedFeature> features,
                     std::vector<FewMeeting>* keys) {
  const uint32_t least = few.LeastNeeded(size, 1);
  if (least == 0) return;
  const uint32_t least_of_more = few.LeastNeeded(size, 2);
  const auto shared = static_cast<uint32_t>(features.size());
  const uint64_t signature = SignatureOf(features);
  const auto add = [&](uint64_t key, uint32_t tail) {
    keys->push_back(FewMeeting::Of(key, signature, size, tail, shared, rank));
  };
  for (uint32_t i = 0; i < shared && shared - i >= least; ++i) {
    switch (frequent.UseOf(features[i], size, shared - i)) {
      case FrequentFeatures::Use::kNone:
        break;
      case FrequentFeatures::Use::kOne:
        add(WithForm(features[i].key, KeyForm::kOne), shared - i);
        break;
      case FrequentFeatures::Use::kTwo:
        if (least == 1) add(WithForm(features[i].key, KeyForm::kOneAlone), shared - i);
        if (least_of_more == 0) break;
        for (uint32_t j = i + 1; j < shared && shared - j + 1 >= least_of_more; ++j) {
          add(KeyOfTwo(features[i].key, features[j].key), shared - j);
        }
        break;
    }
  }
}

void AddGuardedKeys(uint64_t guard, std::vector<FewMeeting>* keys) {
  constexpr uint64_t kFormBits = 3;
  for (size_t i = 0, count = keys->size(); i < count; ++i) {
    FewMeeting meeting = (*keys)[i];
    meeting.key = (Mix64(meeting.key ^ guard) & ~kFormBits) | (meeting.key & kFormBits);
    keys->push_back(meeting);
  }
}

}  // namespace lookalike
