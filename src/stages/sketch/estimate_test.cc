#include "stages/sketch/estimate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace lookalike {
namespace {

TEST(EstimateTest, WholeCoordinatesGiveTheShareThatIsEqual) {
  for (uint32_t equal = 0; equal <= 64; ++equal) {
    const auto estimate = EstimateFromEqual(equal, 64, 32);
    EXPECT_EQ(estimate.resemblance, equal / 64.0);
    EXPECT_EQ(estimate.equal, equal);
    EXPECT_EQ(estimate.coordinates, 64U);
    const double share = (equal + .5) / 65;
    EXPECT_DOUBLE_EQ(estimate.standard_error, std::sqrt(share * (1 - share) / 64));
    EXPECT_GT(estimate.standard_error, 0);
  }
}

// Li and Koenig's 128 values of 2 bits: (m - 32) / 96.
TEST(EstimateTest, FewBitsAreCorrectedForChance) {
  EXPECT_DOUBLE_EQ(EstimateFromEqual(80, 128, 2).resemblance, .5);
  EXPECT_DOUBLE_EQ(EstimateFromEqual(32, 128, 2).resemblance, 0);
  EXPECT_LT(EstimateFromEqual(31, 128, 2).resemblance, 0);
  for (const uint32_t bits : {1U, 2U, 4U, 8U, 16U, 32U}) {
    EXPECT_EQ(EstimateFromEqual(128, 128, bits).resemblance, 1) << bits;
    EXPECT_GT(EstimateFromEqual(128, 128, bits).standard_error, 0) << bits;
  }
  // Far from the ends, the error is that of the literature, sqrt((1 - J) (J + c / (1 - c)) / K).
  EXPECT_NEAR(EstimateFromEqual(640, 1024, 2).standard_error, std::sqrt(.5 * (.5 + 1 / 3.) / 1024),
              1e-5);
}

TEST(EstimateTest, LeastEqualIsTheFirstThatReachesTheThreshold) {
  for (const uint32_t bits : {1U, 2U, 4U, 8U, 16U, 32U}) {
    for (const double t : {1e-9, .1, .25, .5, .75, .8, .9, 1.}) {
      const uint32_t least = LeastEqual(t, 128, bits);
      EXPECT_GE(EstimateFromEqual(least, 128, bits).resemblance, t);
      if (least > 0) {
        EXPECT_LT(EstimateFromEqual(least - 1, 128, bits).resemblance, t);
      }
    }
  }
  EXPECT_EQ(LeastEqual(.75, 128, 32), 96U);
  EXPECT_EQ(LeastEqual(1, 128, 1), 128U);
}

TEST(KeepBitsTest, FewerBitsAreSpreadEvenlyAndWholeOnesStay) {
  std::mt19937 random(1);
  EXPECT_EQ(KeepBits(0x12345678, 32), 0x12345678U);
  for (const uint32_t bits : {1U, 4U, 8U}) {
    std::vector<int> counts(size_t{1} << bits);
    constexpr int kValues = 1 << 16;
    for (int i = 0; i < kValues; ++i) {
      const uint32_t kept = KeepBits(static_cast<uint32_t>(random()) >> 5, bits);
      ASSERT_LT(kept, counts.size());
      ++counts[kept];
    }
    const double expected = static_cast<double>(kValues) / static_cast<double>(counts.size());
    for (const int count : counts) EXPECT_NEAR(count, expected, 6 * std::sqrt(expected));
  }
}

TEST(KeepBitsTest, Widths) {
  for (const uint64_t bits : {1U, 2U, 4U, 8U, 16U, 32U}) EXPECT_TRUE(IsAllowedWidth(bits));
  for (const uint64_t bits : {0U, 3U, 5U, 12U, 31U, 64U}) EXPECT_FALSE(IsAllowedWidth(bits));
}

}  // namespace
}  // namespace lookalike
