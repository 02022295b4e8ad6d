#include "results/pair_figures.h"

#include <gtest/gtest.h>

namespace lookalike {
namespace {

TEST(PairFiguresTest, ExactPairsAreWhatWasCounted) {
  const PairFigures figures = FiguresOf(Job(), {0, 1, 30, 50, 40});
  EXPECT_EQ(figures.resemblance, .5);
  EXPECT_EQ(figures.common, 30u);
  EXPECT_EQ(figures.size_a, 50u);
  EXPECT_EQ(figures.size_b, 40u);
  EXPECT_EQ(figures.standard_error, 0);
}

TEST(PairFiguresTest, EstimatedOnesFollowFromTheirEqualCoordinates) {
  Job job;
  job.choices.verify = Verification::kSketch;
  job.sketch.coordinates = 64;
  const PairFigures figures = FiguresOf(job, {0, 1, 32, 90, 60, 64});
  EXPECT_EQ(figures.resemblance, .5);
  EXPECT_EQ(figures.common, 50u) << "a third of both sizes";
  EXPECT_EQ(figures.size_a, 90u);
  EXPECT_EQ(figures.standard_error, EstimateFromEqual(32, 64, 32).standard_error);
  EXPECT_EQ(FiguresOf(job, {0, 1, 64, 90, 60, 64}).common, 60u) << "not more than the smaller has";
  job.sketch_bits = 8;
  EXPECT_LT(FiguresOf(job, {0, 1, 0, 90, 60, 64}).resemblance, 0);
  EXPECT_EQ(FiguresOf(job, {0, 1, 0, 90, 60, 64}).common, 0u);
}

}  // namespace
}  // namespace lookalike
