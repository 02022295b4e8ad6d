// The way in which every kind of sketch counts and fills empty bins, and counts features.
// sketch_grid_test.cc has bias and variance of all kinds.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "stages/sketch/sketch.h"
#include "statistical/sketch_pairs.h"

namespace lookalike {
namespace {

constexpr double kSigmas = 4;

// Measures matches / (bins - both empty), for sets so small that most bins are empty.
Measured MeasureBins(PairMaker* pairs, uint32_t k, double j, int trials, bool counts_both_empty,
                     bool of_all) {
  Sketcher sketcher({k, SketchKind::kBins});
  std::vector<uint64_t> a, b;
  std::vector<double> errors;
  for (int trial = 0; trial < trials; ++trial) {
    pairs->Draw(&a, &b);
    const Row row = sketcher.Run(a);
    const std::vector<uint32_t> of_a(row.begin(), row.end());
    const Row of_b = sketcher.Run(b);
    double equal = 0, both_empty = 0;
    for (uint32_t c = 0; c < k; ++c) {
      const bool none = of_a[c] == kEmptyBin && of_b[c] == kEmptyBin;
      both_empty += none;
      equal += of_a[c] == of_b[c] && (counts_both_empty || !none);
    }
    errors.push_back(equal / (k - (of_all || counts_both_empty ? 0 : both_empty)) - j);
  }
  return Summarize(errors);
}

TEST(BinsStatisticsTest, ExactlyUnbiasedOverBinsThatAreNotBothEmpty) {
  for (const uint32_t k : {16U, 128U, 1024U}) {
    for (const uint32_t n : {1U, 5U, 50U, 500U}) {
      PairMaker pairs(Source::kRandom, 2 * n, n, k + n);
      const Measured m = MeasureBins(&pairs, k, .5, 4000, false, false);
      EXPECT_LE(std::abs(m.bias), kSigmas * m.bias_error) << k << " " << n;
      EXPECT_LE(m.mse, 1.1 * .25 / std::min<double>(k, 2 * n) + kSigmas * m.mse_error);
      if (n > k / 16) continue;
      EXPECT_GT(MeasureBins(&pairs, k, .5, 100, true, false).bias, .1) << "empty is no match";
      EXPECT_LT(MeasureBins(&pairs, k, .5, 100, false, true).bias, -.1) << "nor a difference";
    }
  }
}

TEST(BinsStatisticsTest, EmptyBinsAreAsManyAsExpected) {
  Sketcher sketcher({128, SketchKind::kBins});
  for (const size_t n : {50, 200, 500}) {
    PairMaker pairs(Source::kRandom, n, 0, n);
    std::vector<uint64_t> a, b;
    double empty = 0;
    for (int i = 0; i < 1000; ++i) {
      pairs.Draw(&a, &b);
      for (const uint32_t value : sketcher.Run(a)) empty += value == kEmptyBin;
    }
    EXPECT_NEAR(empty / 1000, 128 * std::pow(1 - 1 / 128., n), .6) << n;
  }
}

// Coordinates agree in the share of the resemblance, though with up to 1.8 times the variance if
// few bins are filled.
TEST(DensifiedStatisticsTest, UnbiasedAtEverySize) {
  for (const uint32_t k : {16U, 128U, 1024U}) {
    for (const uint32_t n : {1U, 3U, 30U, 300U}) {
      PairMaker pairs(Source::kRandom, 2 * n, n, k + n);
      const Measured m = Measure(&pairs, {k, SketchKind::kDensifiedBins}, .5, k > 512 ? 500 : 4000);
      EXPECT_LE(std::abs(m.bias), kSigmas * m.bias_error) << k << " " << n;
      // Few features are chosen again and again: the estimate is as good as one from that many
      // coordinates.
      EXPECT_LE(m.mse / (.25 / k), 1.1 + k / (2. * n) + kSigmas * m.mse_error / (.25 / k));
    }
  }
}

TEST(CountStatisticsTest, FeaturesAreCountedByEveryKind) {
  for (const SketchKind kind : AllKinds()) {
    Sketcher sketcher({128, kind});
    for (const size_t n : {1, 5, 60, 700}) {
      PairMaker pairs(Source::kRandom, n, 0, n);
      std::vector<uint64_t> a, b;
      std::vector<double> errors;
      for (int trial = 0; trial < 300; ++trial) {
        pairs.Draw(&a, &b);
        errors.push_back(EstimateFeatures(kind, sketcher.Run(a)) / static_cast<double>(n) - 1);
      }
      const Measured m = Summarize(errors);
      const std::string what =
          fmt::format("{} of {}: {} +- {}", ToString({128, kind}), n, m.bias, m.bias_error);
      EXPECT_LE(std::abs(m.bias), kSigmas * m.bias_error + 1 / 128.) << what;
      EXPECT_LE(m.mse, 1.1 / 126 + kSigmas * m.mse_error) << what;
    }
  }
}

}  // namespace
}  // namespace lookalike
