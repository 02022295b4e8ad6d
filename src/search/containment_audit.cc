#include "search/containment_audit.h"

#include <algorithm>
#include <bit>
#include <unordered_map>
#include <utility>

#include "kernels/splitmix.h"

namespace lookalike {
namespace {

constexpr uint64_t kMostFeatures = uint64_t{1} << 18;

/// Limit on the sampled features that a document similar to the sample may meet per feature.
constexpr uint64_t kMostMet = 16;

uint32_t ValueOf(uint64_t feature) { return static_cast<uint32_t>(Mix64(feature) >> 32); }

}  // namespace

AuditReservoir::Sets TrimForContainment(AuditReservoir::Sets sample) {
  std::unordered_map<uint64_t, uint64_t> samples_with;
  uint64_t features = 0, met = 0;
  auto end = sample.begin();
  for (; end != sample.end(); ++end) {
    const auto& set = end->second;
    features += set.size();
    // The total that the sample meets is the sum of squares; the next set with a feature adds 2 n +
    // 1 to it.
    for (const uint64_t feature : set) met += 2 * samples_with[feature]++ + 1;
    const bool is_first = end == sample.begin();
    if (!is_first && (features > kMostFeatures || met > kMostMet * features)) break;
  }
  sample.erase(end, sample.end());
  return sample;
}

FeatureLookup::FeatureLookup(const std::vector<std::vector<uint64_t>>& sample,
                             const AlikeTest& test)
    : test_(test) {
  for (const auto& set : sample) {
    const auto number = static_cast<uint32_t>(sizes_.size());
    for (const uint64_t feature : set) postings_.push_back({ValueOf(feature), number});
    sizes_.push_back(set.size());
  }
  std::sort(postings_.begin(), postings_.end(),
            [](const Posting& x, const Posting& y) { return x.value < y.value; });
  // Most features of a corpus are in no sample, which a single lookup in a sparse table shows.
  bits_ = static_cast<uint32_t>(std::bit_width(postings_.size()) + 1);
  begin_.assign((size_t{1} << bits_) + 1, 0);
  for (const Posting& posting : postings_) ++begin_[BucketOf(posting.value) + 1];
  for (size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
}

void FeatureLookup::Count(std::span<const uint64_t> set, Scratch* scratch) const {
  scratch->common.resize(sizes_.size());
  for (const uint64_t feature : set) {
    const uint32_t value = ValueOf(feature);
    const size_t bucket = BucketOf(value);
    for (uint32_t i = begin_[bucket]; i < begin_[bucket + 1]; ++i) {
      if (postings_[i].value != value) continue;
      const uint32_t sample = postings_[i].sample;
      if (scratch->common[sample]++ == 0) scratch->touched.push_back(sample);
    }
  }
}

}  // namespace lookalike
