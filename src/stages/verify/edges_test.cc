#include "stages/verify/edges.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <random>
#include <set>
#include <vector>

namespace lookalike {
namespace {

DocumentSets RandomSets(uint64_t documents, std::mt19937_64* random) {
  DocumentSets sets;
  for (DocNumber doc = 0; doc < documents; ++doc) {
    if ((*random)() % 8 == 0) continue;  // not all documents have a set
    std::set<uint64_t> set;
    for (uint64_t i = (*random)() % 20; i > 0; --i) set.insert((*random)() % 24);
    sets.documents.push_back(doc);
    sets.sets.Add(std::vector<uint64_t>(set.begin(), set.end()));
  }
  return sets;
}

uint32_t PlainCommon(std::span<const uint64_t> a, std::span<const uint64_t> b) {
  std::vector<uint64_t> common;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(common));
  return static_cast<uint32_t>(common.size());
}

using Row = std::tuple<Rank, Rank, uint32_t, uint32_t, uint32_t>;

std::vector<Row> Rows(const std::vector<Edge>& edges) {
  std::vector<Row> rows;
  for (const Edge& e : edges) rows.emplace_back(e.a, e.d, e.common, e.size_a, e.size_d);
  return rows;
}

TEST(VerifyPairsTest, KeepsExactlyThePairsAtOrAboveTheThreshold) {
  std::mt19937_64 random(1);
  for (const double t : {.1, .5, 2. / 3, .7, .8, 1.}) {
    const DocumentSets sets = RandomSets(60, &random);
    std::vector<CandidatePair> pairs;
    std::vector<Row> expected;
    for (const DocNumber d : sets.documents) {
      for (const DocNumber a : sets.documents) {
        if (a >= d) break;
        pairs.push_back({a, d});
        const auto x = sets.Of(a), y = sets.Of(d);
        const uint32_t common = PlainCommon(x, y);
        const auto all = static_cast<double>(x.size() + y.size() - common);
        if (all == 0 || common / all < t) continue;
        expected.emplace_back(a, d, common, x.size(), y.size());
      }
    }
    EXPECT_EQ(Rows(VerifyPairs(pairs, sets, {}, t)), expected) << t;
  }
}

TEST(VerifyPairsTest, RanksAreTurnedIntoDocuments) {
  DocumentSets sets;
  sets.documents = {10, 20, 30};
  sets.sets.Add(std::vector<uint64_t>{1, 2});
  sets.sets.Add(std::vector<uint64_t>{7, 8, 9});
  sets.sets.Add(std::vector<uint64_t>{1, 2, 3});
  std::vector<DocNumber> order(31);
  order[0] = 30, order[1] = 20, order[2] = 10;
  const std::vector<CandidatePair> pairs = {{0, 1}, {0, 2}, {1, 2}};
  const auto edges = VerifyPairs(pairs, sets, order, .6);
  EXPECT_EQ(Rows(edges), (std::vector<Row>{{0, 2, 2, 3, 2}}));
  EXPECT_DOUBLE_EQ(edges.at(0).resemblance(), 2. / 3);
}

// More pairs than one task takes: order is that of the pairs.
TEST(VerifyPairsTest, ManyPairsKeepTheirOrder) {
  DocumentSets sets;
  for (DocNumber doc = 0; doc < 300; ++doc) {
    sets.documents.push_back(doc);
    sets.sets.Add(std::vector<uint64_t>{doc % 7});
  }
  std::vector<CandidatePair> pairs;
  std::vector<Row> expected;
  for (Rank a = 0; a < 300; ++a) {
    for (Rank d = a + 1; d < 300; ++d) {
      pairs.push_back({a, d});
      if (a % 7 == d % 7) expected.emplace_back(a, d, 1, 1, 1);
    }
  }
  EXPECT_EQ(Rows(VerifyPairs(pairs, sets, {}, .5)), expected);
}

TEST(VerifyPairsTest, NothingToDo) { EXPECT_TRUE(VerifyPairs({}, DocumentSets{}, {}, .8).empty()); }

}  // namespace
}  // namespace lookalike
