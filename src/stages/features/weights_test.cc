#include "stages/features/weights.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>
#include <vector>

namespace lookalike {
namespace {

constexpr UnitRule kBag = {.unit = 1, .each_time = true};

std::vector<uint64_t> UnitsOf(const std::vector<uint64_t>& features,
                              const std::vector<double>& weights = {}, const UnitRule& rule = {}) {
  WeighedStream stream;
  ExpandUnits(features, weights, rule, &stream);
  return stream.units;
}

std::set<uint64_t> SetOf(const std::vector<uint64_t>& features,
                         const std::vector<double>& weights = {}, const UnitRule& rule = {}) {
  const auto units = UnitsOf(features, weights, rule);
  return {units.begin(), units.end()};
}

size_t Common(const std::set<uint64_t>& a, const std::set<uint64_t>& b) {
  return static_cast<size_t>(
      std::count_if(a.begin(), a.end(), [&](uint64_t f) { return b.contains(f); }));
}

double Resemblance(const std::set<uint64_t>& a, const std::set<uint64_t>& b) {
  const auto common = static_cast<double>(Common(a, b));
  return common / (static_cast<double>(a.size() + b.size()) - common);
}

TEST(UnitsTest, FirstOccurrencesStayAndOthersAreTheirOwn) {
  const auto units = UnitsOf({7, 5, 7, 7, 5}, {}, kBag);
  ASSERT_EQ(units.size(), 5u);
  EXPECT_EQ(units[0], 7u);
  EXPECT_EQ(units[1], 5u);
  EXPECT_EQ((std::set<uint64_t>(units.begin(), units.end()).size()), 5u);
  const auto more = UnitsOf({5, 5, 7, 7}, {}, kBag);
  EXPECT_EQ(more[1], units[4]);
  EXPECT_EQ(more[3], units[2]);
}

// L3: lesser counts are in the intersection, greater counts in the union.
TEST(UnitsTest, CountsAreMinimaAndMaxima) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 500; ++round) {
    std::vector<uint64_t> a(random() % 20), b(random() % 20);
    std::map<uint64_t, std::pair<size_t, size_t>> counts;
    for (uint64_t& f : a) ++counts[f = random() % 4].first;
    for (uint64_t& f : b) ++counts[f = random() % 4].second;
    size_t least = 0, most = 0;
    for (const auto& [feature, count] : counts) {
      least += std::min(count.first, count.second);
      most += std::max(count.first, count.second);
    }
    const auto bag_a = SetOf(a, {}, kBag), bag_b = SetOf(b, {}, kBag);
    EXPECT_EQ(Common(bag_a, bag_b), least);
    EXPECT_EQ(bag_a.size() + bag_b.size() - least, most);
  }
}

// L7 and facts 2.14: {a:3,b:1}/{a:3,c:2} 1/2, {a:3}/{a:1} 1/3, {a:3,b:1}/{a:2,b:2,c:1} 1/2.
TEST(UnitsTest, WholeWeightsReplicate) {
  EXPECT_EQ(Resemblance(SetOf({1, 2}, {3, 1}), SetOf({1, 3}, {3, 2})), 1. / 2);
  EXPECT_EQ(Resemblance(SetOf({1}, {3}), SetOf({1}, {1})), 1. / 3);
  EXPECT_EQ(Resemblance(SetOf({1, 2}, {3, 1}), SetOf({1, 2, 3}, {2, 2, 1})), 1. / 2);
  EXPECT_EQ(SetOf({1, 2}, {3, 1}), SetOf({2, 1, 1, 1}, {}, kBag));
  EXPECT_EQ(SetOf({1, 2}, {1.5, .5}, {.unit = .5}), SetOf({1, 2}, {3, 1}));
}

// L26: on average, fractions count in the intersection and in the union with their value.
TEST(UnitsTest, FractionsCountByTheirProbability) {
  std::mt19937_64 random(2);
  std::vector<uint64_t> features(20'000);
  std::vector<double> a(features.size()), b(features.size());
  double least = 0, most = 0, variance = 0;
  for (size_t i = 0; i < features.size(); ++i) {
    features[i] = random();
    a[i] = std::ldexp(static_cast<double>(random() % 4096), -10);
    b[i] = std::ldexp(static_cast<double>(random() % 4096), -10);
    least += std::min(a[i], b[i]);
    most += std::max(a[i], b[i]);
    variance += .25;  // at most, per rounding
  }
  const auto set_a = SetOf(features, a), set_b = SetOf(features, b);
  const auto common = static_cast<double>(Common(set_a, set_b));
  EXPECT_NEAR(common, least, 4 * std::sqrt(variance));
  EXPECT_NEAR(static_cast<double>(set_a.size() + set_b.size()) - common, most,
              4 * std::sqrt(variance));
}

TEST(UnitsTest, MoreWeightOnlyAddsUnits) {
  std::mt19937_64 random(3);
  for (uint64_t feature = 0; feature < 200; ++feature) {
    std::set<uint64_t> before;
    for (double weight = 0; weight < 3; weight += .05) {
      const auto units = SetOf({feature}, {weight});
      EXPECT_TRUE(std::includes(units.begin(), units.end(), before.begin(), before.end()));
      EXPECT_GE(static_cast<double>(units.size()), std::floor(weight));
      EXPECT_LE(static_cast<double>(units.size()), std::ceil(weight));
      before = units;
    }
  }
}

TEST(UnitsTest, RepetitionsCountOnceUnlessEachTime) {
  EXPECT_EQ(UnitsOf({4, 4, 9}, {2, 2, 1}), (std::vector<uint64_t>{4, UnitsOf({4}, {2})[1], 4, 9}));
  EXPECT_EQ(SetOf({4, 4}, {2, 2}, kBag), SetOf({4}, {4}));
  EXPECT_EQ(SetOf({4, 4}, {1, 3}), SetOf({4}, {3}));
}

TEST(UnitsTest, WhatWeighsNothingIsNothing) {
  WeighedStream stream;
  ExpandUnits(std::vector<uint64_t>{4, 9}, std::vector<double>{0, 2}, {}, &stream);
  EXPECT_EQ(stream.units.size(), 2u);
  EXPECT_EQ(stream.places, (std::vector<uint32_t>{1, 1}));
  EXPECT_EQ(stream.features, std::vector<uint64_t>{9});
  EXPECT_EQ(stream.weights, std::vector<double>{2});
}

// docs/format/sketch-kinds-v1.md, "Weights as units", implemented a second time.
TEST(UnitsTest, AreThoseOfTheFormat) {
  const auto mix = [](uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
  };
  for (uint64_t f = 1; f < 200; ++f) {
    for (const double weight : {.25, .5, 1.75, 3.5}) {
      std::vector<uint64_t> expected;
      for (uint64_t j = 0; static_cast<double>(j) < weight; ++j) {
        const uint64_t unit = j == 0 ? f : mix(f + j * 0x9e3779b97f4a7c15);
        const double draw =
            (static_cast<double>(mix(unit ^ 0x5bd1e9955bd1e995) >> 11) + .5) / std::exp2(53);
        if (static_cast<double>(j) < std::floor(weight) || weight - static_cast<double>(j) > draw) {
          expected.push_back(unit);
        }
      }
      EXPECT_EQ(UnitsOf({f}, {weight}), expected);
    }
  }
}

Result<WeightTable> Read(std::string_view lines) {
  const auto fold = [](std::string_view word) {
    std::string folded(word);
    std::transform(folded.begin(), folded.end(), folded.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return folded;
  };
  return WeightTable::OfLines(lines, "w.tsv", fold, 100);
}

TEST(WeightTableTest, ReadsWordsAndTheOthers) {
  const auto table = Read("# rare words weigh more\n#rock\t50\nThe\t0\r\n\nrose\t2.5\n*\t7e-1\n");
  ASSERT_TRUE(table) << table.error().what;
  EXPECT_EQ(table->size(), 3u);
  EXPECT_EQ(table->Of("#rock"), 50);
  EXPECT_EQ(table->Of("the"), 0);
  EXPECT_EQ(table->Of("rose"), 2.5);
  EXPECT_EQ(table->Of("is"), .7);
  EXPECT_EQ(Read("a\t2")->Of("b"), 1);
  EXPECT_EQ(Read("a\t100\nb\t1e2")->Of("b"), 100);
  EXPECT_TRUE(Read("a\t2\nA\t2"));
}

TEST(WeightTableTest, ErrorsNameTheLine) {
  for (const char* wrong : {"a\t1\nb\t-1", "a\t1\nb\tnan", "a\t1\nb\t101", "a\t1\nb 1", "a\t1\n\t1",
                            "a\t1\nA\t2", "a\t1\nb\t1x", "a\t1\nb\t"}) {
    const auto table = Read(wrong);
    ASSERT_FALSE(table) << wrong;
    EXPECT_EQ(table.error().where, "w.tsv:2") << wrong;
  }
}

}  // namespace
}  // namespace lookalike
