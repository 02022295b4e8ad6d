// The documents' worked examples of min-wise signatures, by MergeSketch: a row gives its hashes to
// every set that holds it, and partial signatures are reduced likewise.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>
#include <vector>

#include "stages/sketch/sketch.h"

namespace lookalike {
namespace {

constexpr uint32_t kNone = UINT32_MAX;

using Signature = std::vector<uint32_t>;
using Sets = std::vector<std::vector<uint32_t>>;    // rows of each set
using Hashes = std::vector<std::vector<uint32_t>>;  // hashes[i][row] of function i

/// Signatures of all sets over rows first <= row < last.
std::vector<Signature> SignaturesOf(const Sets& sets, const Hashes& hashes, uint32_t first,
                                    uint32_t last) {
  std::vector<Signature> signatures(sets.size(), Signature(hashes.size(), kNone));
  for (uint32_t row = first; row < last; ++row) {
    Signature of_row;
    for (const auto& function : hashes) of_row.push_back(function[row]);
    for (size_t c = 0; c < sets.size(); ++c) {
      if (std::count(sets[c].begin(), sets[c].end(), row) > 0) MergeSketch(of_row, signatures[c]);
    }
  }
  return signatures;
}

double Agreement(const Signature& a, const Signature& b) {
  double equal = 0;
  for (size_t i = 0; i < a.size(); ++i) equal += a[i] == b[i];
  return equal / static_cast<double>(a.size());
}

double Resemblance(const std::vector<uint32_t>& a, const std::vector<uint32_t>& b) {
  std::set<uint32_t> both(a.begin(), a.end());
  both.insert(b.begin(), b.end());
  const auto all = static_cast<double>(both.size());
  return (static_cast<double>(a.size() + b.size()) - all) / all;
}

// Mining of Massive Datasets, example 3.8 and exercise 3.3.2.
const Sets kFigure34 = {{0, 3}, {2}, {1, 3, 4}, {0, 2, 3}};
const Hashes kExample38 = {{1, 2, 3, 4, 0}, {1, 4, 2, 0, 3}};  // x + 1, 3 x + 1 mod 5

TEST(SignatureTest, Example38RowByRow) {
  const std::vector<std::vector<Signature>> after = {
      {{1, 1}, {kNone, kNone}, {kNone, kNone}, {1, 1}},
      {{1, 1}, {kNone, kNone}, {2, 4}, {1, 1}},
      {{1, 1}, {3, 2}, {2, 4}, {1, 1}},
      {{1, 0}, {3, 2}, {2, 0}, {1, 0}},
      {{1, 0}, {3, 2}, {0, 0}, {1, 0}}};
  for (uint32_t row = 0; row < 5; ++row) {
    EXPECT_EQ(SignaturesOf(kFigure34, kExample38, 0, row + 1), after[row]) << "after row " << row;
  }
}

TEST(SignatureTest, Exercise332MoreFunctions) {
  Hashes hashes = kExample38;
  hashes.push_back({4, 1, 3, 0, 2});  // 2 x + 4
  hashes.push_back({4, 2, 0, 3, 1});  // 3 x - 1
  const auto made = SignaturesOf(kFigure34, hashes, 0, 5);
  const std::vector<Signature> expected = {{1, 0, 0, 3}, {3, 2, 3, 0}, {0, 0, 0, 1}, {1, 0, 0, 0}};
  EXPECT_EQ(made, expected);
  const struct {
    size_t a, b;
    double resemblance, estimate;
  } pairs[] = {{0, 1, 0, 0}, {0, 2, 1. / 4, .5},  {0, 3, 2. / 3, .75},
               {1, 2, 0, 0}, {1, 3, 1. / 3, .25}, {2, 3, 1. / 5, .5}};
  for (const auto& p : pairs) {
    EXPECT_DOUBLE_EQ(Resemblance(kFigure34[p.a], kFigure34[p.b]), p.resemblance);
    EXPECT_DOUBLE_EQ(Agreement(made[p.a], made[p.b]), p.estimate) << p.a << p.b;
  }
}

// Functions that are no permutations make disjoint sets agree.
TEST(SignatureTest, Exercise333) {
  const Sets sets = {{2, 5}, {0, 1}, {3, 4}, {0, 2, 4}};
  const Hashes hashes = {{1, 3, 5, 1, 3, 5}, {2, 5, 2, 5, 2, 5}, {2, 1, 0, 5, 4, 3}};
  const auto made = SignaturesOf(sets, hashes, 0, 6);
  const std::vector<Signature> expected = {{5, 2, 0}, {1, 2, 1}, {1, 2, 4}, {1, 2, 0}};
  EXPECT_EQ(made, expected);
  EXPECT_DOUBLE_EQ(Agreement(made[1], made[2]), 2. / 3);
  EXPECT_EQ(Resemblance(sets[1], sets[2]), 0);
}

// The slides' matrix of seven rows and four columns, with three permutations.
TEST(SignatureTest, SlidesOfSevenRows) {
  const Sets sets = {{0, 1, 5, 6}, {2, 3, 4}, {0, 5, 6}, {1, 2, 3, 4}};
  const Hashes hashes = {{2, 3, 7, 6, 1, 5, 4}, {4, 2, 1, 3, 6, 7, 5}, {3, 4, 7, 2, 6, 1, 5}};
  const auto made = SignaturesOf(sets, hashes, 0, 7);
  const std::vector<Signature> expected = {{2, 2, 1}, {1, 1, 2}, {2, 4, 1}, {1, 1, 2}};
  EXPECT_EQ(made, expected);
  EXPECT_DOUBLE_EQ(Agreement(made[0], made[2]), 2. / 3);
  EXPECT_DOUBLE_EQ(Agreement(made[1], made[3]), 1);
  EXPECT_DOUBLE_EQ(Agreement(made[0], made[1]), 0);
}

// Exercise 3.3.7: each map task has some rows, and the reduction is the least of each coordinate.
TEST(SignatureTest, AnyChunksOfTheRowsReduceToTheSame) {
  const auto whole = SignaturesOf(kFigure34, kExample38, 0, 5);
  for (uint32_t cut = 0; cut <= 5; ++cut) {
    for (uint32_t second = cut; second <= 5; ++second) {
      auto reduced = SignaturesOf(kFigure34, kExample38, second, 5);
      for (size_t c = 0; c < reduced.size(); ++c) {
        MergeSketch(SignaturesOf(kFigure34, kExample38, 0, cut)[c], reduced[c]);
        MergeSketch(SignaturesOf(kFigure34, kExample38, cut, second)[c], reduced[c]);
      }
      EXPECT_EQ(reduced, whole) << cut << " " << second;
    }
  }
}

// Over all 120 orders of the rows the share of equal minima is the resemblance, exactly.
TEST(SignatureTest, AllPermutationsOfFigure32) {
  std::vector<uint32_t> order(5);
  std::iota(order.begin(), order.end(), 0);
  Hashes hashes;
  do hashes.push_back(order);
  while (std::next_permutation(order.begin(), order.end()));
  ASSERT_EQ(hashes.size(), 120u);
  const auto made = SignaturesOf(kFigure34, hashes, 0, 5);
  for (size_t a = 0; a < 4; ++a) {
    for (size_t b = 0; b < 4; ++b) {
      EXPECT_DOUBLE_EQ(Agreement(made[a], made[b]), Resemblance(kFigure34[a], kFigure34[b]));
    }
  }
}

}  // namespace
}  // namespace lookalike
