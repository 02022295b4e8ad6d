#include "search/containment_audit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <random>
#include <set>
#include <vector>

namespace lookalike {
namespace {

std::vector<uint64_t> RandomSet(std::mt19937_64* random) {
  std::set<uint64_t> set;
  for (uint64_t i = 1 + (*random)() % 30; i > 0; --i) set.insert((*random)() % 60);
  return {set.begin(), set.end()};
}

// So few features have no two equal hashes, so no class is named in error.
TEST(FeatureLookupTest, NamesTheClassesThatMeetTheThreshold) {
  std::mt19937_64 random(1);
  size_t named = 0;
  for (const double threshold : {.3, .8, 1.}) {
    const AlikeTest test(threshold, Measure::kContainment);
    std::vector<std::vector<uint64_t>> sample(40);
    for (auto& set : sample) set = RandomSet(&random);
    const FeatureLookup lookup(sample, test);
    FeatureLookup::Scratch scratch;
    for (int i = 0; i < 100; ++i) {
      const std::vector<uint64_t> set = RandomSet(&random);
      std::vector<uint32_t> expected, found;
      for (uint32_t number = 0; number < sample.size(); ++number) {
        std::vector<uint64_t> common;
        std::ranges::set_intersection(sample[number], set, std::back_inserter(common));
        if (test.Meets(common.size(), sample[number].size(), set.size())) {
          expected.push_back(number);
        }
      }
      lookup.Find(set, &scratch, [&](uint32_t number) { found.push_back(number); });
      std::sort(found.begin(), found.end());
      ASSERT_EQ(found, expected) << i << " at " << threshold;
      named += found.size();
    }
  }
  EXPECT_GT(named, 300U);
}

/// Returns `count` classes of so many features, either all the same features or no common ones.
AuditReservoir::Sets ClassesOf(uint64_t count, uint64_t features, bool same) {
  AuditReservoir::Sets sets;
  for (uint64_t i = 0; i < count; ++i) {
    std::vector<uint64_t>& set = sets[{i, 0}];
    set.resize(features);
    std::iota(set.begin(), set.end(), same ? 0 : i * features);
  }
  return sets;
}

TEST(TrimForContainmentTest, LeavesSoManyAsAQuarterMillionFeaturesFill) {
  EXPECT_EQ(TrimForContainment(ClassesOf(64, 4096, false)).size(), 64U);
  const auto trimmed = TrimForContainment(ClassesOf(70, 4096, false));
  EXPECT_EQ(trimmed.size(), 64U);
  EXPECT_EQ(trimmed.rbegin()->first.low, 63U) << "those with the smallest hashes";
  EXPECT_EQ(TrimForContainment(ClassesOf(2, 300'000, false)).size(), 1U) << "one, however large";
  EXPECT_TRUE(TrimForContainment({}).empty());
}

// A document equal to n sampled documents meets n features for each of its features.
TEST(TrimForContainmentTest, LeavesSixteenThatAreAlike) {
  EXPECT_EQ(TrimForContainment(ClassesOf(40, 10, true)).size(), 16U);
}

}  // namespace
}  // namespace lookalike
