#include "plan/curve.h"

#include <gtest/gtest.h>

#include <cmath>

namespace lookalike {
namespace {

Design Of(const char* text) { return *ParseDesign(text); }

// MMDS, figure 3.8 and example 3.11: bands of r = 5, b = 20.
TEST(CurveTest, Facts26SlopeOf20x5) {
  const auto [at, slope] = SteepestRise(Of("bands:20x5"));
  EXPECT_NEAR(at, .526, 1e-9);
  EXPECT_NEAR(slope, 3.506, 5e-4);
}

TEST(CurveTest, Facts26RuleOfThresholds) {
  EXPECT_NEAR(*ThresholdRule(Of("bands:16x4")), .5, 1e-10);
  EXPECT_NEAR(*ThresholdRule(Of("bands:20x5")), .5493, 5e-5);
  EXPECT_NEAR(*ThresholdRule(Of("groups:20x5:1")), .5493, 5e-5);
  EXPECT_NEAR(*ThresholdRule(Of("bands:1x50")), 1, 1e-9);
  EXPECT_FALSE(ThresholdRule(Of("groups:6x14:2")).has_value());
  EXPECT_FALSE(ThresholdRule(Of("sketch:84:77")).has_value());
}

// The areas for r = 5, b = 10 of the slides, which print no numbers for them.
TEST(CurveTest, Facts26WrongAreas) {
  const struct {
    double threshold, false_positive, false_negative;
  } cases[] = {{.5, .02415, .09673}, {.5823, .05551, .04575}, {.7, .13534, .00791}};
  for (const auto& [threshold, positive, negative] : cases) {
    const auto [fp, fn] = WrongAreas(Of("bands:10x5"), threshold);
    EXPECT_NEAR(fp, positive, 3e-5) << threshold;
    EXPECT_NEAR(fn, negative, 3e-5) << threshold;
  }
}

// With one coordinate P = J, and everything has a closed form.
TEST(CurveTest, AreasAndSlopeOfTheIdentity) {
  const auto [fp, fn] = WrongAreas(Of("bands:1x1"), .25);
  EXPECT_NEAR(fp, .25 * .25 / 2, 1e-12);
  EXPECT_NEAR(fn, .75 * .75 / 2, 1e-12);
  EXPECT_NEAR(SteepestRise(Of("bands:1x1")).second, 1, 1e-9);
  EXPECT_NEAR(CurveWidth(Of("bands:1x1")), .98, 1e-8);
}

TEST(CurveTest, Facts28Widths) {
  EXPECT_NEAR(CurveWidth(Of("groups:6x14:2")), .9754 - .7721, 1e-4);
  EXPECT_NEAR(CurveWidth(Of("groups:8x25:1")), .9675 - .7655, 1e-4);
  EXPECT_NEAR(CurveWidth(Of("groups:6x5:4")), .9824 - .7041, 1e-4);
  EXPECT_NEAR(CurveWidth(Of("sketch:84:77")), .9645 - .8196, 1e-4);
}

}  // namespace
}  // namespace lookalike
