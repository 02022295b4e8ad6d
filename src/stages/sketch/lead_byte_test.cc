#include "stages/sketch/lead_byte.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "stages/sketch/random_words.h"
#include "stages/sketch/sketch.h"

namespace lookalike {
namespace {

std::vector<uint64_t> RandomFeatures(size_t count, std::mt19937_64* random) {
  std::vector<uint64_t> features(count);
  for (uint64_t& feature : features) feature = (*random)();
  return features;
}

/// Returns the full hashes, with every tail computed: leads column by column, as
/// docs/format/sketch-kinds-v1.md defines them.
std::vector<uint32_t> Eagerly(SketchKind kind, uint32_t bits, uint32_t coordinates,
                              const std::vector<uint64_t>& features) {
  const uint32_t places = 64 / bits;
  std::vector<uint32_t> least(coordinates, UINT32_MAX);
  for (uint32_t word = 0; word * places < coordinates; ++word) {
    RandomWords words(kind, word);
    std::vector<uint64_t> columns(65);
    for (uint64_t& column : columns) column = words.Next();
    for (const uint64_t x : features) {
      uint64_t leads = columns[64];
      for (int i = 0; i < 64; ++i) leads ^= (x >> i & 1) * columns[i];
      for (uint32_t place = 0; place < std::min(places, coordinates - word * places); ++place) {
        const uint32_t b = word * places + place;
        const uint64_t lead = leads >> (bits * place) & ((uint64_t{1} << bits) - 1);
        const uint64_t tail = Mix64(x ^ RandomWords(kind, 65536 + b).Next()) >> (32 + bits);
        least[b] = std::min(least[b], static_cast<uint32_t>(lead << (32 - bits) | tail));
      }
    }
  }
  return least;
}

constexpr uint32_t kSizes[] = {16, 17, 32, 64, 100, 128, 129, 250, 256, 512, 1000, 1024};

class LeadByteTest : public ::testing::TestWithParam<uint32_t> {
 protected:
  static SketchKind Kind() {
    return GetParam() == 8 ? SketchKind::kLeadByte : SketchKind::kLeadNibble;
  }
};

TEST_P(LeadByteTest, LazinessChangesOnlyTheCost) {
  std::mt19937_64 random(1);
  for (const uint32_t k : kSizes) {
    const LeadBytes sketches(Kind(), GetParam(), k);
    for (const size_t count : {1, 2, 10, 300, 1000}) {
      std::vector<uint64_t> features = RandomFeatures(count, &random);
      features.insert(features.end(), features.begin(), features.begin() + count / 2);
      std::vector<uint32_t> lazy(k);
      const uint64_t tails = sketches.Run(features, lazy);
      ASSERT_EQ(lazy, Eagerly(Kind(), GetParam(), k, features)) << k << ": " << count;
      EXPECT_GE(tails, k) << "the first feature needs them all";
      EXPECT_LE(tails, k * features.size());
      Sketcher sketcher({k, Kind()});
      const auto sketch = sketcher.Run(features);
      EXPECT_EQ(std::vector<uint32_t>(sketch.begin(), sketch.end()), lazy);
    }
  }
}

// Sets of few bits, whose leads are often equal.
TEST_P(LeadByteTest, LazinessOnConsecutiveNumbers) {
  const LeadBytes sketches(Kind(), GetParam(), 64);
  std::vector<uint64_t> features(2000);
  for (size_t i = 0; i < features.size(); ++i) features[i] = i;
  std::vector<uint32_t> lazy(64);
  (void)sketches.Run(features, lazy);
  EXPECT_EQ(lazy, Eagerly(Kind(), GetParam(), 64, features));
}

// Column by column, as docs/format/sketch-kinds-v1.md defines it.
TEST_P(LeadByteTest, HashesAreThoseOfTheDescription) {
  const uint32_t bits = GetParam(), places = 64 / bits;
  const uint64_t begin = static_cast<uint64_t>(Kind()) << 32;
  std::mt19937_64 random(2);
  Sketcher sketcher({32, Kind()});
  for (const uint64_t x : {uint64_t{0}, uint64_t{1}, UINT64_MAX, uint64_t{random()}}) {
    const uint64_t features[] = {x};
    const auto sketch = sketcher.Run(features);
    for (uint32_t b = 0; b < 32; ++b) {
      RandomWords words(Mix64(begin + b / places));
      uint64_t leads = 0;
      for (int i = 0; i < 64; ++i) leads ^= (x >> i & 1) * words.Next();
      leads ^= words.Next();
      const uint64_t lead = (leads >> bits * (b % places)) % (uint64_t{1} << bits);
      const uint64_t tail = Mix64(x ^ RandomWords(Mix64(begin + 65536 + b)).Next()) >> (32 + bits);
      ASSERT_EQ(sketch[b], lead * (uint64_t{1} << (32 - bits)) + tail) << b;
    }
  }
}

/// Returns the tails that a coordinate needs on average for this many features.
double ExpectedTails(double features, uint32_t lead_bits) {
  const double leads = std::exp2(lead_bits);
  double sum = features / leads;
  for (double v = 1; v < leads; ++v) sum += (1 - std::pow(1 - v / leads, features)) / v;
  return sum;
}

TEST(LeadByteCostTest, FormulaOfTheExpectedTails) {
  EXPECT_NEAR(ExpectedTails(100, 8), 5.39, .005);
  EXPECT_NEAR(ExpectedTails(256, 8), 6.66, .005);
  EXPECT_NEAR(ExpectedTails(1000, 8), 10.01, .005);
  EXPECT_NEAR(ExpectedTails(2000, 8), 13.93, .005);
  EXPECT_NEAR(ExpectedTails(10'000, 8), 45.18, .005);
  EXPECT_NEAR(ExpectedTails(100'000, 8), 396.7, .05);
}

// Golden facts 2.10. With random leads, 1 + H(255) are computed until the first 0, including equal
// ones; without them, H(256). A lead of c bits costs c + 64 / 2^c bits per feature if there are
// many, which is least for 5 and 6 bits, not for 4 or 8; for 1000 features, tails cost .64 instead
// of .25.
TEST(LeadByteCostTest, Facts210BitsOfLeadsAndTails) {
  double harmonic = 0;
  for (int v = 1; v <= 255; ++v) harmonic += 1. / v;
  EXPECT_NEAR(harmonic + 1. / 256, 6.12434, 5e-6);
  EXPECT_NEAR(1 + harmonic, 7.12044, 5e-6);
  // Before the first 0 there is no other term: v = 0 gives n / m.
  EXPECT_NEAR(ExpectedTails(1e5, 8) - 1e5 / 256, harmonic, 1e-9);
  const double costs[] = {8, 7, 7, 7.5, 8.25};
  for (uint32_t c = 4; c <= 8; ++c) {
    constexpr double kMany = 1e9;
    EXPECT_NEAR(c + 64 * ExpectedTails(kMany, c) / kMany, costs[c - 4], 1e-5) << c;
  }
  EXPECT_NEAR(64 / 8.25, 7.76, .005) << "almost eightfold";
  EXPECT_NEAR(64 * ExpectedTails(1000, 8) / 1000, .64, .005);
}

// The mean over some 25,000 coordinates; the standard error is below .25 %, and 1 % is allowed.
TEST_P(LeadByteTest, TailsAreAsManyAsExpected) {
  constexpr uint32_t kCoordinates = 128;
  const LeadBytes sketches(Kind(), GetParam(), kCoordinates);
  std::mt19937_64 random(3);
  std::vector<uint32_t> out(kCoordinates);
  for (const size_t count : {size_t{1}, size_t{100}, size_t{256}, size_t{1000}, size_t{2000}}) {
    constexpr int kTrials = 200;
    double tails = 0;
    for (int i = 0; i < kTrials; ++i) {
      tails += static_cast<double>(sketches.Run(RandomFeatures(count, &random), out));
    }
    const double expected = ExpectedTails(static_cast<double>(count), GetParam());
    EXPECT_NEAR(tails / kTrials / kCoordinates, expected, .01 * expected) << count;
  }
}

INSTANTIATE_TEST_SUITE_P(LeadBits, LeadByteTest, ::testing::Values(8U, 4U));

}  // namespace
}  // namespace lookalike
