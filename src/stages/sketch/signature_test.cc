// The documents' worked examples of min-wise signatures, by MergeSketch: a row gives its hashes to
// every set that holds it, and partial signatures are reduced the same way.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "stages/candidates/band_keys.h"
#include "stages/candidates/design.h"
#include "stages/sketch/sketch.h"

namespace lookalike {
namespace {

constexpr uint32_t kNone = UINT32_MAX;

using Signature = std::vector<uint32_t>;
using Sets = std::vector<std::vector<uint32_t>>;    // rows of each set
using Hashes = std::vector<std::vector<uint32_t>>;  // hashes[i][row] of function i

/// Returns the signatures of all sets over rows first <= row < last.
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
    double resemblance, with_two, with_three, with_four;
  } pairs[] = {{0, 1, 0, 0, 0, 0},           {0, 2, 1. / 4, 1. / 2, 2. / 3, 1. / 2},
               {0, 3, 2. / 3, 1, 1, 3. / 4}, {1, 2, 0, 0, 0, 0},
               {1, 3, 1. / 3, 0, 0, 1. / 4}, {2, 3, 1. / 5, 1. / 2, 2. / 3, 1. / 2}};
  for (const auto& p : pairs) {
    EXPECT_DOUBLE_EQ(Resemblance(kFigure34[p.a], kFigure34[p.b]), p.resemblance);
    const auto first = [&](size_t set, size_t count) {
      return Signature(made[set].begin(), made[set].begin() + static_cast<ptrdiff_t>(count));
    };
    EXPECT_DOUBLE_EQ(Agreement(first(p.a, 2), first(p.b, 2)), p.with_two) << p.a << p.b;
    EXPECT_DOUBLE_EQ(Agreement(first(p.a, 3), first(p.b, 3)), p.with_three) << p.a << p.b;
    EXPECT_DOUBLE_EQ(Agreement(made[p.a], made[p.b]), p.with_four) << p.a << p.b;
  }
}

// Functions that are not permutations make disjoint sets agree.
TEST(SignatureTest, Exercise333) {
  const Sets sets = {{2, 5}, {0, 1}, {3, 4}, {0, 2, 4}};
  const Hashes hashes = {{1, 3, 5, 1, 3, 5}, {2, 5, 2, 5, 2, 5}, {2, 1, 0, 5, 4, 3}};
  const auto made = SignaturesOf(sets, hashes, 0, 6);
  const std::vector<Signature> expected = {{5, 2, 0}, {1, 2, 1}, {1, 2, 4}, {1, 2, 0}};
  EXPECT_EQ(made, expected);
  const struct {
    size_t a, b;
    double resemblance, estimate;
  } pairs[] = {{0, 1, 0, 1. / 3}, {0, 2, 0, 1. / 3},      {0, 3, 1. / 4, 2. / 3},
               {1, 2, 0, 2. / 3}, {1, 3, 1. / 4, 2. / 3}, {2, 3, 1. / 4, 2. / 3}};
  for (const auto& p : pairs) {
    EXPECT_DOUBLE_EQ(Resemblance(sets[p.a], sets[p.b]), p.resemblance) << p.a << p.b;
    EXPECT_DOUBLE_EQ(Agreement(made[p.a], made[p.b]), p.estimate) << p.a << p.b;
  }
  for (size_t i = 0; i < hashes.size(); ++i) {
    const std::set<uint32_t> values(hashes[i].begin(), hashes[i].end());
    EXPECT_EQ(values.size() == 6, i == 2) << "only the third is a permutation";
  }
}

// Exercise 3.3.5: under permutations, disjoint sets agree nowhere, whichever permutations they are.
TEST(SignatureTest, Exercise335DisjointSetsAgreeNowhere) {
  std::vector<uint32_t> order(5);
  std::iota(order.begin(), order.end(), 0);
  do {
    const auto made = SignaturesOf({{0, 3}, {1, 2}, {4}}, {order}, 0, 5);
    ASSERT_TRUE(made[0] != made[1] && made[0] != made[2] && made[1] != made[2]);
  } while (std::next_permutation(order.begin(), order.end()));
}

// Exercise 3.3.6: the number of ordered pairs of sets of n rows for which the n cyclic orders are
// wrong. The smallest case is {0} and {0, 1} of three rows: 2/3 instead of 1/2.
TEST(SignatureTest, Exercise336CyclicOrders) {
  const struct {
    uint32_t rows;
    int pairs, wrong;
  } cases[] = {{2, 9, 0}, {3, 49, 12}, {4, 225, 88}};
  for (const auto& c : cases) {
    Hashes hashes;
    for (uint32_t shift = 0; shift < c.rows; ++shift) {
      hashes.emplace_back();
      for (uint32_t row = 0; row < c.rows; ++row) hashes.back().push_back((row + shift) % c.rows);
    }
    Sets sets;
    for (uint32_t bits = 1; bits < 1U << c.rows; ++bits) {
      sets.emplace_back();
      for (uint32_t row = 0; row < c.rows; ++row) {
        if ((bits >> row & 1) != 0) sets.back().push_back(row);
      }
    }
    const auto made = SignaturesOf(sets, hashes, 0, c.rows);
    int pairs = 0, wrong = 0;
    for (size_t a = 0; a < sets.size(); ++a) {
      for (size_t b = 0; b < sets.size(); ++b, ++pairs) {
        const double difference = Agreement(made[a], made[b]) - Resemblance(sets[a], sets[b]);
        wrong += std::abs(difference) > 1e-9;
      }
    }
    EXPECT_EQ(pairs, c.pairs) << c.rows;
    EXPECT_EQ(wrong, c.wrong) << c.rows;
    if (c.rows != 3) continue;
    EXPECT_DOUBLE_EQ(Agreement(made[0], made[2]), 2. / 3) << "{0} and {0, 1}";
  }
}

// The slides' matrix of seven rows and four columns, with three permutations.
TEST(SignatureTest, SlidesOfSevenRows) {
  const Sets sets = {{0, 1, 5, 6}, {2, 3, 4}, {0, 5, 6}, {1, 2, 3, 4}};
  const Hashes hashes = {{2, 3, 7, 6, 1, 5, 4}, {4, 2, 1, 3, 6, 7, 5}, {3, 4, 7, 2, 6, 1, 5}};
  const auto made = SignaturesOf(sets, hashes, 0, 7);
  const std::vector<Signature> expected = {{2, 2, 1}, {1, 1, 2}, {2, 4, 1}, {1, 1, 2}};
  EXPECT_EQ(made, expected);
  const struct {
    size_t a, b;
    double resemblance, estimate;
  } pairs[] = {{0, 2, 3. / 4, 2. / 3}, {1, 3, 3. / 4, 1}, {0, 1, 0, 0},
               {2, 3, 0, 0},           {0, 3, 1. / 7, 0}, {1, 2, 0, 0}};
  for (const auto& p : pairs) {
    EXPECT_DOUBLE_EQ(Resemblance(sets[p.a], sets[p.b]), p.resemblance) << p.a << p.b;
    EXPECT_DOUBLE_EQ(Agreement(made[p.a], made[p.b]), p.estimate) << p.a << p.b;
  }
  // The same as row numbers, counted from 1.
  const std::vector<Signature> rows = {{1, 2, 6}, {5, 3, 4}, {1, 1, 6}, {5, 3, 4}};
  for (size_t c = 0; c < sets.size(); ++c) {
    for (size_t i = 0; i < hashes.size(); ++i) {
      EXPECT_EQ(hashes[i][rows[c][i] - 1], made[c][i]) << c << " " << i;
    }
  }
}

/// Returns the pairs of signatures that have an equal key in one of the bands.
std::set<std::pair<size_t, size_t>> Candidates(const std::vector<Signature>& signatures,
                                               const char* design_text, uint32_t first_key,
                                               uint32_t last_key) {
  const Design design = *ParseDesign(design_text);
  std::vector<std::vector<uint64_t>> keys;
  for (const Signature& signature : signatures) {
    keys.emplace_back(design.keys);
    MakeBandKeys(design, signature, keys.back());
  }
  std::set<std::pair<size_t, size_t>> pairs;
  for (size_t a = 0; a < keys.size(); ++a) {
    for (size_t b = a + 1; b < keys.size(); ++b) {
      for (uint32_t key = first_key; key < last_key; ++key) {
        if (keys[a][key] == keys[b][key]) pairs.emplace(a, b);
      }
    }
  }
  return pairs;
}

// Castillo's matrix of three rows and four documents, in one band and in three.
TEST(SignatureTest, MatrixOfThreeRowsInBands) {
  const std::vector<Signature> made = {{2, 1, 2}, {1, 2, 1}, {4, 1, 2}, {1, 2, 1}};
  for (size_t a = 0; a < 4; ++a) {
    for (size_t b = a + 1; b < 4; ++b) {
      const double expected = a == 1 && b == 3 ? 1 : a == 0 && b == 2 ? 2. / 3 : 0;
      EXPECT_DOUBLE_EQ(Agreement(made[a], made[b]), expected) << a << b;
    }
  }
  using Pairs = std::set<std::pair<size_t, size_t>>;
  EXPECT_EQ(Candidates(made, "bands:1x3", 0, 1), (Pairs{{1, 3}}));
  EXPECT_EQ(Candidates(made, "bands:3x1", 0, 3), (Pairs{{0, 2}, {1, 3}}));
}

// MMDS, example 3.10 and figure 3.6: in the first of four bands of three rows, the second and the
// fourth of the columns shown share a bucket, and no others do.
TEST(SignatureTest, Example310FirstBand) {
  const std::vector<Signature> shown = {{1, 3, 0}, {0, 2, 1}, {0, 1, 3}, {0, 2, 1}, {2, 2, 1}};
  std::vector<Signature> columns;
  uint32_t other = 100;
  for (const Signature& band : shown) {
    columns.push_back(band);
    while (columns.back().size() < 12) columns.back().push_back(other++);
  }
  const std::set<std::pair<size_t, size_t>> expected = {{1, 3}};
  EXPECT_EQ(Candidates(columns, "bands:4x3", 0, 1), expected);
  EXPECT_EQ(Candidates(columns, "bands:4x3", 1, 4).size(), 0u);
}

// Exercise 3.3.7: each map task has some rows, and the reduction takes the least of each
// coordinate.
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

// MMDS, figure 3.2 and example 3.7: with the rows in the order b e a d c, the least rows of S1 ..
// S4 are a, c, b and a.
TEST(SignatureTest, Example37OneOrder) {
  const auto made = SignaturesOf(kFigure34, {{2, 0, 4, 3, 1}}, 0, 5);
  EXPECT_EQ(made, (std::vector<Signature>{{2}, {4}, {0}, {2}}));
}

// Over all 120 orders of the rows, the share of equal minima is the resemblance, exactly.
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
