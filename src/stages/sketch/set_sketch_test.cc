#include "stages/sketch/set_sketch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <vector>

namespace lookalike {
namespace {

using Kind = SetSketchKind;

std::vector<uint64_t> Numbers(uint64_t begin, uint64_t end, uint64_t factor = 1) {
  std::vector<uint64_t> features;
  for (uint64_t i = begin; i < end; ++i) features.push_back(i * factor);
  return features;
}

TEST(SetSketchTest, Names) {
  EXPECT_EQ(ParseSetSketch("bottom-k:64"), (SetSketchSpec{Kind::kBottomK, 64}));
  EXPECT_EQ(ParseSetSketch("mod-m"), (SetSketchSpec{Kind::kModM, 16}));
  for (const char* text : {"bottom-k:1", "mod-m:4294967295", "fracminhash:1000"}) {
    EXPECT_EQ(ToString(*ParseSetSketch(text)), text);
  }
  for (const char* text : {"bottom-k:", "bottom-k:0", "bottom-k:4294967296", "mod-m:x", "fss:128",
                           "bottom-k:1:2", ""}) {
    EXPECT_FALSE(ParseSetSketch(text)) << text;
  }
  EXPECT_TRUE(NamesSetSketch("bottom-k:x"));
  EXPECT_FALSE(NamesSetSketch("bottom"));
}

// Against the definitions, for sets of many sizes.
TEST(SetSketchTest, SamplesAreWhatTheyAreSaidToBe) {
  for (const uint64_t size : {0ULL, 1ULL, 5ULL, 100ULL, 128ULL, 129ULL, 200ULL, 5000ULL}) {
    const auto features = Numbers(7, 7 + size);
    std::vector<uint64_t> orders;
    for (const uint64_t f : features) orders.push_back(OrderOf(f));
    std::sort(orders.begin(), orders.end());
    std::vector<uint64_t> modulo, first;
    for (const uint64_t o : orders) {
      if (o % 10 == 0) modulo.push_back(o);
      if (static_cast<double>(o) < 0x1p64 / 10) first.push_back(o);
    }
    EXPECT_EQ(SampleFeatures({Kind::kModM, 10}, features), modulo);
    EXPECT_EQ(SampleFeatures({Kind::kFracMinHash, 10}, features), first);
    orders.resize(std::min<size_t>(orders.size(), 128));
    EXPECT_EQ(SampleFeatures({Kind::kBottomK, 128}, features), orders);
  }
}

// The least values are not in the first part that is searched.
TEST(SetSketchTest, LeastOnesThatAreLarge) {
  std::vector<uint64_t> features, orders;
  for (uint64_t f = 0; features.size() < 1000; ++f) {
    if (OrderOf(f) < UINT64_MAX / 4) continue;
    features.push_back(f);
    orders.push_back(OrderOf(f));
  }
  std::sort(orders.begin(), orders.end());
  orders.resize(16);
  EXPECT_EQ(SampleFeatures({Kind::kBottomK, 16}, features), orders);
}

TEST(SetSketchTest, TheFirstPartEndsWhereItIsSaidTo) {
  const SetSketchSpec first{Kind::kFracMinHash, 10}, modulo{Kind::kModM, 10};
  EXPECT_TRUE(IsSampled(first, UINT64_MAX / 10));
  EXPECT_FALSE(IsSampled(first, UINT64_MAX / 10 + 1));
  EXPECT_TRUE(IsSampled({Kind::kFracMinHash, 1}, UINT64_MAX));
  EXPECT_TRUE(IsSampled(modulo, 0));
  EXPECT_FALSE(IsSampled(modulo, 9));
}

TEST(SetSketchTest, RepetitionsAndOrderChangeNothing) {
  const auto features = Numbers(0, 1000);
  auto more = features;
  more.insert(more.end(), features.rbegin(), features.rend());
  for (const Kind kind : {Kind::kBottomK, Kind::kModM, Kind::kFracMinHash}) {
    EXPECT_EQ(SampleFeatures({kind, 20}, more), SampleFeatures({kind, 20}, features));
  }
}

// L14: the sample of a union from the samples of its parts, however it is cut.
TEST(SetSketchTest, MergersAreSamplesOfUnions) {
  std::mt19937_64 random(1);
  for (const SetSketchSpec& spec :
       {SetSketchSpec{Kind::kBottomK, 50}, {Kind::kModM, 7}, {Kind::kFracMinHash, 7}}) {
    for (int round = 0; round < 50; ++round) {
      const auto whole = Numbers(0, random() % 400);
      std::vector<uint64_t> parts[3], merged;
      for (const uint64_t f : whole) {
        parts[random() % 3].push_back(f);
        if (random() % 4 == 0) parts[random() % 3].push_back(f);
      }
      for (const auto& part : parts) {
        merged = MergeSamples(spec, merged, SampleFeatures(spec, part));
      }
      EXPECT_EQ(merged, SampleFeatures(spec, whole));
    }
  }
}

// L20: a sample by a multiple of M is a subset of the sample by M.
TEST(SetSketchTest, MultiplesOfMSampleLess) {
  const auto features = Numbers(0, 10'000);
  for (const Kind kind : {Kind::kModM, Kind::kFracMinHash}) {
    const auto more = SampleFeatures({kind, 4}, features);
    const auto less = SampleFeatures({kind, 12}, features);
    EXPECT_TRUE(std::includes(more.begin(), more.end(), less.begin(), less.end()));
    EXPECT_NEAR(static_cast<double>(more.size()), 2500, 4 * std::sqrt(2500 * .75));
    EXPECT_NEAR(static_cast<double>(less.size()), 10'000 / 12.0, 4 * std::sqrt(10'000 / 12.0));
  }
}

// Golden facts 2.14: A = {0..4}, B = {3..6}, J = 2/7, over all orders of seven features. A sample
// is determined by its values, so the orders can be tried without a hash.
TEST(SetSketchTest, Facts214BottomTThroughTheUnion) {
  std::vector<uint64_t> order = {0, 1, 2, 3, 4, 5, 6};
  double mean[5] = {}, square[5] = {}, naive[5] = {};
  double orders = 0;
  do {
    ++orders;
    for (uint64_t t = 1; t <= 4; ++t) {
      std::vector<uint64_t> a, b;
      for (uint64_t f = 0; f < 7; ++f) {
        if (f <= 4) a.push_back(order[f]);
        if (f >= 3) b.push_back(order[f]);
      }
      std::sort(a.begin(), a.end());
      std::sort(b.begin(), b.end());
      a.resize(std::min<size_t>(a.size(), t));
      b.resize(std::min<size_t>(b.size(), t));
      const SampledUnion look = Look({Kind::kBottomK, t}, a, b);
      const double j = static_cast<double>(look.common) / static_cast<double>(look.seen);
      mean[t] += j;
      square[t] += j * j;
      std::vector<uint64_t> common, both;
      std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(common));
      std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
      naive[t] += static_cast<double>(common.size()) / static_cast<double>(both.size());
    }
  } while (std::next_permutation(order.begin(), order.end()));
  const double variance[5] = {0, 10.0 / 49, 25.0 / 294, 20.0 / 441, 5.0 / 196};
  const double biased[5] = {0, 2.0 / 7, 0.2444, 0.2486, 0.2571};
  for (int t = 1; t <= 4; ++t) {
    const double m = mean[t] / orders;
    EXPECT_NEAR(m, 2.0 / 7, 1e-12) << t;
    EXPECT_NEAR(square[t] / orders - m * m, variance[t], 1e-12) << t;
    // L19: the bias of the samples' own resemblance.
    EXPECT_NEAR(naive[t] / orders, biased[t], 5e-5) << t;
  }
}

// Golden facts 2.14: for features that are kept independently with probability 1/m, the ratio is
// unbiased if the sample is not empty, which has probability 1 - (1 - 1/m)^u. The same holds for
// containment.
TEST(SetSketchTest, Facts214ModM) {
  const double keep = 1.0 / 3;
  double empty = 0, mean = 0, a_in_b = 0, a_seen = 0, b_in_a = 0, b_seen = 0;
  for (uint32_t kept = 0; kept < 128; ++kept) {
    double probability = 1;
    std::vector<uint64_t> a, b;
    for (uint64_t f = 0; f < 7; ++f) {
      const bool here = (kept >> f & 1) != 0;
      probability *= here ? keep : 1 - keep;
      if (here && f <= 4) a.push_back(f);
      if (here && f >= 3) b.push_back(f);
    }
    const SampledUnion look = Look({Kind::kModM, 3}, a, b);
    if (look.seen == 0) empty += probability;
    const auto share = [&](uint64_t of) {
      return static_cast<double>(look.common) / static_cast<double>(of);
    };
    if (look.seen > 0) mean += probability * share(look.seen);
    if (look.in_a > 0) a_in_b += probability * share(look.in_a), a_seen += probability;
    if (look.in_b > 0) b_in_a += probability * share(look.in_b), b_seen += probability;
  }
  EXPECT_NEAR(empty, 128.0 / 2187, 1e-12);
  EXPECT_NEAR(mean / (1 - empty), 2.0 / 7, 1e-12);
  EXPECT_NEAR(a_in_b / a_seen, 2.0 / 5, 1e-12);
  EXPECT_NEAR(b_in_a / b_seen, 1.0 / 2, 1e-12);
}

// L17, L19, L20: bias below four standard errors and the variance of theory, for random and for
// structured features.
TEST(SetSketchTest, EstimatesAreUnbiasedWithTheVarianceOfTheory) {
  constexpr int kRounds = 2000;
  constexpr uint64_t kCommon = 300, kOwn = 150, kUnion = kCommon + 2 * kOwn;
  constexpr double kJ = static_cast<double>(kCommon) / kUnion;
  for (const SetSketchSpec& spec :
       {SetSketchSpec{Kind::kBottomK, 64}, {Kind::kModM, 8}, {Kind::kFracMinHash, 8}}) {
    for (const bool structured : {false, true}) {
      double sum = 0, squares = 0, sizes = 0;
      for (int round = 0; round < kRounds; ++round) {
        const uint64_t base = structured ? uint64_t(round) * 1'000'000 : OrderOf(uint64_t(round));
        const uint64_t step = structured ? 1 : 0x9e3779b97f4a7c15;
        std::vector<uint64_t> a, b;
        for (uint64_t i = 0; i < kUnion; ++i) {
          const uint64_t feature = base + i * step;
          if (i < kCommon + kOwn) a.push_back(feature);
          if (i < kCommon || i >= kCommon + kOwn) b.push_back(feature);
        }
        const auto of_a = SampleFeatures(spec, a), of_b = SampleFeatures(spec, b);
        const SampledUnion look = Look(spec, of_a, of_b);
        const double j = static_cast<double>(look.common) / static_cast<double>(look.seen);
        sum += j;
        squares += j * j;
        sizes += EstimateFeatures(spec, of_a);
      }
      const double mean = sum / kRounds, variance = squares / kRounds - mean * mean;
      const bool bottom = spec.kind == Kind::kBottomK;
      const double t = bottom ? static_cast<double>(spec.parameter) : kUnion / 8.0;
      double expected = kJ * (1 - kJ) / t;
      if (bottom) expected *= (kUnion - t) / (kUnion - 1);
      if (!bottom) expected *= (1 - 1.0 / 8) * (1 + (1 - 1.0 / 8) / t);  // E[1/n] of n samples
      EXPECT_NEAR(mean, kJ, 4 * std::sqrt(expected / kRounds)) << ToString(spec);
      EXPECT_NEAR(variance / expected, 1, 0.14) << ToString(spec);  // 4.4 standard errors
      EXPECT_NEAR(sizes / kRounds / (kCommon + kOwn), 1, 0.02) << ToString(spec);
    }
  }
}

// The examined part ends with the K-th least of the union, whichever side it comes from.
TEST(SetSketchTest, TheLastThatIsSeen) {
  const SetSketchSpec spec{Kind::kBottomK, 8};
  for (uint64_t begin = 0; begin < 2000; begin += 100) {
    const auto a = SampleFeatures(spec, Numbers(begin, begin + 40));
    const auto b = SampleFeatures(spec, Numbers(begin + 40, begin + 80));
    const auto both = SampleFeatures(spec, Numbers(begin, begin + 80));
    const SampledUnion look = Look(spec, a, b);
    EXPECT_EQ(look.seen, 8u);
    EXPECT_EQ(look.last, both.back());
    EXPECT_EQ(look.in_a + look.in_b, 8u);
  }
}

TEST(SetSketchTest, FeaturesAreCountedWithoutBias) {
  constexpr int kRounds = 4000;
  constexpr uint64_t kFeatures = 500;
  for (const SetSketchSpec& spec :
       {SetSketchSpec{Kind::kBottomK, 16}, {Kind::kModM, 32}, {Kind::kFracMinHash, 32}}) {
    double sum = 0, squares = 0;
    for (uint64_t round = 0; round < kRounds; ++round) {
      const auto features = Numbers(round * kFeatures, (round + 1) * kFeatures);
      const double estimate = EstimateFeatures(spec, SampleFeatures(spec, features)) / kFeatures;
      sum += estimate, squares += estimate * estimate;
    }
    const double mean = sum / kRounds, variance = squares / kRounds - mean * mean;
    EXPECT_NEAR(mean, 1, 4 * std::sqrt(variance / kRounds)) << ToString(spec);
    // 1 / (K - 2) for uniform minima (Chassaing and Gerin 2006), (M - 1) / n for independent
    // choices.
    const double expected = spec.kind == Kind::kBottomK ? 1 / 14. : 31. / kFeatures;
    EXPECT_NEAR(variance / expected, 1, .15) << ToString(spec);
  }
}

// L18, L19: seeing all of a union tells exactly how alike the sets are.
TEST(SetSketchTest, SmallSetsAreExact) {
  const SetSketchSpec spec{Kind::kBottomK, 64};
  const auto a = SampleFeatures(spec, Numbers(0, 30)), b = SampleFeatures(spec, Numbers(10, 40));
  const SampledUnion look = Look(spec, a, b);
  EXPECT_TRUE(look.whole);
  EXPECT_EQ(look.common, 20u);
  EXPECT_EQ(look.seen, 40u);
  EXPECT_EQ(EstimateFeatures(spec, a), 30);
  EXPECT_FALSE(Look(spec, a, SampleFeatures(spec, Numbers(0, 64))).whole);
  // Even if the union has more than K features.
  const auto more = SampleFeatures(spec, Numbers(0, 50)),
             others = SampleFeatures(spec, Numbers(20, 70));
  EXPECT_EQ(Look(spec, more, others).seen, 70u);
  EXPECT_EQ(Look(spec, more, others).common, 30u);
  for (const Kind kind : {Kind::kModM, Kind::kFracMinHash}) {
    const auto all = SampleFeatures({kind, 1}, Numbers(0, 30));
    EXPECT_EQ(all.size(), 30u);
    EXPECT_TRUE(Look({kind, 1}, all, all).whole);
    EXPECT_FALSE(Look({kind, 2}, all, all).whole);
  }
}

}  // namespace
}  // namespace lookalike
