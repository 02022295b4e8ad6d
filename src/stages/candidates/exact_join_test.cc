#include "stages/candidates/exact_join.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <iterator>
#include <random>

namespace lookalike {
namespace {

FeatureSets Sets(std::vector<std::vector<uint64_t>> all) {
  FeatureSets sets;
  for (auto& set : all) {
    std::ranges::sort(set);
    set.erase(std::unique(set.begin(), set.end()), set.end());
    sets.Add(set);
  }
  return sets;
}

std::vector<ExactPair> BruteForce(const FeatureSets& sets, const AlikeTest& test) {
  std::vector<ExactPair> pairs;
  for (uint32_t a = 0; a < sets.size(); ++a) {
    for (uint32_t b = a + 1; b < sets.size(); ++b) {
      std::vector<uint64_t> common;
      std::ranges::set_intersection(sets.Set(a), sets.Set(b), std::back_inserter(common));
      const size_t size_a = sets.Set(a).size(), size_b = sets.Set(b).size();
      const size_t all = test.measure == Measure::kContainment ? std::min(size_a, size_b)
                                                               : size_a + size_b - common.size();
      if (common.empty()) continue;
      if (static_cast<double>(common.size()) / static_cast<double>(all) >= test.threshold) {
        pairs.push_back({a, b, static_cast<uint32_t>(common.size())});
      }
    }
  }
  return pairs;
}

std::vector<uint64_t> Range(uint64_t from, uint64_t to) {
  std::vector<uint64_t> set;
  for (uint64_t i = from; i < to; ++i) set.push_back(i);
  return set;
}

bool IsPair(uint64_t common, uint64_t size_a, uint64_t size_b, double threshold) {
  const FeatureSets sets =
      Sets({Range(0, size_a), Range(size_a - common, size_a - common + size_b)});
  return !ExactJoin(sets, threshold, 1).empty();
}

TEST(ExactJoinTest, ThresholdItselfCounts) {
  EXPECT_TRUE(IsPair(7, 8, 9, .7));  // 7/10
  EXPECT_TRUE(IsPair(4, 4, 5, .8));  // 4/5
  EXPECT_TRUE(IsPair(7, 7, 10, .7));
  EXPECT_FALSE(IsPair(7, 8, 9, .7000000000000001));
  EXPECT_FALSE(IsPair(4, 4, 5, .81));
  EXPECT_TRUE(IsPair(1, 2, 2, 1. / 3));
  EXPECT_TRUE(IsPair(300, 400, 400, .6));
  EXPECT_FALSE(IsPair(299, 400, 400, .6));
}

TEST(ExactJoinTest, EveryFractionAtItsOwnThreshold) {
  for (uint64_t all = 1; all <= 30; ++all) {
    for (uint64_t common = 1; common <= all; ++common) {
      const double t = static_cast<double>(common) / static_cast<double>(all);
      for (uint64_t extra = 0; extra <= all - common; ++extra) {
        EXPECT_TRUE(IsPair(common, common + extra, all - extra, t)) << common << "/" << all;
        if (common > 1) {
          EXPECT_FALSE(IsPair(common - 1, common - 1 + extra, all - extra, t));
        }
      }
    }
  }
}

TEST(ExactJoinTest, EmptySetsAreInNoPair) {
  EXPECT_TRUE(ExactJoin(Sets({}), .5, 1).empty());
  EXPECT_TRUE(ExactJoin(Sets({{}, {}, {}}), .1, 1).empty());
  const std::vector<ExactPair> pairs = ExactJoin(Sets({{}, {1, 2}, {}, {1, 2}}), .1, 1);
  EXPECT_EQ(pairs, (std::vector<ExactPair>{{1, 3, 2}}));
}

TEST(ExactJoinTest, ZeroAndLargestValuesAreFeatures) {
  const FeatureSets sets = Sets({{0, UINT64_MAX, 5}, {0, UINT64_MAX, 6}, {0}});
  EXPECT_EQ(ExactJoin(sets, .5, 1), (std::vector<ExactPair>{{0, 1, 2}}));
}

// Small universes make many accidental pairs; copies with a few changes make near pairs.
FeatureSets RandomSets(std::mt19937_64* random) {
  const auto below = [&](uint64_t bound) { return (*random)() % bound; };
  const uint64_t universe = 2 + below(60), most = 1 + below(20), count = 1 + below(30);
  std::vector<std::vector<uint64_t>> all;
  for (uint64_t i = 0; i < count; ++i) {
    std::vector<uint64_t> set;
    if (!all.empty() && below(2) == 0) set = all[below(all.size())];
    const uint64_t change = set.empty() ? below(most + 1) : below(4);
    for (uint64_t k = 0; k < change; ++k) {
      if (!set.empty() && below(2) == 0) set.erase(set.begin());
      set.push_back(below(universe) * 0x9e3779b97f4a7c15ULL);
    }
    all.push_back(std::move(set));
  }
  return Sets(std::move(all));
}

TEST(ExactJoinTest, AgreesWithBruteForceOnRandomCollections) {
  std::mt19937_64 random(20240917);
  size_t pairs = 0;
  for (int round = 0; round < 3000; ++round) {
    const FeatureSets sets = RandomSets(&random);
    const double threshold = static_cast<double>(1 + round % 10) / 10;
    const std::vector<ExactPair> expected = BruteForce(sets, threshold);
    ASSERT_EQ(ExactJoin(sets, threshold, 1 + round % 3), expected)
        << "round " << round << " at " << threshold;
    pairs += expected.size();
    const AlikeTest contained(threshold, Measure::kContainment);
    ASSERT_EQ(ExactJoin(sets, contained, 1 + round % 3), BruteForce(sets, contained))
        << "containment, round " << round << " at " << threshold;
  }
  EXPECT_GT(pairs, 10000u);
}

TEST(ExactJoinTest, AsksWhetherToGoOnEveryFewSets) {
  std::vector<std::vector<uint64_t>> all;
  for (uint64_t i = 0; i < 1000; ++i) all.push_back({1, 2, 3, 4, 5, 6, 7, 8, 9, 100 + i});
  const FeatureSets sets = Sets(std::move(all));
  const size_t every = ExactJoin(sets, .8, 1).size();
  EXPECT_EQ(every, size_t{1000} * 999 / 2);
  std::atomic<int> asked = 0;
  EXPECT_EQ(ExactJoin(sets, .8, 2, [&] { return ++asked < 0; }).size(), every);
  EXPECT_GE(asked, 1000 / 16);
  EXPECT_LT(ExactJoin(sets, .8, 1, [&] { return --asked < 20; }).size(), every);
  EXPECT_TRUE(ExactJoin(sets, .8, 1, [] { return true; }).empty());
}

TEST(ExactJoinTest, AgreesWithBruteForceOnLongSets) {
  std::mt19937_64 random(5);
  std::vector<std::vector<uint64_t>> all;
  for (int i = 0; i < 150; ++i) {
    std::vector<uint64_t> set;
    for (uint64_t f = 0; f < 500; ++f) {
      set.push_back(random() % 100 < 75 ? (f + 1) * 0x9e3779b97f4a7c15ULL * (1 + i % 3) : random());
    }
    all.push_back(std::move(set));
  }
  const FeatureSets sets = Sets(std::move(all));
  for (double threshold : {.3, .38, .4, .6}) {
    const std::vector<ExactPair> expected = BruteForce(sets, threshold);
    EXPECT_EQ(ExactJoin(sets, threshold, 2), expected) << threshold;
    if (threshold < .4) {
      EXPECT_GT(expected.size(), 100u);
    }
  }
}

}  // namespace
}  // namespace lookalike
