#include "stages/verify/resemblance.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <random>
#include <vector>

namespace lookalike {
namespace {

const double kThresholds[] = {1e-9,   .01, .1,  .2, .25, .3, 1. / 3, .4,  .5,        .6,
                              2. / 3, .7,  .75, .8, .85, .9, .95,    .99, 1 - 1e-12, 1};

// 7 of 10 passes .7, even if .7 in binary is a little below or above 7/10; whole fractions decide.
TEST(MeetsThresholdTest, FractionsPassTheirOwnValue) {
  for (uint64_t all = 1; all <= 200; ++all) {
    for (uint64_t common = 1; common <= all; ++common) {
      const double t = static_cast<double>(common) / static_cast<double>(all);
      ASSERT_TRUE(MeetsThreshold(common, all, common, t)) << common << "/" << all;
      ASSERT_FALSE(MeetsThreshold(common, all + 1, common, t)) << common << "/" << all + 1;
    }
  }
  EXPECT_TRUE(MeetsThreshold(7, 10, 7, .7));
  EXPECT_TRUE(MeetsThreshold(8, 9, 9, .8));
  EXPECT_TRUE(MeetsThreshold(2, 2, 3, 2. / 3));
  EXPECT_FALSE(MeetsThreshold(0, 0, 0, .1)) << "without features there is no resemblance";
}

TEST(NeededCommonTest, IsTheSmallestThatPasses) {
  for (const double t : kThresholds) {
    for (uint64_t a = 0; a <= 60; ++a) {
      for (uint64_t b = 0; b <= 60; ++b) {
        if (a + b == 0) continue;
        uint64_t least = 0;
        while (least < a + b && !MeetsThreshold(least, a, b, t)) ++least;
        ASSERT_EQ(NeededCommon(a, b, t), least) << a << ", " << b << " at " << t;
        const uint64_t smaller = std::min(a, b);
        uint64_t part = 0;
        while (part < a + b &&
               (smaller == 0 || static_cast<double>(part) / static_cast<double>(smaller) < t))
          ++part;
        ASSERT_EQ(NeededCommon(a, b, t, Measure::kContainment), part)
            << a << ", " << b << ", " << t;
      }
    }
  }
}

TEST(NeededCommonTest, LargeSizes) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20000; ++i) {
    const uint64_t a = 1 + random() % (uint64_t{1} << (1 + random() % 32));
    const uint64_t b = 1 + random() % (uint64_t{1} << (1 + random() % 32));
    const double t = kThresholds[random() % std::size(kThresholds)];
    const uint64_t needed = NeededCommon(a, b, t);
    ASSERT_TRUE(needed == a + b || MeetsThreshold(needed, a, b, t)) << a << ", " << b << ", " << t;
    ASSERT_FALSE(needed > 0 && MeetsThreshold(needed - 1, a, b, t)) << a << ", " << b << ", " << t;
  }
}

std::vector<uint64_t> RandomSet(size_t count, uint64_t universe, std::mt19937_64* random) {
  std::vector<uint64_t> set;
  for (size_t i = 0; i < count; ++i) set.push_back((*random)() % universe);
  std::sort(set.begin(), set.end());
  set.erase(std::unique(set.begin(), set.end()), set.end());
  return set;
}

uint64_t PlainCommon(const std::vector<uint64_t>& a, const std::vector<uint64_t>& b) {
  std::vector<uint64_t> common;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(common));
  return common.size();
}

TEST(CountCommonTest, CountsOrGivesUpExactly) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 4000; ++i) {
    const uint64_t universe = 1 + random() % (i % 2 == 0 ? 40 : 3000);
    const auto a = RandomSet(random() % 300, universe, &random);
    const auto b = RandomSet(random() % 300, universe, &random);
    const uint64_t common = PlainCommon(a, b);
    ASSERT_EQ(CountCommon(a, b, 0), common);
    ASSERT_EQ(CountCommon(a, b, common), common) << "what is just enough";
    ASSERT_EQ(CountCommon(a, b, common + 1), std::nullopt) << "one more than there are";
    ASSERT_EQ(CountCommon(a, b, common + 1 + random() % 500), std::nullopt);
    if (common > 0) {
      ASSERT_EQ(CountCommon(a, b, random() % common), common) << "all, not enough";
    }
    ASSERT_EQ(CountCommon(b, a, 0), common) << "symmetric";
  }
}

TEST(CountCommonTest, EdgesOfTheValues) {
  const std::vector<uint64_t> a = {0, 1, UINT64_MAX}, b = {0, UINT64_MAX - 1, UINT64_MAX}, none;
  EXPECT_EQ(CountCommon(a, b, 2), 2u);
  EXPECT_EQ(CountCommon(a, a, 3), 3u);
  EXPECT_EQ(CountCommon(a, none, 0), 0u);
  EXPECT_EQ(CountCommon(none, none, 0), 0u);
  EXPECT_EQ(CountCommon(none, a, 1), std::nullopt);
}

// Laws L1 and L2: symmetric, 1 for equal sets, 0 exactly for disjoint ones, 1 - J is a metric.
TEST(ResemblanceTest, DistanceIsAMetricOnAllSubsetsOfFive) {
  std::vector<std::vector<uint64_t>> sets;
  for (unsigned bits = 1; bits < 32; ++bits) {
    sets.emplace_back();
    for (uint64_t x = 0; x < 5; ++x) {
      if (bits >> x & 1) sets.back().push_back(x);
    }
  }
  const auto distance = [&](size_t x, size_t y) {
    const double common = static_cast<double>(*CountCommon(sets[x], sets[y], 0));
    return 1 - common / (static_cast<double>(sets[x].size() + sets[y].size()) - common);
  };
  for (size_t x = 0; x < sets.size(); ++x) {
    for (size_t y = 0; y < sets.size(); ++y) {
      ASSERT_EQ(distance(x, y) == 0, x == y);
      ASSERT_EQ(distance(x, y) == 1, PlainCommon(sets[x], sets[y]) == 0);
      ASSERT_EQ(distance(x, y), distance(y, x));
      for (size_t z = 0; z < sets.size(); ++z) {
        ASSERT_LE(distance(x, z), distance(x, y) + distance(y, z) + 1e-12);
      }
    }
  }
}

// Returns binomial probabilities 0..n in long double, by Pascal's rule: no logarithms, no gamma
// function.
std::vector<long double> Binomial(uint32_t n, long double p) {
  std::vector<long double> weight = {1};
  for (uint32_t i = 0; i < n; ++i) {
    weight.push_back(0);
    for (size_t k = weight.size() - 1; k > 0; --k) {
      weight[k] = weight[k] * (1 - p) + weight[k - 1] * p;
    }
    weight[0] *= 1 - p;
  }
  return weight;
}

TEST(CodeAgreementFloorTest, IsTheLargestNumberThatMissesNoMoreThanAllowed) {
  for (const uint32_t codes : {16U, 32U, 64U, 128U}) {
    for (const double t : {.05, .3, .5, .7, .8, .9, .99}) {
      const auto weight = Binomial(codes, t + (1 - t) / 256.0L);
      for (const double miss : {1e-9, 1e-6, 1e-4, .01, .2}) {
        const uint32_t floor = CodeAgreementFloor(t, codes, miss);
        ASSERT_LE(floor, codes);
        long double below = 0;
        for (uint32_t k = 0; k < floor; ++k) below += weight[k];
        EXPECT_LE(below, miss * (1 + 1e-9)) << codes << " codes at " << t << ", " << miss;
        if (floor == codes) continue;
        EXPECT_GT(below + weight[floor], miss * (1 - 1e-9)) << codes << " at " << t << ", " << miss;
      }
    }
  }
}

TEST(CodeAgreementFloorTest, Extremes) {
  EXPECT_EQ(CodeAgreementFloor(1, 128, 1e-9), 128u) << "equal sets agree in all codes";
  EXPECT_EQ(CodeAgreementFloor(.5, 128, 0), 0u) << "no miss allowed, no pair rejected";
  EXPECT_EQ(CodeAgreementFloor(1e-9, 16, 1e-6), 0u);
}

}  // namespace
}  // namespace lookalike
