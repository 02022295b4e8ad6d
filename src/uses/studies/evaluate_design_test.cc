#include <gtest/gtest.h>

#include "lookalike/lookalike.h"

namespace lookalike {
namespace {

TEST(EvaluateDesignTest, DocumentsDesign) {
  Options options;
  options.design = "groups:6x14:2";
  const auto report = EvaluateDesign(options, {.75, .9});
  ASSERT_TRUE(report.has_value()) << report.error().ToString();
  EXPECT_EQ(report->keys, 15u);
  EXPECT_EQ(report->coordinates, 84u);
  EXPECT_EQ(report->bytes_per_document, 48u);
  EXPECT_NEAR(report->half_point, .9094, 5e-5);
  ASSERT_EQ(report->acceptance.size(), 2u);
  EXPECT_EQ(report->acceptance[1].first, .9);
  EXPECT_NEAR(report->acceptance[1].second, .4151, 6e-5);
}

TEST(EvaluateDesignTest, PlannedByDefault) {
  const auto report = EvaluateDesign(Options{}, {});
  ASSERT_TRUE(report.has_value()) << report.error().ToString();
  EXPECT_EQ(report->design, "overlapping:128:8:32") << "that of a million documents";
  ASSERT_EQ(report->acceptance.size(), 21u);
  EXPECT_EQ(report->acceptance[3].first, .15);
  EXPECT_EQ(report->acceptance[20].second, 1);
  EXPECT_FALSE(EvaluateDesign(Options{}, {1.5}).has_value());
}

}  // namespace
}  // namespace lookalike
