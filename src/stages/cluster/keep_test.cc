#include "stages/cluster/keep.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <tuple>
#include <vector>

namespace lookalike {
namespace {

using Row = std::tuple<Rank, Rank, double, RemovalKind>;

std::vector<Row> Rows(const std::vector<Removal>& removals) {
  std::vector<Row> rows;
  for (const Removal& r : removals) rows.emplace_back(r.removed, r.witness, r.resemblance, r.kind);
  return rows;
}

Edge Similar(Rank a, Rank d, uint32_t common = 9) { return {a, d, common, 10, 10}; }

std::vector<Row> Keep(std::vector<Edge> edges, uint64_t documents) {
  SortEdgesForKeep(&edges);
  GreedyKeep keep(documents);
  std::vector<Removal> removals;
  for (const Edge& edge : edges) {
    if (const auto removal = keep.Take(edge)) removals.push_back(*removal);
  }
  return Rows(removals);
}

constexpr double kNine = 9. / 11;

TEST(KeepTest, AChainDragsNothingAlong) {
  // 0 - 1 - 2 - 3: 0 removes 1; 2 stays, as its only earlier neighbour is gone; 2 removes 3.
  EXPECT_EQ(
      Keep({Similar(2, 3), Similar(0, 1), Similar(1, 2)}, 4),
      (std::vector<Row>{{1, 0, kNine, RemovalKind::kNear}, {3, 2, kNine, RemovalKind::kNear}}));
}

TEST(KeepTest, TheLowestKeptDocumentIsTheWitness) {
  EXPECT_EQ(
      Keep({Similar(1, 3, 10), Similar(0, 3), Similar(2, 3, 10), Similar(0, 1)}, 5),
      (std::vector<Row>{{1, 0, kNine, RemovalKind::kNear}, {3, 0, kNine, RemovalKind::kNear}}));
  EXPECT_TRUE(Keep({}, 3).empty());
}

TEST(KeepTest, EqualsTheDefinition) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 1000; ++i) {
    const uint64_t documents = 1 + random() % 30;
    std::map<std::pair<Rank, Rank>, Edge> edges;
    for (uint64_t j = random() % 80; j > 0; --j) {
      const Rank x = random() % documents, y = random() % documents;
      const auto common = static_cast<uint32_t>(1 + random() % 10);
      const Edge edge = Similar(std::min(x, y), std::max(x, y), common);
      if (x != y) edges.try_emplace({edge.a, edge.d}, edge);
    }
    std::vector<Row> expected;
    std::set<Rank> kept;
    for (Rank d = 0; d < documents; ++d) {
      const auto witness = std::find_if(kept.begin(), kept.end(), [&](Rank a) {
        return edges.contains({a, d});
      });
      if (witness == kept.end()) {
        kept.insert(d);
      } else {
        expected.emplace_back(d, *witness, edges.at({*witness, d}).resemblance(),
                              RemovalKind::kNear);
      }
    }
    std::vector<Edge> list;
    for (const auto& [pair, edge] : edges) list.push_back(edge);
    std::shuffle(list.begin(), list.end(), random);
    ASSERT_EQ(Keep(list, documents), expected);
  }
}

Bitmap Flags(uint64_t documents, const std::vector<Rank>& set) {
  Bitmap flags(documents);
  for (const Rank rank : set) flags.Set(rank);
  return flags;
}

TEST(PartialKeepTest, WhatACertainlyKeptDocumentRemovesIsNotLookedAtAgain) {
  const Bitmap later = Flags(10, {5, 7, 8});
  PartialKeep keep(later, 6);
  EXPECT_TRUE(keep.IsOpen(2, 7));
  EXPECT_TRUE(keep.Take(Similar(2, 7))) << "2 is never the later one, so nothing removes it";
  EXPECT_FALSE(keep.IsOpen(3, 7)) << "7 has its witness";
  EXPECT_FALSE(keep.Take(Similar(3, 7)));
  EXPECT_FALSE(keep.IsOpen(7, 8)) << "7 is no witness";
  EXPECT_FALSE(keep.Take(Similar(7, 8)));
  EXPECT_TRUE(keep.IsOpen(5, 8));
}

TEST(PartialKeepTest, WhatAnUnsureDocumentMayRemoveStaysOpen) {
  const Bitmap later = Flags(10, {5, 7, 8, 9});
  PartialKeep keep(later, 6);
  EXPECT_TRUE(keep.Take(Similar(5, 7))) << "a pair before the range may remove 5";
  EXPECT_TRUE(keep.IsOpen(6, 7)) << "if 5 is removed, 6 may be the witness of 7";
  EXPECT_TRUE(keep.Take(Similar(7, 8))) << "if 5 is removed, 7 may be kept";
  EXPECT_TRUE(keep.Take(Similar(7, 9)));
  EXPECT_TRUE(keep.IsOpen(8, 9)) << "what an unsure document may remove is unsure itself";
  EXPECT_TRUE(keep.Take(Similar(8, 9)));
  EXPECT_TRUE(keep.IsOpen(3, 9));
}

TEST(PartialKeepTest, AnUnsureDocumentMayTurnOutToBeRemoved) {
  const Bitmap later = Flags(10, {5, 7, 8});
  PartialKeep keep(later, 6);
  EXPECT_TRUE(keep.Take(Similar(5, 7)));
  EXPECT_TRUE(keep.Take(Similar(6, 7)));
  EXPECT_FALSE(keep.IsOpen(7, 8)) << "6 is kept, so 7 is removed by 5 or by 6";
}

TEST(PartialKeepTest, FromTheBorderOnTheRangeKnowsAllPairsOfADocument) {
  const Bitmap later = Flags(10, {5, 6, 7});
  for (const Rank a : {Rank{5}, Rank{6}}) {
    PartialKeep keep(later, 6);
    EXPECT_TRUE(keep.Take(Similar(a, 7)));
    // The range began with other pairs of 5, and all pairs of 6 were unlike.
    EXPECT_EQ(keep.IsOpen(4, 7), a < 6) << a;
  }
}

/// Pairs, the alike ones among them, and how often a range skipped an alike one.
struct PairsInRanges {
  std::vector<CandidatePair> pairs;  // sorted
  std::set<std::pair<Rank, Rank>> alike;
  uint64_t skipped = 0;

  [[nodiscard]] bool AreAlike(const CandidatePair& pair) const {
    return alike.contains({pair.a, pair.d});
  }

  /// Returns the edges that may matter among the pairs from `first` to `end`, as found by a task
  /// that checks only these.
  std::vector<Edge> FindEdges(size_t first, size_t end, const Bitmap& later) {
    std::vector<Edge> edges;
    PartialKeep keep(later, first == 0 ? 0 : pairs[first].d + 1);
    for (size_t i = first; i < end; ++i) {
      const Edge edge = Similar(pairs[i].a, pairs[i].d);
      const bool is_open = keep.IsOpen(edge.a, edge.d);
      if (AreAlike(pairs[i]) && is_open && keep.Take(edge)) {
        edges.push_back(edge);
      } else {
        skipped += AreAlike(pairs[i]);
      }
    }
    return edges;
  }
};

/// Returns random pairs; those that are alike are a random share of them, too.
PairsInRanges RandomPairs(uint64_t documents, std::mt19937_64* random) {
  PairsInRanges made;
  std::set<CandidatePair> pairs;
  const uint64_t alike_in_8 = 1 + (*random)() % 8;
  for (uint64_t j = (*random)() % 80; j > 0; --j) {
    const Rank x = (*random)() % documents, y = (*random)() % documents;
    const CandidatePair pair = {std::min(x, y), std::max(x, y)};
    if (x == y || !pairs.insert(pair).second) continue;
    if ((*random)() % 8 < alike_in_8) made.alike.emplace(pair.a, pair.d);
  }
  made.pairs.assign(pairs.begin(), pairs.end());
  return made;
}

// Tasks check ranges of the pairs without knowing what the others find. What they leave out must
// change neither which documents are kept nor the witness of a removed one.
TEST(PartialKeepTest, EdgesOfRangesRemoveTheSameAsAllEdges) {
  std::mt19937_64 random(2);
  uint64_t skipped = 0;
  for (int i = 0; i < 5'000; ++i) {
    const uint64_t documents = 2 + random() % 30;
    PairsInRanges made = RandomPairs(documents, &random);
    std::vector<Edge> all, found;
    Bitmap later(documents);
    for (const CandidatePair& pair : made.pairs) {
      later.Set(pair.d);
      if (made.AreAlike(pair)) all.push_back(Similar(pair.a, pair.d));
    }
    // Ranges end anywhere, also between two pairs of one document.
    const uint64_t longest = 1 + random() % 40;
    for (size_t first = 0; first < made.pairs.size();) {
      const size_t end = std::min<size_t>(made.pairs.size(), first + 1 + random() % longest);
      const std::vector<Edge> edges = made.FindEdges(first, end, later);
      found.insert(found.end(), edges.begin(), edges.end());
      first = end;
    }
    ASSERT_EQ(Keep(found, documents), Keep(all, documents)) << i;
    skipped += made.skipped;
  }
  EXPECT_GT(skipped, 10'000u) << "ranges are to save work";
}

TEST(RemovalOfCopyTest, CopiesGoWithTheirRepresentative) {
  EXPECT_EQ(
      Rows({RemovalOfCopy({0, 2, 0}, nullptr), RemovalOfCopy({0, 3, 1}, nullptr)}),
      (std::vector<Row>{{2, 0, 1.0, RemovalKind::kExact}, {3, 0, 1.0, RemovalKind::kIdentical}}));
  // Its representative is removed, so it has the resemblance of its representative to the witness.
  const Removal of_rep = {4, 1, .9, RemovalKind::kNear};
  EXPECT_EQ(Rows({RemovalOfCopy({4, 5, 1}, &of_rep)}),
            (std::vector<Row>{{5, 1, .9, RemovalKind::kNear}}));
}

}  // namespace
}  // namespace lookalike
