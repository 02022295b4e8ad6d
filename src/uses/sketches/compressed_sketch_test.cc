#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "format/sketch_bytes.h"
#include "lookalike/sketch.h"
#include "measures/binomial.h"

namespace lookalike {
namespace {

Options With(const std::string& sketch) {
  Options options;
  options.sketch = sketch;
  return options;
}

Sketch Of(const std::vector<uint64_t>& features, const std::string& sketch = "fss:128") {
  return *Sketch::OfFeatures(features, With(sketch));
}

/// Returns a sketch of 128 2-bit values, the first `ones` of which are 1 and the others 0.
CompressedSketch WithOnes(size_t ones) {
  StoredSketch stored = {2, 1, 0, "word:5", std::vector<uint32_t>(128), 2};
  std::fill_n(stored.coordinates.begin(), ones, 1);
  return *CompressedSketch::FromBytes(EncodeSketch(stored));
}

// 32 of 128 are equal by chance: (m - 32) / 96.
TEST(CompressedSketchTest, TwoBitsOf128) {
  const struct {
    size_t equal;
    double resemblance, standard_error;
  } cases[] = {
      {32, 0, .0512}, {80, .5, .0571}, {56, .25, .0585}, {104, .75, .0462}, {128, 1, .0073}};
  for (const auto& c : cases) {
    const auto estimate = WithOnes(c.equal).EstimateResemblance(WithOnes(128));
    ASSERT_TRUE(estimate.has_value());
    EXPECT_EQ(estimate->equal, c.equal);
    EXPECT_DOUBLE_EQ(estimate->resemblance, c.resemblance);
    EXPECT_NEAR(estimate->standard_error, c.standard_error, 6e-5);
  }
  EXPECT_DOUBLE_EQ(WithOnes(8).EstimateResemblance(WithOnes(128))->resemblance, -.25)
      << "unbiased means below 0 at times";
}

/// Moments of the estimates from 128 2-bit values when m is binomial, as it is for independent
/// coordinates: mean, variance, and the mean if values below 0 are replaced by 0.
struct Moments {
  double mean = 0, variance = 0, clamped = 0, equal = 0;
};

Moments MomentsOfTwoBits(double j) {
  const std::vector<double> probability = Binomial(128, j + (1 - j) / 4);
  Moments moments;
  for (uint32_t m = 0; m <= 128; ++m) {
    const double estimate = WithOnes(m).EstimateResemblance(WithOnes(128))->resemblance;
    moments.mean += probability[m] * estimate;
    moments.variance += probability[m] * (estimate - j) * (estimate - j);
    moments.clamped += probability[m] * std::max(0., estimate);
    moments.equal += probability[m] * m;
  }
  return moments;
}

// Golden facts 2.10 and law L22: 128 2-bit values are worth the stated number of 64-bit samples.
TEST(CompressedSketchTest, Facts210TwoBitsOf128) {
  const struct {
    double j, equal, error, samples;
  } rows[] = {{0, 32, .0510, 0},
              {.5, 80, .0571, 76.8},
              {.8, 108.8, .0421, 90.4},
              {.9, 118.4, .0310, 93.4},
              {.95, 123.2, .0224, 94.8}};
  for (const auto& row : rows) {
    const Moments moments = MomentsOfTwoBits(row.j);
    EXPECT_NEAR(moments.mean, row.j, 1e-12);
    EXPECT_NEAR(moments.equal, row.equal, 1e-9);
    EXPECT_NEAR(std::sqrt(moments.variance), row.error, 5e-5) << row.j;
    EXPECT_NEAR(row.j * (1 - row.j) / moments.variance, row.samples, .06) << row.j;
  }
  EXPECT_NEAR(MomentsOfTwoBits(1).equal, 128, 1e-9);
}

// Shows the bias from replacing estimates below 0 by 0.
TEST(CompressedSketchTest, L22ClampingAtZeroIsBiasedUp) {
  EXPECT_NEAR(MomentsOfTwoBits(0).clamped, .0203, 5e-5);
  EXPECT_GT(MomentsOfTwoBits(.02).clamped, .02 + .01);
  EXPECT_NEAR(MomentsOfTwoBits(.5).clamped, .5, 1e-9) << "it does no harm where J is large";
}

TEST(CompressedSketchTest, UnbiasedAndOfItsVariance) {
  std::mt19937_64 random(1);
  for (const uint32_t bits : {1U, 2U, 4U, 8U, 16U}) {
    for (const size_t common : {0, 100, 160}) {
      const double j = static_cast<double>(common) / 200;
      constexpr int kTrials = 1500;
      double sum = 0, squares = 0;
      for (int trial = 0; trial < kTrials; ++trial) {
        std::vector<uint64_t> all(200);
        for (uint64_t& feature : all) feature = random();
        const size_t first = common + (200 - common) / 2;
        const std::vector<uint64_t> a(all.begin(), all.begin() + static_cast<ptrdiff_t>(first));
        std::vector<uint64_t> b(all.begin(), all.begin() + static_cast<ptrdiff_t>(common));
        b.insert(b.end(), all.begin() + static_cast<ptrdiff_t>(first), all.end());
        const auto x = Of(a, "permutations:128").Compressed(bits);
        const double error =
            x->EstimateResemblance(*Of(b, "permutations:128").Compressed(bits))->resemblance - j;
        sum += error, squares += error * error;
      }
      const double variance = (1 - j) * (j + 1 / (std::exp2(bits) - 1)) / 128;
      EXPECT_LE(std::abs(sum / kTrials), 4 * std::sqrt(variance / kTrials) + 1e-6) << bits;
      const double by_chance = kTrials * 128 * (1 - j) / std::exp2(bits);  // few with 16 bits
      const double slack = 4 * std::sqrt(2. / kTrials + (j == 0 ? 1 / by_chance : 0));
      EXPECT_NEAR(squares / kTrials / variance, 1, .1 + slack) << bits;
    }
  }
}

// The same with 16 to 1024 coordinates, sets of 5 to 10,000 features and structured input.
TEST(CompressedSketchTest, UnbiasedForEveryNumberOfCoordinates) {
  constexpr int kTrials = 300;
  uint64_t begin = 0;
  for (const uint32_t k : {16U, 64U, 256U, 1024U}) {
    for (const uint64_t n : {5U, 60U, 10'000U}) {
      const uint64_t common = n - n / 5;
      const double j = static_cast<double>(common) / static_cast<double>(2 * n - common);
      const std::string sketch = "permutations:" + std::to_string(k) + ":mixer";
      const int trials = n > 1000 ? 20 : kTrials;
      double sum = 0, squares = 0;
      for (int trial = 0; trial < trials; ++trial, begin += 2 * n) {
        std::vector<uint64_t> a(n), b(n);
        std::iota(a.begin(), a.end(), begin);
        std::iota(b.begin(), b.end(), begin + n - common);
        const auto x = Of(a, sketch).Compressed(4), y = Of(b, sketch).Compressed(4);
        const double error = x->EstimateResemblance(*y)->resemblance - j;
        sum += error, squares += error * error;
      }
      const double variance = (1 - j) * (j + 1. / 15) / k;
      EXPECT_LE(std::abs(sum / trials), 4 * std::sqrt(variance / trials)) << k << " " << n;
      EXPECT_NEAR(squares / trials / variance, 1, .1 + 4 * std::sqrt(2. / trials)) << k << " " << n;
    }
  }
}

TEST(CompressedSketchTest, IsWhatTheSketchIs) {
  const Sketch sketch = Of({1, 2, 3}, "geometric:64");
  for (const uint32_t bits : {1U, 2U, 4U, 8U, 16U}) {
    const CompressedSketch compressed = *sketch.Compressed(bits);
    EXPECT_EQ(compressed.name(), "geometric:64");
    EXPECT_EQ(compressed.bits(), bits);
    EXPECT_EQ(compressed.shingle(), "word:5");
    EXPECT_EQ(compressed.seed(), 0u);
    EXPECT_FALSE(compressed.empty());
    ASSERT_EQ(compressed.values().size(), 64u);
    for (const uint16_t value : compressed.values()) EXPECT_LT(value, 1U << bits);
    EXPECT_EQ(compressed.EstimateResemblance(compressed)->resemblance, 1);
    const std::string bytes = compressed.ToBytes();
    EXPECT_EQ(bytes.size(), 36 + 6 + 64 * bits / 8);
    EXPECT_TRUE(*CompressedSketch::FromBytes(bytes) == compressed);
    EXPECT_FALSE(Sketch::FromBytes(bytes).has_value());
    // Keeping fewer bits keeps the upper ones.
    for (size_t i = 0; i < 64; ++i) {
      EXPECT_EQ(compressed.values()[i], sketch.Compressed(16)->values()[i] >> (16 - bits));
    }
  }
}

TEST(CompressedSketchTest, NoFeatures) {
  const CompressedSketch none = *Of({}).Compressed(1), some = *Of({7}).Compressed(1);
  EXPECT_TRUE(none.empty());
  EXPECT_EQ(none.EstimateResemblance(none)->resemblance, 0);
  EXPECT_EQ(none.EstimateResemblance(some)->resemblance, 0);
  EXPECT_TRUE(*CompressedSketch::FromBytes(none.ToBytes()) == none);
}

TEST(CompressedSketchTest, BadBitsAndBytesAreErrors) {
  const Sketch sketch = Of({1, 2, 3});
  for (const uint32_t bits : {0U, 3U, 32U, 64U}) EXPECT_FALSE(sketch.Compressed(bits).has_value());
  EXPECT_FALSE(CompressedSketch::FromBytes(sketch.ToBytes()).has_value());
  const CompressedSketch two = *sketch.Compressed(2);
  const auto differ = two.EstimateResemblance(*sketch.Compressed(4));
  ASSERT_FALSE(differ.has_value());
  EXPECT_NE(differ.error().what.find("differ: bits 2 and 4;"), std::string::npos);
  const std::string bytes = two.ToBytes();
  for (size_t at = 0; at < bytes.size(); ++at) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] + 1);
    EXPECT_FALSE(CompressedSketch::FromBytes(changed).has_value()) << at;
    EXPECT_FALSE(CompressedSketch::FromBytes(bytes.substr(0, at)).has_value()) << at;
  }
}

}  // namespace
}  // namespace lookalike
