#include "stages/sketch/weighted.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <vector>

#include "stages/sketch/sketch.h"

namespace lookalike {
namespace {

constexpr uint32_t kCoordinates = 1024;

struct Weighted {
  std::vector<uint64_t> features;
  std::vector<double> weights;
  operator WeightedFeatures() const { return {features, weights}; }
};

std::vector<uint32_t> SketchOf(const Weighted& of) {
  std::vector<uint32_t> sketch(kCoordinates);
  ConsistentSampling(kCoordinates).Run(of, sketch);
  return sketch;
}

double Agreement(const std::vector<uint32_t>& a, const std::vector<uint32_t>& b) {
  size_t equal = 0;
  for (size_t i = 0; i < a.size(); ++i) equal += a[i] == b[i];
  return static_cast<double>(equal) / static_cast<double>(a.size());
}

// Makes two vectors with 30 features, some on one side only; each `salt` makes different vectors.
std::pair<Weighted, Weighted> Make(uint64_t salt) {
  std::mt19937_64 random(salt);
  std::pair<Weighted, Weighted> pair;
  for (int i = 0; i < 30; ++i) {
    const uint64_t feature = random();
    const double both = std::ldexp(1 + static_cast<double>(random() % 1000), -7);
    if (i % 5 != 0) {
      pair.first.features.push_back(feature);
      pair.first.weights.push_back(both);
    }
    if (i % 7 != 0) {
      pair.second.features.push_back(feature);
      pair.second.weights.push_back(i % 3 == 0 ? both : both * (.25 + .125 * (i % 4)));
    }
  }
  return pair;
}

double TrueResemblance(const Weighted& a, const Weighted& b) {
  std::map<uint64_t, std::pair<double, double>> both;
  for (size_t i = 0; i < a.features.size(); ++i) both[a.features[i]].first = a.weights[i];
  for (size_t i = 0; i < b.features.size(); ++i) both[b.features[i]].second = b.weights[i];
  double least = 0, most = 0;
  for (const auto& [feature, weights] : both) {
    least += std::min(weights.first, weights.second);
    most += std::max(weights.first, weights.second);
  }
  return least / most;
}

// L26: P[match] = the sum of minima over the sum of maxima; J (1 - J) / K is its variance.
TEST(WeightedTest, MatchesAreTheWeightedResemblance) {
  double sum = 0, squares = 0, variance = 0;
  constexpr int kRounds = 100;
  for (int round = 0; round < kRounds; ++round) {
    const auto [a, b] = Make(round);
    const double truth = TrueResemblance(a, b);
    const double off = Agreement(SketchOf(a), SketchOf(b)) - truth;
    sum += off;
    squares += off * off;
    variance += truth * (1 - truth) / kCoordinates;
  }
  EXPECT_LT(std::abs(sum), 4 * std::sqrt(variance));
  EXPECT_NEAR(squares / variance, 1, 4 * std::sqrt(2. / kRounds));
}

// L26: scaling all weights of both sides does not change it. The same coordinates need not be
// equal.
TEST(WeightedTest, ScaleDoesNotMatter) {
  for (const double scale : {1e-30, .3, 7., 1e40}) {
    double sum = 0, variance = 0;
    for (int round = 0; round < 20; ++round) {
      auto [a, b] = Make(round);
      const double truth = TrueResemblance(a, b);
      for (Weighted* side : {&a, &b}) {
        for (double& weight : side->weights) weight *= scale;
      }
      sum += Agreement(SketchOf(a), SketchOf(b)) - truth;
      variance += truth * (1 - truth) / kCoordinates;
    }
    EXPECT_LT(std::abs(sum), 4 * std::sqrt(variance)) << scale;
  }
}

// L26: P[x is chosen] = its weight over the sum of all.
TEST(WeightedTest, FeaturesAreChosenByTheirWeight) {
  const Weighted some = {{11, 12, 13, 14}, {1, .5, 4, 2.5}};
  const ConsistentSampling sampling(kCoordinates);
  std::vector<double> chosen(4);
  for (uint32_t b = 0; b < kCoordinates; ++b) ++chosen[sampling.Choose(some, b)];
  for (size_t i = 0; i < 4; ++i) {
    const double p = some.weights[i] / 8;
    EXPECT_NEAR(chosen[i] / kCoordinates, p, 4 * std::sqrt(p * (1 - p) / kCoordinates)) << i;
  }
}

// L12, L15: a chosen feature stays chosen when others lose weight; more weight never raises a
// value.
TEST(WeightedTest, IsConsistent) {
  const ConsistentSampling sampling(kCoordinates);
  for (int round = 0; round < 20; ++round) {
    const auto [a, b] = Make(round);
    Weighted more = a;
    for (size_t i = 0; i < more.weights.size(); i += 2) more.weights[i] *= 1.75;
    const auto of_a = SketchOf(a), of_more = SketchOf(more);
    for (uint32_t coordinate = 0; coordinate < kCoordinates; ++coordinate) {
      EXPECT_LE(of_more[coordinate], of_a[coordinate]);
      const size_t chosen = sampling.Choose(more, coordinate);
      if (chosen % 2 == 1) {
        EXPECT_EQ(of_more[coordinate], of_a[coordinate]);
        EXPECT_EQ(sampling.Choose(a, coordinate), chosen);
      }
    }
  }
}

// L14: the least of each coordinate is the sketch of the union with the greater weights.
TEST(WeightedTest, MergesToTheUnion) {
  const auto [a, b] = Make(5);
  std::map<uint64_t, double> most;
  for (const Weighted& side : {a, b}) {
    for (size_t i = 0; i < side.features.size(); ++i) {
      double& weight = most[side.features[i]];
      weight = std::max(weight, side.weights[i]);
    }
  }
  Weighted both;
  for (const auto& [feature, weight] : most) {
    both.features.push_back(feature);
    both.weights.push_back(weight);
  }
  auto merged = SketchOf(a);
  MergeSketch(SketchOf(b), merged);
  EXPECT_EQ(merged, SketchOf(both));
}

// L17: without weights it is a sketch like the others; L18: disjoint sets share nothing.
TEST(WeightedTest, WithoutWeightsItEstimatesResemblance) {
  Sketcher sketcher({kCoordinates, SketchKind::kWeighted});
  std::mt19937_64 random(6);
  std::vector<uint64_t> all(150);
  for (uint64_t& feature : all) feature = random();
  const std::span features(all);
  const auto copy = [](std::span<const uint32_t> s) {
    return std::vector<uint32_t>(s.begin(), s.end());
  };
  const auto a = copy(sketcher.Run(features.first(100))),
             b = copy(sketcher.Run(features.last(100)));
  EXPECT_NEAR(Agreement(a, b), 1. / 3, 4 * std::sqrt(2. / 9 / kCoordinates));
  EXPECT_EQ(
      Agreement(copy(sketcher.Run(features.first(50))), copy(sketcher.Run(features.last(50)))), 0);
  const Weighted ones = {{all.begin(), all.begin() + 100}, std::vector<double>(100, 1.)};
  EXPECT_EQ(copy(sketcher.RunWeighted(ones)), a);
  EXPECT_EQ(SketchOf(ones), a);
}

TEST(WeightedTest, EstimatesTheSumOfWeights) {
  const Weighted some = {{1, 2, 3}, {200, 50.5, .5}};
  EXPECT_NEAR(EstimateFeatures(SketchKind::kWeighted, SketchOf(some)) / 251, 1,
              4 / std::sqrt(kCoordinates));
}

TEST(WeightedTest, ExtremeWeightsAreClamped) {
  const Weighted tiny = {{1}, {1e-300}}, least = {{1}, {1e-100}};
  EXPECT_EQ(SketchOf(tiny), SketchOf(least));
  const Weighted huge = {{1, 2}, {1e300, 1e-100}}, greatest = {{1, 2}, {1e100, 1e-100}};
  EXPECT_EQ(SketchOf(huge), SketchOf(greatest));
  for (const uint32_t value : SketchOf(tiny))
    EXPECT_TRUE(IsCoordinate(SketchKind::kWeighted, value));
  EXPECT_FALSE(IsCoordinate(SketchKind::kWeighted, 0x7ff00000));
}

// The bits are part of the fingerprint.
TEST(WeightedTest, BitsArePinned) {
  const auto [a, b] = Make(1);
  uint64_t sum = 0;
  for (const uint32_t value : SketchOf(a)) sum = sum * 31 + value;
  EXPECT_EQ(sum, 1401776718934333191u);
}

}  // namespace
}  // namespace lookalike
