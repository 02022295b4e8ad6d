// The sketch's promise: a coordinate of two sets is equal with probability = their resemblance.
//
// Trials are independent pairs of sets. Bias may not exceed 4.5 standard errors of its own spread
// (one false alarm in 150,000 checks), and the mean square error may not exceed 1.1 times a plain
// minhash's J(1-J)/K plus 4.5 standard errors. Seeds are fixed, so that a failure repeats.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "stages/sketch/sketch.h"
#include "statistical/sketch_pairs.h"

namespace lookalike {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr uint64_t kWork = 400'000;  // features times pairs that one measurement may cost
#else
constexpr uint64_t kWork = 4'000'000;
#endif
constexpr double kSigmas = 4.5;

struct Case {
  Source source;
  SketchKind kind;
};

// `common` of `common + 2 only` features are shared.
void Check(const Case& given, uint32_t k, size_t common, size_t only) {
  const size_t all = common + 2 * only;
  const double j = static_cast<double>(common) / static_cast<double>(all);
  const uint64_t trials = std::clamp<uint64_t>(kWork / (all + 6 * k), 100, 4000);
  PairMaker pairs(given.source, common, only, 7 * k + all);
  const Measured m = Measure(&pairs, {k, given.kind}, j, trials);
  EXPECT_LE(std::abs(m.bias), kSigmas * m.bias_error)
      << "K " << k << ", " << common << " of " << all << " in common";
  EXPECT_LE(m.mse, 1.1 * j * (1 - j) / k + kSigmas * m.mse_error)
      << "K " << k << ", " << common << " of " << all << " in common";
}

class SketchStatisticsTest : public ::testing::TestWithParam<Case> {};

TEST_P(SketchStatisticsTest, UnbiasedAndNoWiderThanMinhash) {
  for (uint32_t k = 16; k <= 1024; k *= 2) {
    for (const size_t n : {size_t{1}, size_t{4}, size_t{13}, size_t{50}, size_t{200}}) {
      Check(GetParam(), k, 1 * n, 1 * n);  // J = 1/3
      Check(GetParam(), k, 8 * n, 1 * n);  // J = .8
    }
  }
}

TEST_P(SketchStatisticsTest, LargeSets) {
  for (const uint32_t k : {16U, 128U, 1024U}) {
    Check(GetParam(), k, 1400, 300);
    Check(GetParam(), k, 1900, 50);
    Check(GetParam(), k, 100, 950);
  }
}

TEST_P(SketchStatisticsTest, TinySets) {
  for (const uint32_t k : {16U, 128U, 1024U}) {
    Check(GetParam(), k, 1, 1);  // two features each, one in common
    Check(GetParam(), k, 2, 1);
    Check(GetParam(), k, 1, 3);
  }
}

// Relative to minhash's variance. Fast Similarity Sketching has half of it if there are about as
// many features as coordinates, .55 when cut to 16 rounds; bins with a fresh fill have .76 and .98
// for the second and third case, and permutations are minhash. A lost round would show.
TEST_P(SketchStatisticsTest, VarianceIsThatOfItsKind) {
  const struct {
    size_t common, only;
    double least[3], most[3];  // mean square error / minhash's, by kind
  } cases[] = {{80, 10, {.45, .92, .50}, {.64, 1.08, .75}},
               {24, 3, {.42, .92, .68}, {.60, 1.08, .87}},
               {8, 1, {.44, .92, .86}, {.66, 1.08, 1.06}}};
  const size_t kind = static_cast<size_t>(GetParam().kind) - 1;
  for (const auto& c : cases) {
    const double j = static_cast<double>(c.common) / static_cast<double>(c.common + 2 * c.only);
    PairMaker pairs(GetParam().source, c.common, c.only, 11);
    const uint64_t trials = kWork / 1000;
    const Measured m = Measure(&pairs, {128, GetParam().kind}, j, trials);
    const double minhash = j * (1 - j) / 128;
    const double slack = kSigmas * m.mse_error / minhash;
    EXPECT_LE(m.mse / minhash, c.most[kind] + slack) << c.common;
    EXPECT_GE(m.mse / minhash, c.least[kind] - slack) << c.common;
  }
}

TEST_P(SketchStatisticsTest, NothingInCommonIsNothingEqual) {
  for (const size_t n : {size_t{1}, size_t{10}, size_t{100}, size_t{1000}}) {
    PairMaker pairs(GetParam().source, 0, n, n);
    const Measured m = Measure(&pairs, {128, GetParam().kind}, 0, 100);
    EXPECT_LE(m.mse * 100 * 128 * 128, 2) << "equal coordinates by accident";
  }
}

TEST_P(SketchStatisticsTest, AllInCommonIsAllEqual) {
  for (const size_t n : {size_t{1}, size_t{10}, size_t{100}, size_t{1000}}) {
    PairMaker pairs(GetParam().source, n, 0, n);
    EXPECT_EQ(Measure(&pairs, {128, GetParam().kind}, 1, 50).mse, 0);
  }
}

// The estimate is unbiased for independent coordinates. Those of binned rounds repel one another,
// so that the estimate is too small there by up to .6 parts in K, and scatters less.
TEST_P(SketchStatisticsTest, FeaturesAreCounted) {
  for (const uint32_t k : {16U, 128U, 1024U}) {
    for (const size_t n : {1, 2, 5, 20, 60, 150, 700, 5000}) {
      const uint64_t trials = std::clamp<uint64_t>(kWork / (n + 6 * k), 100, 4000);
      PairMaker pairs(GetParam().source, n, 0, 5 * k + n);
      const SketchSpec spec{k, GetParam().kind};
      Sketcher sketcher(spec);
      std::vector<uint64_t> a, b;
      double sum = 0, squares = 0;
      for (uint64_t trial = 0; trial < trials; ++trial) {
        pairs.Draw(&a, &b);
        const double relative =
            EstimateFeatures(spec.kind, sketcher.Run(a)) / static_cast<double>(n) - 1;
        sum += relative, squares += relative * relative;
      }
      const auto count = static_cast<double>(trials);
      const double spread = std::sqrt(squares / count), bias = sum / count;
      const double known = spec.kind == SketchKind::kPermutations ? 0 : .7 / k;
      EXPECT_LE(std::abs(bias), kSigmas * spread / std::sqrt(count) + known) << k << ": " << n;
      // The standard error of a spread is about spread / sqrt(2 trials), more for heavy tails.
      EXPECT_LE(spread, (1 + 2 * kSigmas / std::sqrt(2 * count)) / std::sqrt(k - 2.0))
          << k << ": " << n;
    }
  }
}

std::vector<Case> AllCases() {
  std::vector<Case> cases;
  for (const Source source : {Source::kRandom, Source::kStructured}) {
    for (const SketchKind kind :
         {SketchKind::kFss, SketchKind::kPermutations, SketchKind::kOnePermutation}) {
      cases.push_back({source, kind});
    }
  }
  return cases;
}

std::string CaseName(const ::testing::TestParamInfo<Case>& test) {
  std::string name = ToString({128, test.param.kind});
  name.resize(name.find(':'));
  std::erase(name, '-');
  return name + (test.param.source == Source::kRandom ? "Random" : "Structured");
}

INSTANTIATE_TEST_SUITE_P(Features, SketchStatisticsTest, ::testing::ValuesIn(AllCases()), CaseName);

// Coordinates of disjoint bands must be independent enough for the acceptance curve: the share of
// equal pairs of coordinates is J^2 or a little less (they are drawn from bins without overlap).
TEST(SketchPairsTest, NeighbouringCoordinatesAgreeTogetherAsOftenAsIndependentOnes) {
  constexpr uint32_t kCoordinates = 128;
  const double j = .8;
  PairMaker pairs(Source::kRandom, 160, 20, 3);
  Sketcher sketcher(SketchSpec{kCoordinates});
  std::vector<uint64_t> a, b;
  std::vector<double> shares;
  for (uint64_t trial = 0; trial < kWork / 2000; ++trial) {
    pairs.Draw(&a, &b);
    const auto span = sketcher.Run(a);
    const std::vector<uint32_t> x(span.begin(), span.end());
    const auto y = sketcher.Run(b);
    double both = 0;
    for (uint32_t c = 0; c < kCoordinates; c += 2) both += x[c] == y[c] && x[c + 1] == y[c + 1];
    shares.push_back(both / (kCoordinates / 2.0));
  }
  double sum = 0, squares = 0;
  for (const double share : shares) sum += share, squares += share * share;
  const auto n = static_cast<double>(shares.size());
  const double mean = sum / n, error = std::sqrt((squares / n - mean * mean) / n);
  EXPECT_NEAR(mean, j * j, kSigmas * error + .003);
}

}  // namespace
}  // namespace lookalike
