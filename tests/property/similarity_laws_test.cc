// Properties of resemblance and containment, over all sets and bags of small universes, tested with
// the functions that count common features and number occurrences.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>
#include <vector>

#include "fingerprint/feature_extractor.h"
#include "kernels/splitmix.h"
#include "stages/features/weights.h"
#include "stages/verify/resemblance.h"

namespace lookalike {
namespace {

using Set = std::vector<uint64_t>;

Set SetOf(uint32_t bits) {
  Set set;
  for (uint64_t x = 0; x < 32; ++x) {
    if ((bits >> x & 1) != 0) set.push_back(x);
  }
  return set;
}

uint64_t Common(const Set& a, const Set& b) { return *CountCommon(a, b, 0); }

double Resemblance(const Set& a, const Set& b) {
  const auto common = static_cast<double>(Common(a, b));
  return common / (static_cast<double>(a.size() + b.size()) - common);
}

double Containment(const Set& a, const Set& b) {
  return static_cast<double>(Common(a, b)) / static_cast<double>(a.size());
}

/// Returns a bag as the set of its numbered occurrences, given the count of each symbol.
Set BagOf(const std::vector<uint32_t>& counts) {
  Set stream, set;
  for (size_t symbol = 0; symbol < counts.size(); ++symbol) {
    stream.insert(stream.end(), counts[symbol], Mix64(symbol + 1));
  }
  WeighedStream units;
  ExpandUnits(stream, {}, {.each_time = true}, &units);
  MakeFeatureSet(units.units, &set);
  return set;
}

/// Returns all bags of up to two of each of three symbols, except the empty one: 26.
std::vector<std::vector<uint32_t>> SmallBags() {
  std::vector<std::vector<uint32_t>> bags;
  for (uint32_t code = 1; code < 27; ++code) bags.push_back({code % 3, code / 3 % 3, code / 9});
  return bags;
}

TEST(SimilarityLawsTest, L1ResemblanceIsASymmetricShareOfTheUnion) {
  for (uint32_t a = 1; a < 64; ++a) {
    for (uint32_t b = 1; b < 64; ++b) {
      const double j = Resemblance(SetOf(a), SetOf(b));
      // Rows of type X are in both sets, rows of type Y in one of them.
      const double x = std::popcount(a & b), y = std::popcount(a ^ b);
      ASSERT_EQ(j, x / (x + y));
      ASSERT_EQ(j, Resemblance(SetOf(b), SetOf(a)));
      ASSERT_TRUE(j >= 0 && j <= 1);
      ASSERT_EQ(j == 0, (a & b) == 0);
      ASSERT_EQ(j == 1, a == b);
    }
  }
}

// Elements in neither set do not count, nor do the names of elements.
RC_GTEST_PROP(SimilarityLawsTest, L1IsIndependentOfTheUniverse,
              (const std::vector<bool>& in_a, uint64_t names)) {
  const auto in_b = *rc::gen::container<std::vector<bool>>(in_a.size(), rc::gen::arbitrary<bool>());
  Set a, b, renamed_a, renamed_b;
  for (uint64_t i = 0; i < in_a.size(); ++i) {
    if (in_a[i]) a.push_back(i), renamed_a.push_back(Mix64(i + names));
    if (in_b[i]) b.push_back(i), renamed_b.push_back(Mix64(i + names));
  }
  RC_PRE(!a.empty() && !b.empty());
  Set spread_a, spread_b;
  MakeFeatureSet(renamed_a, &spread_a);
  MakeFeatureSet(renamed_b, &spread_b);
  RC_ASSERT(Resemblance(a, b) == Resemblance(spread_a, spread_b));
}

// 31^3 triples of sets. src/stages/verify/resemblance_test.cc tests its own functions likewise.
TEST(SimilarityLawsTest, L2DistanceOfSetsIsAMetric) {
  double distance[32][32];
  for (uint32_t a = 1; a < 32; ++a) {
    for (uint32_t b = 1; b < 32; ++b) distance[a][b] = 1 - Resemblance(SetOf(a), SetOf(b));
  }
  int triples = 0;
  for (uint32_t a = 1; a < 32; ++a) {
    for (uint32_t b = 1; b < 32; ++b) {
      for (uint32_t c = 1; c < 32; ++c, ++triples) {
        ASSERT_LE(distance[a][c], distance[a][b] + distance[b][c] + 1e-12);
      }
    }
  }
  EXPECT_EQ(triples, 29'791);
}

// 26^3 triples of bags.
TEST(SimilarityLawsTest, L2DistanceOfBagsByTheGreaterCountsIsAMetric) {
  std::vector<Set> bags;
  for (const auto& counts : SmallBags()) bags.push_back(BagOf(counts));
  const size_t count = bags.size();
  std::vector<double> distance(count * count);
  for (size_t i = 0; i < distance.size(); ++i) {
    distance[i] = 1 - Resemblance(bags[i / count], bags[i % count]);
  }
  int triples = 0;
  for (size_t a = 0; a < count; ++a) {
    for (size_t b = 0; b < count; ++b) {
      for (size_t c = 0; c < count; ++c, ++triples) {
        ASSERT_LE(distance[a * count + c],
                  distance[a * count + b] + distance[b * count + c] + 1e-12);
      }
    }
  }
  EXPECT_EQ(triples, 17'576);
}

// The union as the sum of both sizes gives values between 0 and 1/2, on another scale of the same
// order. It is not a metric, because a bag is 1/2 from itself.
TEST(SimilarityLawsTest, L3BothUnionsOfBags) {
  for (const auto& x : SmallBags()) {
    for (const auto& y : SmallBags()) {
      const Set a = BagOf(x), b = BagOf(y);
      double least = 0, most = 0, sum = 0;
      bool sets = true;
      uint32_t set_a = 0, set_b = 0;
      for (uint32_t i = 0; i < 3; ++i) {
        least += std::min(x[i], y[i]), most += std::max(x[i], y[i]), sum += x[i] + y[i];
        sets = sets && x[i] <= 1 && y[i] <= 1;
        set_a |= x[i] << i, set_b |= y[i] << i;
      }
      const double m = Resemblance(a, b);
      const double s = static_cast<double>(Common(a, b)) / static_cast<double>(a.size() + b.size());
      ASSERT_EQ(m, least / most);
      ASSERT_EQ(s, least / sum);
      ASSERT_LE(s, .5);
      ASSERT_NEAR(m, s / (1 - s), 1e-12);
      ASSERT_EQ(s == .5, x == y);
      if (sets) {
        ASSERT_EQ(m, Resemblance(SetOf(set_a), SetOf(set_b)));
      }
    }
  }
}

TEST(SimilarityLawsTest, L4Containment) {
  bool differs = false;
  for (uint32_t a = 1; a < 64; ++a) {
    for (uint32_t b = 1; b < 64; ++b) {
      const Set x = SetOf(a), y = SetOf(b);
      const double ab = Containment(x, y), ba = Containment(y, x);
      const double size_a = std::popcount(a), size_b = std::popcount(b);
      ASSERT_NEAR(size_a * ab, std::popcount(a & b), 1e-12);
      ASSERT_NEAR(size_a * ab, size_b * ba, 1e-12);
      differs |= ab != ba;
      if ((a & b) == a) {
        ASSERT_EQ(ab, 1);
        ASSERT_EQ(Resemblance(x, y), size_a / size_b);
      }
      if (ab > 0) {
        ASSERT_NEAR(Resemblance(x, y), 1 / (1 / ab + 1 / ba - 1), 1e-12);
      }
    }
  }
  EXPECT_TRUE(differs) << "it is not symmetric";
}

// A weight of n, equal wherever the feature is, is n occurrences of it.
RC_GTEST_PROP(SimilarityLawsTest, L7WholeWeightsAreReplication, ()) {
  const auto draw = [](int from, int to) { return *rc::gen::inRange(from, to); };
  const int features = draw(1, 8);
  std::vector<uint32_t> a, b;
  double common = 0, all = 0;
  for (int i = 0; i < features; ++i) {
    const auto weight = static_cast<uint32_t>(draw(1, 6));
    const bool in_a = i == 0 || draw(0, 2) == 1, in_b = i == 0 || draw(0, 2) == 1;
    a.push_back(in_a ? weight : 0);
    b.push_back(in_b ? weight : 0);
    if (in_a && in_b) common += weight;
    if (in_a || in_b) all += weight;
  }
  RC_ASSERT(Resemblance(BagOf(a), BagOf(b)) == common / all);
}

// Golden facts 2.1, exercises 3.1.3 and 3.3.4: two random sets of m of n elements, by the two
// formulas and, if there are few, over all pairs.
double Choose(double n, double k) {
  if (k < 0 || k > n) return 0;
  double product = 1;
  for (double i = 1; i <= k; ++i) product *= (n - k + i) / i;
  return product;
}

double ByOverlap(int n, int m) {
  double mean = 0;
  for (int i = std::max(0, 2 * m - n); i <= m; ++i) {
    mean += Choose(m, i) / Choose(n, m) * Choose(n - m, m - i) * i / (2 * m - i);
  }
  return mean;
}

double ByMinimum(int n, int m) {
  double mean = 0;
  for (int k = 1; k <= n - m + 1; ++k) mean += std::pow(Choose(n - k, m - 1) / Choose(n, m), 2);
  return mean;
}

double OverAllPairs(int n, int m) {
  double sum = 0, pairs = 0;
  for (uint32_t a = 0; a < 1U << n; ++a) {
    if (std::popcount(a) != m) continue;
    for (uint32_t b = 0; b < 1U << n; ++b) {
      if (std::popcount(b) == m) sum += Resemblance(SetOf(a), SetOf(b)), ++pairs;
    }
  }
  return sum / pairs;
}

TEST(SimilarityFactsTest, Facts21ExpectedResemblanceOfRandomSets) {
  const struct {
    int n, m;
    double expected, naive;  // naive: m / (2 n - m), from the expected overlap
  } rows[] = {{2, 1, 1. / 2, .3333},
              {3, 1, 1. / 3, .2},
              {3, 2, 5. / 9, .5},
              {4, 2, 7. / 18, .3333},
              {5, 2, 3. / 10, .25},
              {5, 3, 23. / 50, .4286},
              {6, 3, 73. / 200, .3333},
              {8, 4, 871. / 2450, .3333},
              {10, 3, 241. / 1200, .1765},
              {10, 5, 5563. / 15876, .3333},
              {20, 5, 14381. / 93024, .1429},
              {100, 10, .0551188, .0526},
              {100, 50, .3348348, .3333},
              {1000, 100, .0528690, .0526}};
  for (const auto& row : rows) {
    SCOPED_TRACE(row.n * 1000 + row.m);
    const double slack = row.n > 20 ? 5e-8 : 1e-12;
    EXPECT_NEAR(ByOverlap(row.n, row.m), row.expected, slack);
    EXPECT_NEAR(ByMinimum(row.n, row.m), row.expected, slack);
    EXPECT_NEAR(row.m / (2. * row.n - row.m), row.naive, 5e-5);
    if (row.n <= 8) {
      EXPECT_NEAR(OverAllPairs(row.n, row.m), row.expected, 1e-12);
    }
  }
}

}  // namespace
}  // namespace lookalike
