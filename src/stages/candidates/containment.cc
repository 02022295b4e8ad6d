#include "stages/candidates/containment.h"

#include "measures/binomial.h"
#include "measures/threshold.h"

namespace lookalike {
namespace {

/// The number of sampled features with which a long document searches for others: enough to reject
/// documents below the threshold, but so few that a pair of long documents meets only a few dozen
/// times.
constexpr uint64_t kUsualSample = 64;

/// The minimum number of sampled features, used if storing more costs too much.
constexpr uint64_t kLeastSample = 24;

/// The maximum number of sampled features to look up, whatever the options require.
constexpr uint64_t kMostSample = uint64_t{1} << 16;

/// Share of the allowed misses that needing several common samples may cause at the threshold.
constexpr double kNeededMissShare = 0.5;

/// The number of sample sizes that the table covers.
constexpr uint32_t kTable = 4 * kUsualSample;

constexpr uint32_t kMostLevel = 40;

}  // namespace

ContainmentDesign::ContainmentDesign(double threshold, double recall, uint64_t promised)
    : threshold_(threshold), miss_(kNeededMissShare * (1 - recall)), least_sample_(kUsualSample) {
  for (uint32_t sampled = 0; sampled < kTable; ++sampled) {
    needed_.push_back(std::max(1U, BinomialFloor(sampled, threshold, miss_)));
  }
  // A low threshold or a high recall requires more sampled features. Their number doubles, because
  // each further level halves a sample.
  constexpr uint32_t kFarLevel = 4;
  while (least_sample_ < kMostSample && !Reaches(recall, least_sample_ << kFarLevel, kFarLevel)) {
    least_sample_ *= 2;
  }
  while (promised >> (base_ + 1) >= kLeastSample && Reaches(recall, promised, base_ + 1)) ++base_;
}

bool ContainmentDesign::Reaches(double recall, uint64_t features, uint32_t level) const {
  for (uint64_t n = features; n < 2 * features; n += features / 8 + 1) {
    if (RecallAt(n, level) < recall) return false;
  }
  return true;
}

uint32_t ContainmentDesign::LevelOf(uint64_t features) const {
  uint32_t level = base_;
  while (level < kMostLevel && features >> (level + 1) >= least_sample_) ++level;
  return level;
}

uint32_t ContainmentDesign::Needed(uint64_t features, uint32_t sampled) const {
  if (LevelOf(features) == 0) {  // no sample: all features are tested
    return static_cast<uint32_t>(
        NeededCommon(features, features, threshold_, Measure::kContainment));
  }
  if (sampled < needed_.size()) return needed_[sampled];
  return BinomialFloor(sampled, threshold_, miss_);
}

double ContainmentDesign::Recall(uint64_t features) const {
  const uint32_t level = LevelOf(features);
  return level == 0 ? 1 : RecallAt(features, level);
}

// Assumes a binomial distribution. The common features in the sample are in fact drawn without
// replacement, which varies less.
double ContainmentDesign::RecallAt(uint64_t features, uint32_t level) const {
  const double share = 1 / static_cast<double>(uint64_t{1} << level);
  const double expected = share * static_cast<double>(features);
  const std::vector<double> sizes =
      Binomial(static_cast<uint32_t>(std::min<uint64_t>(features, UINT32_MAX / 2)), share);
  // Sizes farther from the expected size are negligible.
  const auto end =
      static_cast<uint32_t>(std::min<double>(static_cast<double>(sizes.size()), 8 * expected + 64));
  double found = 0;
  for (uint32_t sampled = 1; sampled < end; ++sampled) {
    if (sizes[sampled] < 1e-12) continue;
    const uint32_t needed =
        sampled < needed_.size() ? needed_[sampled] : BinomialFloor(sampled, threshold_, miss_);
    const std::vector<double> common = Binomial(sampled, threshold_);
    for (uint32_t c = needed; c <= sampled; ++c) found += sizes[sampled] * common[c];
  }
  return found;
}

std::string ContainmentDesign::Name() const {
  return "fracminhash:" + std::to_string(uint64_t{1} << base_);
}

std::vector<bool> ChooseLooks(const ContainmentDesign& design, const SampleSizes& sizes,
                              const std::vector<uint64_t>& keys) {
  const uint32_t level = design.LevelOf(sizes.features);
  const auto in_level = [&](uint64_t key) { return design.LevelOfKey(key) >= level; };
  const auto shared = static_cast<uint64_t>(std::count_if(keys.begin(), keys.end(), in_level));
  const uint64_t needed = design.Needed(sizes.features, sizes.sampled);
  // Sampled features that no other document has come first. With them, the first `left` features
  // are one more than the number that may be missing.
  uint64_t left = shared < needed ? 0 : shared - needed + 1;
  std::vector<bool> looks(keys.size());
  for (size_t i = 0; i < keys.size() && left > 0; ++i) {
    if (!in_level(keys[i])) continue;
    looks[i] = true;
    --left;
  }
  return looks;
}

}  // namespace lookalike
