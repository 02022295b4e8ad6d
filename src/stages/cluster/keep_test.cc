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
