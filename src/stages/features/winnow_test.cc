#include "stages/features/winnow.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

namespace lookalike {
namespace {

std::vector<uint32_t> Choose(const std::vector<uint64_t>& hashes, uint32_t window) {
  std::vector<uint32_t> chosen;
  ChooseByWinnowing(hashes, window, &chosen);
  return chosen;
}

std::vector<uint64_t> Random(std::mt19937_64& random, size_t count, uint64_t values) {
  std::vector<uint64_t> hashes(count);
  for (uint64_t& hash : hashes) hash = random() % values;
  return hashes;
}

TEST(WinnowTest, EveryWindowHasOneAndFewAreChosen) {
  std::mt19937_64 random(1);
  for (const uint32_t window : {1U, 2U, 5U, 16U}) {
    const auto hashes = Random(random, 20'000, UINT64_MAX);
    const auto chosen = Choose(hashes, window);
    EXPECT_TRUE(std::is_sorted(chosen.begin(), chosen.end()));
    for (size_t i = 0; i < chosen.size(); ++i) {
      const uint32_t before = i == 0 ? 0 : chosen[i - 1] + 1;
      ASSERT_LT(chosen[i] - before, window);
    }
    ASSERT_LE(hashes.size() - chosen.back(), window);
    // For random hashes, 2 of W + 1 are chosen (Schleimer et al., section 3.1).
    const double share = static_cast<double>(chosen.size()) / static_cast<double>(hashes.size());
    EXPECT_NEAR(share, 2.0 / (window + 1), 0.01) << window;
  }
}

// Position by position, in the words of the paper: the chosen hash stays chosen while it is among
// the least of the window, else the rightmost of the least is chosen. The two rules differ only for
// repeated hashes; their order is that of the choice in windows of two.
TEST(WinnowTest, TiesGoToTheEarlierChoiceThenToTheRight) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 300; ++round) {
    const auto hashes = Random(random, 60, 4);
    const auto less = [](uint64_t x, uint64_t y) { return x != y && Choose({x, y}, 2)[0] == 0; };
    const uint32_t window = 2 + static_cast<uint32_t>(round % 6);
    std::vector<uint32_t> expected;
    for (uint32_t begin = 0; begin + window <= hashes.size(); ++begin) {
      uint32_t rightmost = begin;
      for (uint32_t i = begin; i < begin + window; ++i) {
        if (!less(hashes[rightmost], hashes[i])) rightmost = i;
      }
      const bool stays = !expected.empty() && expected.back() >= begin &&
                         hashes[expected.back()] == hashes[rightmost];
      if (!stays) expected.push_back(rightmost);
    }
    ASSERT_EQ(Choose(hashes, window), expected) << round;
  }
}

TEST(WinnowTest, ARunOfOneValueIsSampledOnceAWindow) {
  EXPECT_EQ(Choose(std::vector<uint64_t>(10, 7), 4), (std::vector<uint32_t>{3, 7}));
}

TEST(WinnowTest, FewerThanAWindowGiveOne) {
  EXPECT_TRUE(Choose({}, 4).empty());
  EXPECT_EQ(Choose({9}, 4), (std::vector<uint32_t>{0}));
  EXPECT_EQ(Choose({9, 8, 7}, 4).size(), 1u);
}

// If the hashes themselves gave the order, most of the chosen hashes would be near zero.
TEST(WinnowTest, WhatIsChosenIsSpreadEvenly) {
  std::mt19937_64 random(3);
  const auto hashes = Random(random, 100'000, UINT64_MAX);
  const auto chosen = Choose(hashes, 20);
  const auto low = static_cast<double>(std::count_if(
      chosen.begin(), chosen.end(), [&](uint32_t i) { return hashes[i] >> 63 == 0; }));
  EXPECT_NEAR(low / static_cast<double>(chosen.size()), 0.5, 0.03);
}

}  // namespace
}  // namespace lookalike
