#include "index/contained_keys.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "index/family.h"

namespace lookalike {
namespace {

using Random = std::mt19937_64;

std::vector<uint64_t> Draw(size_t count, Random& random) {
  std::set<uint64_t> drawn;
  while (drawn.size() < count) drawn.insert(random());
  return {drawn.begin(), drawn.end()};
}

/// A document that holds `common` features of another one, and others.
std::vector<uint64_t> HolderOf(std::vector<uint64_t> features, size_t common, size_t size,
                               Random& random) {
  std::shuffle(features.begin(), features.end(), random);
  features.resize(common);
  while (features.size() < size) features.push_back(random());
  std::sort(features.begin(), features.end());
  return features;
}

bool Meet(const std::vector<uint64_t>& looks, const std::vector<uint64_t>& held) {
  std::vector<uint64_t> both;
  std::set_intersection(looks.begin(), looks.end(), held.begin(), held.end(),
                        std::back_inserter(both));
  return !both.empty();
}

/// Returns the share of holders, just at the threshold, that are found with any of the samples:
/// the worst choice is the one that the common features are not in.
double FoundAtThreshold(const ContainedKeys& keys, double threshold, size_t size) {
  Random random(size);
  size_t found = 0;
  const size_t tries = 400;
  for (size_t i = 0; i < tries; ++i) {
    const auto small = Draw(size, random);
    const auto common = static_cast<size_t>(std::ceil(threshold * static_cast<double>(size)));
    const auto large = HolderOf(small, common, 3 * size, random);
    Looks looks = keys.LooksOf(small);
    const auto held = keys.SamplesOf(large);
    std::stable_partition(looks.samples.begin(), looks.samples.end(), [&](uint64_t sample) {
      return !std::binary_search(held.begin(), held.end(), sample);
    });
    looks.samples.resize(looks.needed);
    std::sort(looks.samples.begin(), looks.samples.end());
    found += Meet(looks.samples, held) ? 1 : 0;
  }
  return static_cast<double>(found) / static_cast<double>(tries);
}

TEST(ContainedKeysTest, WhicheverSamplesAreChosenTheyAreEnough) {
  for (const double threshold : {.3, .8, 1.0}) {
    const ContainedKeys keys(threshold, .99, 20);
    EXPECT_EQ(FoundAtThreshold(keys, threshold, 20), 1) << threshold;
    EXPECT_EQ(FoundAtThreshold(keys, threshold, 100), 1) << threshold;
    EXPECT_GE(FoundAtThreshold(keys, threshold, 1000), .97) << threshold;
    EXPECT_GE(FoundAtThreshold(keys, threshold, 5000), .97) << threshold;
  }
}

TEST(ContainedKeysTest, FewSamplesAreNeeded) {
  Random random(1);
  const ContainedKeys keys(.8, .99, 20);
  const Looks all = keys.LooksOf(Draw(100, random));
  EXPECT_EQ(all.samples.size(), 100U);
  EXPECT_EQ(all.needed, 21U);
  const Looks sampled = keys.LooksOf(Draw(100'000, random));
  EXPECT_LT(sampled.samples.size(), 200U);
  EXPECT_LT(sampled.needed, sampled.samples.size());
  EXPECT_TRUE(keys.LooksOf({}).samples.empty());
  EXPECT_EQ(keys.LooksOf({}).needed, 0U);
}

TEST(ContainedKeysTest, AFractionOfTheFeaturesOfLongDocumentsIsStored) {
  Random random(1);
  const ContainedKeys all(.8, .99, 20), fewer(.8, .99, 400);
  const auto features = Draw(16'000, random);
  EXPECT_EQ(all.SamplesOf(features).size(), features.size());
  EXPECT_EQ(all.one_in(), 1U);
  EXPECT_EQ(fewer.one_in(), 16U);
  EXPECT_NEAR(static_cast<double>(fewer.SamplesOf(features).size()), 1'000, 150);
}

TEST(ContainedKeysTest, AKeyIsATagAndASample) {
  const std::string held = ContainedKeys::HeldKey(0x1234567890),
                    look = ContainedKeys::LookKey(0x1234567890);
  EXPECT_EQ(held, std::string("\x85\x12\x34\x56\x78\x90"));
  EXPECT_EQ(look, std::string("\x86\x12\x34\x56\x78\x90"));
  EXPECT_EQ(held.size(), kPostingPrefix);
}

}  // namespace
}  // namespace lookalike
