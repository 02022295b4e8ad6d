// Checks that the features sampled by sketches are drawn evenly, and that the number of equal
// coordinates follows a binomial distribution.
//
// Trials are independent sets of random features; all bounds are 4 to 4.5 standard errors.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "measures/binomial.h"
#include "stages/sketch/set_sketch.h"
#include "stages/sketch/sketch.h"
#include "statistical/sketch_pairs.h"

namespace lookalike {
namespace {

std::vector<uint64_t> RandomFeatures(size_t count, std::mt19937_64* random) {
  std::vector<uint64_t> features(count);
  for (uint64_t& feature : features) feature = (*random)();
  return features;
}

std::vector<uint32_t> SketchOf(Sketcher* sketcher, std::span<const uint64_t> features) {
  const auto sketch = sketcher->Run(features);
  return {sketch.begin(), sketch.end()};
}

class SamplingLawsTest : public ::testing::TestWithParam<SketchKind> {};

// L11, L13, and L25 for the biased scheme: the feature sampled by a coordinate is in the set, and
// each of n is sampled equally often. Bins filled by a copy do not change this.
TEST_P(SamplingLawsTest, L11EachFeatureIsSampledEquallyOften) {
  constexpr uint32_t kCoordinates = 128;
  constexpr int kTrials = 400;
  Sketcher sketcher({kCoordinates, GetParam()});
  std::mt19937_64 random(11);
  for (const size_t n : {2U, 5U, 200U}) {
    // The position of a feature in the stream represents it: a bias to some position, or to the
    // lesser of two hashes, would show. The largest sets are divided into ten groups of positions.
    const size_t groups = std::min<size_t>(n, 10);
    std::vector<double> chosen(groups, 0);
    double samples = 0;
    for (int trial = 0; trial < kTrials / (n > 10 ? 20 : 1); ++trial) {
      std::vector<uint64_t> features = RandomFeatures(n, &random);
      std::sort(features.begin(), features.end());
      const auto all = SketchOf(&sketcher, features);
      std::vector<bool> found(kCoordinates, false);
      for (size_t i = 0; i < n; ++i) {
        const auto alone = SketchOf(&sketcher, {&features[i], 1});
        for (uint32_t c = 0; c < kCoordinates; ++c) {
          if (all[c] == kEmptyBin) continue;
          // A bin may have taken its value from another, so all bins are searched.
          const bool is = IsMergeable(GetParam())
                              ? alone[c] == all[c]
                              : std::find(alone.begin(), alone.end(), all[c]) != alone.end();
          if (!is || found[c]) continue;
          found[c] = true;
          ++chosen[i * groups / n];
          ++samples;
        }
      }
      for (uint32_t c = 0; c < kCoordinates; ++c) {
        ASSERT_TRUE(found[c] || all[c] == kEmptyBin) << "the sample is of the set";
      }
    }
    // Coordinates of one set are nearly independent; those that take copies are not, so twice the
    // error is allowed.
    const double share = 1 / static_cast<double>(groups);
    const double error = std::sqrt(share * (1 - share) / samples);
    const double slack = IsMergeable(GetParam()) ? 4.5 : 9;
    for (const double count : chosen) {
      EXPECT_NEAR(count / samples, share, slack * error + 1e-12) << n << " features";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, SamplingLawsTest, ::testing::ValuesIn(AllKinds()),
                         [](const auto& test) {
                           std::string name = ToString({16, test.param});
                           std::erase_if(name, [](char c) { return c == '-' || c == ':'; });
                           return name;
                         });

double OffByMoreThan(double bound, uint32_t k, double j) {
  const std::vector<double> probability = Binomial(k, j);
  double sum = 0;
  for (uint32_t m = 0; m <= k; ++m) {
    if (std::abs(m / static_cast<double>(k) - j) > bound + 1e-12) sum += probability[m];
  }
  return sum;
}

TEST(MatchCountTest, L17BinomialOf100) {
  EXPECT_NEAR(OffByMoreThan(.1, 100, .3), .0214, 5e-5);
  EXPECT_NEAR(OffByMoreThan(.1, 100, .5), .0352, 5e-5);
  EXPECT_NEAR(OffByMoreThan(.1, 100, .8), .0084, 5e-5);
  EXPECT_NEAR(OffByMoreThan(.1, 100, .9), .0008, 5e-5);
}

// Equal coordinates of independent functions are Bin(K, J): checks how often the estimate is off by
// more than .1 and .05, and the mean and the variance of the count.
TEST(MatchCountTest, L17MatchesAreBinomial) {
  constexpr uint32_t kCoordinates = 128;
  constexpr int kTrials = 5000;
  for (const auto& [common, only] : {std::pair(18, 21), {50, 25}, {80, 10}}) {
    const double j = common / static_cast<double>(common + 2 * only);
    Sketcher sketcher({kCoordinates, SketchKind::kPermutations});
    PairMaker pairs(Source::kRandom, common, only, 17);
    std::vector<uint64_t> a, b;
    double off_10 = 0, off_5 = 0;
    for (int trial = 0; trial < kTrials; ++trial) {
      pairs.Draw(&a, &b);
      const auto x = SketchOf(&sketcher, a), y = SketchOf(&sketcher, b);
      double equal = 0;
      for (uint32_t c = 0; c < kCoordinates; ++c) equal += x[c] == y[c];
      const double error = std::abs(equal / kCoordinates - j);
      off_10 += error > .1 + 1e-12, off_5 += error > .05 + 1e-12;
    }
    for (const auto& [bound, off] : {std::pair(.1, off_10), {.05, off_5}}) {
      const double p = OffByMoreThan(bound, kCoordinates, j);
      EXPECT_NEAR(off / kTrials, p, 4.5 * std::sqrt(p * (1 - p) / kTrials)) << j << " " << bound;
    }
  }
}

// L18 for samples: with nothing in common the estimate is 0, with everything in common 1, whatever
// was drawn.
TEST(SampleLawsTest, L18DisjointAndEqualSetsAreExact) {
  std::mt19937_64 random(18);
  for (const SetSketchSpec& spec : {SetSketchSpec{SetSketchKind::kBottomK, 16},
                                    {SetSketchKind::kModM, 4},
                                    {SetSketchKind::kFracMinHash, 4}}) {
    for (const size_t n : {1U, 10U, 100U, 3000U}) {
      const auto a = RandomFeatures(n, &random), b = RandomFeatures(n, &random);
      const auto x = SampleFeatures(spec, a), y = SampleFeatures(spec, b);
      EXPECT_EQ(Look(spec, x, y).common, 0u) << ToString(spec);
      EXPECT_EQ(Look(spec, x, x).common, Look(spec, x, x).seen) << ToString(spec);
      if (n == 3000) {
        EXPECT_GT(Look(spec, x, y).seen, 0u);
      }
    }
  }
}

}  // namespace
}  // namespace lookalike
