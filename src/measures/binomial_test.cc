#include "measures/binomial.h"

#include <gtest/gtest.h>

#include <numeric>

namespace lookalike {
namespace {

TEST(BinomialTest, SmallOnesByHand) {
  const std::vector<double> fair = Binomial(4, .5);
  const double expected[] = {1. / 16, 4. / 16, 6. / 16, 4. / 16, 1. / 16};
  ASSERT_EQ(fair.size(), 5u);
  for (size_t k = 0; k < fair.size(); ++k) EXPECT_DOUBLE_EQ(fair[k], expected[k]) << k;
  EXPECT_EQ(Binomial(3, 0), (std::vector<double>{1, 0, 0, 0}));
  EXPECT_EQ(Binomial(3, 1), (std::vector<double>{0, 0, 0, 1}));
}

TEST(BinomialTest, LargeOnesSumToOneAndKeepTheirMean) {
  for (const double p : {1e-6, .01, .3, .8, .999}) {
    const std::vector<double> weight = Binomial(4096, p);
    double mean = 0;
    for (size_t k = 0; k < weight.size(); ++k) mean += static_cast<double>(k) * weight[k];
    EXPECT_NEAR(std::accumulate(weight.begin(), weight.end(), 0.0), 1, 1e-12) << p;
    EXPECT_NEAR(mean / (4096 * p), 1, 1e-9) << p;
  }
}

}  // namespace
}  // namespace lookalike
