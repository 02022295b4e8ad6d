// One permutation and bins (Li, Owen, Zhang 2012), over every assignment of features to bins.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "stages/sketch/sketch.h"

namespace lookalike {
namespace {

struct Sizes {
  uint32_t only_a, only_b, common;

  [[nodiscard]] uint32_t all() const { return only_a + only_b + common; }
  [[nodiscard]] double Resemblance() const { return common / static_cast<double>(all()); }
};

/// Means over all assignments of features to bins and all orders of their values.
struct Means {
  double right = 0;        ///< matches / (bins - both empty)
  double empty_match = 0;  ///< (matches + both empty) / bins: wrong
  double all_bins = 0;     ///< matches / bins: wrong
  double empties = 0;      ///< of the union
};

using Bins = std::vector<uint32_t>;

/// Returns the bins of features first .. last - 1; feature f has value order[f].
Bins BinsOf(const std::vector<uint32_t>& bin_of, const std::vector<uint32_t>& order, size_t bins,
            const std::vector<bool>& has) {
  Bins made(bins, kEmptyBin);
  for (size_t f = 0; f < has.size(); ++f) {
    if (!has[f]) continue;
    Bins alone(bins, kEmptyBin);
    alone[bin_of[f]] = order[f];
    MergeSketch(alone, made);
  }
  return made;
}

void Add(const Bins& a, const Bins& b, Means* sums) {
  double matches = 0, both_empty = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    both_empty += a[i] == kEmptyBin && b[i] == kEmptyBin;
    matches += a[i] == b[i] && a[i] != kEmptyBin;
  }
  const auto bins = static_cast<double>(a.size());
  sums->right += matches / (bins - both_empty);
  sums->empty_match += (matches + both_empty) / bins;
  sums->all_bins += matches / bins;
  sums->empties += both_empty;
}

Means MeansOver(const Sizes& sizes, uint32_t bins) {
  std::vector<bool> in_a, in_b;
  for (uint32_t f = 0; f < sizes.all(); ++f) {
    in_a.push_back(f < sizes.only_a || f >= sizes.only_a + sizes.only_b);
    in_b.push_back(f >= sizes.only_a);
  }
  Means sums;
  double cases = 0;
  const auto assignments = static_cast<uint32_t>(std::pow(bins, sizes.all()) + .5);
  for (uint32_t code = 0; code < assignments; ++code) {
    std::vector<uint32_t> bin_of, order(sizes.all());
    for (uint32_t rest = code; bin_of.size() < sizes.all(); rest /= bins) {
      bin_of.push_back(rest % bins);
    }
    std::iota(order.begin(), order.end(), 0);
    do {
      Add(BinsOf(bin_of, order, bins, in_a), BinsOf(bin_of, order, bins, in_b), &sums);
      ++cases;
    } while (std::next_permutation(order.begin(), order.end()));
  }
  for (double* sum : {&sums.right, &sums.empty_match, &sums.all_bins, &sums.empties}) *sum /= cases;
  return sums;
}

double ExpectedEmpty(double bins, double features) {
  return bins * std::pow(1 - 1 / bins, features);
}

// Golden facts 2.14.
TEST(BinsLawsTest, L21EstimateIsExactlyUnbiased) {
  const std::pair<Sizes, double> cases[] = {
      {{1, 1, 2}, 1. / 2}, {{1, 2, 3}, 1. / 2}, {{2, 2, 1}, 1. / 5}};
  for (const auto& [sizes, resemblance] : cases) {
    EXPECT_EQ(sizes.Resemblance(), resemblance);
    for (const uint32_t bins : {2U, 3U}) {
      if (sizes.all() == 6 && bins == 3) continue;  // 524,880 cases; 2 bins are enough
      const Means means = MeansOver(sizes, bins);
      EXPECT_NEAR(means.right, resemblance, 1e-12) << bins;
      EXPECT_NEAR(means.empties, ExpectedEmpty(bins, sizes.all()), 1e-12) << bins;
      // Shows the errors of the other two counts.
      EXPECT_GT(means.empty_match, resemblance + .005) << "both empty is no match";
      EXPECT_LT(means.all_bins, resemblance - .005) << "nor a difference";
    }
  }
}

// Golden facts 2.10: the number of empty bins among 100, and the probability of any, by inclusion
// and exclusion.
double AnyEmpty(int bins, double features) {
  double any = 0, choices = 1;
  for (int i = 1; i < bins; ++i) {
    choices *= static_cast<double>(bins - i + 1) / i;
    const double term = choices * std::pow(1 - static_cast<double>(i) / bins, features);
    any += i % 2 == 1 ? term : -term;
  }
  return any;
}

TEST(BinsFactsTest, Facts210EmptyBinsOf100) {
  const struct {
    double features, empty;
  } rows[] = {{50, 60.5}, {100, 36.6}, {200, 13.4},    {300, 4.90},
              {460, .98}, {500, .657}, {1000, .00432}, {2000, 1.86e-7}};
  for (const auto& row : rows) {
    EXPECT_NEAR(ExpectedEmpty(100, row.features), row.empty, .005 * row.empty) << row.features;
  }
  // The slides have "fewer than 2000 features"; in practice it is below 1000.
  EXPECT_NEAR(AnyEmpty(100, 1000), .0043, .00005);
  // The value .483 for 500 features, found elsewhere, assumes that bins are independent. They are
  // not: if one is empty, others are less likely to be.
  const auto of_independent = [](double features) {
    return 1 - std::pow(1 - std::pow(.99, features), 100);
  };
  EXPECT_NEAR(of_independent(500), .483, .0005);
  EXPECT_NEAR(AnyEmpty(100, 500), .4884, .00005);
  EXPECT_NEAR(of_independent(300), .993, .0005);
}

}  // namespace
}  // namespace lookalike
