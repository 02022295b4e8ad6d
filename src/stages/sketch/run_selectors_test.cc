#include "stages/sketch/run_selectors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <vector>

namespace lookalike {
namespace {

std::vector<uint64_t> RandomFeatures(size_t count, std::mt19937_64* random) {
  std::vector<uint64_t> features(count);
  for (uint64_t& feature : features) feature = (*random)();
  return features;
}

TEST(BitStringTest, IsCutAtTheOnes) {
  for (uint64_t state = 0; state < 50; ++state) {
    RandomWords words(state);
    std::vector<bool> bits;
    for (int i = 0; i < 40; ++i) {
      const uint64_t word = words.Next();
      for (int bit = 0; bit < 64; ++bit) bits.push_back((word >> bit & 1) != 0);
    }
    BitString string(state);
    size_t at = 0;
    for (int run = 0; run < 1000; ++run) {
      const auto one = std::find(bits.begin() + static_cast<ptrdiff_t>(at), bits.end(), true);
      ASSERT_NE(one, bits.end());
      const size_t next = static_cast<size_t>(one - bits.begin());
      ASSERT_EQ(string.NextRun(), next - at) << run;
      at = next + 1;
    }
  }
}

TEST(GeometricSelectorsTest, ReadsTwoBitsAFeatureAndCoordinate) {
  const GeometricSelectors selectors(128);
  std::mt19937_64 random(1);
  std::vector<uint32_t> out(128);
  const SelectorCost cost = selectors.Run(RandomFeatures(20'000, &random), out);
  const double samples = 20'000.0 * 128;
  // A run and its 1 have a variance of 2.
  EXPECT_NEAR(static_cast<double>(cost.bits) / samples, 2, 4 * std::sqrt(2 / samples));
  // Further bits are read at each new or equal longest run, some 1.44 ln 20'000 times.
  EXPECT_LT(static_cast<double>(cost.ties) / 128, 30);
  EXPECT_GT(static_cast<double>(cost.ties) / 128, 10);
}

// 1, 4/3, 10/7, 1.4476; about 1 / ln 2 from then on.
TEST(GeometricSelectorsTest, FewFeaturesShareTheLongestRun) {
  const std::map<int, double> expected = {
      {1, 1}, {2, 4. / 3}, {3, 10. / 7}, {4, 1.4476}, {100, 1.4427}};
  for (const auto& [count, mean] : expected) {
    constexpr int kTrials = 40'000;
    std::vector<BitString> strings;
    for (int i = 0; i < count; ++i) strings.emplace_back(Mix64(1000 * i + count));
    double sum = 0, squares = 0;
    for (int trial = 0; trial < kTrials; ++trial) {
      uint32_t longest = 0;
      double ties = 0;
      for (BitString& string : strings) {
        const uint32_t run = string.NextRun();
        ties = run == longest ? ties + 1 : run > longest ? 1 : ties;
        longest = std::max(longest, run);
      }
      sum += ties, squares += ties * ties;
    }
    const double error = std::sqrt((squares / kTrials - mean * mean) / kTrials);
    EXPECT_NEAR(sum / kTrials, mean, 4 * error + 1e-3) << count;
    EXPECT_LT(sum / kTrials, 1.4476 + 4 * error);
  }
}

// The coordinates computed a second time, from docs/format/sketch-kinds-v1.md.
TEST(GeometricSelectorsTest, CoordinatesAreThoseOfTheDescription) {
  std::mt19937_64 random(2);
  const std::vector<uint64_t> features = RandomFeatures(60, &random);
  std::vector<uint32_t> expected(64, UINT32_MAX), out(64);
  const uint64_t kind = uint64_t{14} << 32;
  for (const uint64_t x : features) {
    BitString string(Mix64(x ^ RandomWords(Mix64(kind)).Next()));
    for (uint32_t b = 0; b < 64; ++b) {
      const uint64_t further = Mix64(x ^ RandomWords(Mix64(kind + 65536 + b)).Next()) >> 37;
      const uint64_t value = (31 - std::min(string.NextRun(), 31U)) * (uint64_t{1} << 27) + further;
      expected[b] = std::min(expected[b], static_cast<uint32_t>(value));
    }
  }
  (void)GeometricSelectors(64).Run(features, out);
  EXPECT_EQ(out, expected);
}

TEST(BiasedSelectorsTest, HundredBiasedBitsAtOnce) {
  const BiasedSelectors selectors(128);
  EXPECT_EQ(selectors.OnesBefore(UINT64_MAX), 0u);
  EXPECT_EQ(selectors.OnesBefore(0), 100u);
  // P[at least i ones] = .99^i: the numbers on both sides of each bound.
  for (int i = 1; i <= 100; ++i) {
    const auto bound = static_cast<uint64_t>(std::pow(.99, i) * 0x1p64);
    EXPECT_EQ(selectors.OnesBefore(bound - (1 << 20)), i) << i;
    EXPECT_EQ(selectors.OnesBefore(bound + (1 << 20)), i - 1) << i;
  }
  EXPECT_NEAR(std::pow(.99, 100), .36603, 5e-6);
  std::mt19937_64 random(3);
  constexpr int kTrials = 100'000;
  int all = 0;
  for (int i = 0; i < kTrials; ++i) all += selectors.OnesBefore(random()) == 100;
  EXPECT_NEAR(all / double{kTrials}, .36603, 4 * std::sqrt(.232 / kTrials));
}

TEST(BiasedSelectorsTest, OneInHundredIsSelected) {
  const BiasedSelectors selectors(1024);
  std::mt19937_64 random(4);
  std::vector<uint32_t> out(1024);
  const SelectorCost cost = selectors.Run(RandomFeatures(3000, &random), out);
  const double samples = 3000.0 * 1024;
  EXPECT_NEAR(static_cast<double>(cost.selected) / samples, .01, 4 * std::sqrt(.0099 / samples));
  EXPECT_EQ(cost.reruns, 0u) << ".99^3000 of 1024";
  EXPECT_EQ(cost.bits, 0u);
  // With 300 features, .99^300 = 4.9 % of the coordinates have none.
  const SelectorCost few = selectors.Run(RandomFeatures(300, &random), out);
  EXPECT_NEAR(static_cast<double>(few.reruns) / 1024, std::pow(.99, 300), .03);
  for (const uint32_t value : out) EXPECT_NE(value, UINT32_MAX);
}

/// Returns the bits of information in a bit that is 0 with this probability.
double Entropy(double p) { return -p * std::log2(p) - (1 - p) * std::log2(1 - p); }

// A third of a bit was claimed for bits with 1/16 zeros; .0808 is the entropy of a bit with 1/100.
TEST(BiasedSelectorsTest, BitsThatAreNeeded) {
  EXPECT_NEAR(Entropy(.01), .0808, 5e-5);
  EXPECT_NEAR(Entropy(.0615), 1. / 3, 5e-4);
  const BiasedSelectors selectors(128);
  std::mt19937_64 random(5);
  double bits = 0;
  constexpr int kBlocks = 5000;
  for (int i = 0; i < kBlocks; ++i) {
    for (uint32_t b = 0; b < 100; ++b) {
      const uint64_t word = random();
      bits += selectors.BitsNeeded(word);
      b += selectors.OnesBefore(word);
    }
  }
  EXPECT_GT(bits / kBlocks / 100, Entropy(.01));
  EXPECT_LT(bits / kBlocks / 100, .2);
}

TEST(BiasedSelectorsTest, CoordinatesAreThoseOfTheDescription) {
  std::mt19937_64 random(6);
  constexpr uint32_t kCount = 128;
  const BiasedSelectors selectors(kCount);
  const uint64_t kind = uint64_t{15} << 32;
  for (const size_t count : {1, 80, 2000}) {
    const std::vector<uint64_t> features = RandomFeatures(count, &random);
    std::vector<uint32_t> expected(kCount, UINT32_MAX), out(kCount);
    for (const uint64_t x : features) {
      // Bit b of a feature is 0 if its block's draws reach it.
      std::vector<bool> zero(kCount);
      RandomWords draws(Mix64(x ^ RandomWords(Mix64(kind)).Next()));
      for (const auto& [begin, end] : {std::pair(0U, 100U), {100U, 128U}}) {
        uint32_t b = begin;
        while (b < end && (b += selectors.OnesBefore(draws.Next())) < end) zero[b++] = true;
      }
      BitString string(Mix64(x ^ [&] {
        RandomWords words(Mix64(kind + 1));
        return words.Next();
      }()));
      for (uint32_t b = 0; b < kCount; ++b) {
        const uint64_t further = Mix64(x ^ RandomWords(Mix64(kind + 65536 + b)).Next());
        const uint32_t rank = 31 - std::min(string.NextRun(), 31U);
        const auto value = static_cast<uint32_t>(
            zero[b] ? further >> 33
                    : (uint64_t{1} << 31) + (uint64_t{rank} << 26) + (further >> 38));
        expected[b] = std::min(expected[b], value);
      }
    }
    (void)selectors.Run(features, out);
    EXPECT_EQ(out, expected) << count;
  }
}

}  // namespace
}  // namespace lookalike
