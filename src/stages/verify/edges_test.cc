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

// More pairs than one task takes: results are in the order of the pairs.
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

/// Makes a stored sketch of 32 coordinates, the first `equal` of which are 7 and all others
/// `other`.
std::vector<uint64_t> Stored(uint32_t features, uint32_t equal, uint32_t other) {
  std::vector<uint64_t> words = {features};
  for (uint32_t i = 0; i < 32; i += 2) {
    const uint64_t low = i < equal ? 7 : other, high = i + 1 < equal ? 7 : other;
    words.push_back(high << 32 | low);
  }
  return words;
}

/// Accepts pairs with at least this many equal coordinates.
LookAtPair AtLeast(uint32_t least, uint32_t coordinates = 32) {
  return [=](const CandidatePair& pair, StoredValues a, StoredValues d) -> std::optional<Edge> {
    const uint32_t equal = CountEqualCoordinates(a, d, coordinates);
    if (equal < least) return std::nullopt;
    return Edge{pair.a, pair.d, equal, static_cast<uint32_t>(a[0]), static_cast<uint32_t>(d[0])};
  };
}

TEST(MatchSketchesTest, CountsEqualCoordinatesAndCarriesNumbersOfFeatures) {
  DocumentSets sketches;
  for (uint32_t equal = 0; equal <= 32; ++equal) {
    sketches.documents.push_back(equal);
    sketches.sets.Add(Stored(100 + equal, equal, 1000 + equal));
  }
  std::vector<CandidatePair> pairs;
  for (Rank a = 0; a < 32; ++a) pairs.push_back({a, 32});
  for (const uint32_t least : {0U, 1U, 17U, 31U, 32U}) {
    std::vector<Row> expected;
    for (uint32_t a = least; a < 32; ++a) expected.emplace_back(a, 32, a, 100 + a, 132);
    EXPECT_EQ(Rows(MatchSets(pairs, sketches, {}, AtLeast(least))), expected) << least;
  }
}

// An odd number of coordinates leaves half of the last word, which is equal in all sketches.
TEST(MatchSketchesTest, WhatFillsTheLastWordDoesNotCount) {
  DocumentSets sketches;
  sketches.documents = {0, 1};
  sketches.sets.Add(std::vector<uint64_t>{5, 0x200000001, 3});
  sketches.sets.Add(std::vector<uint64_t>{6, 0x200000009, 3});
  const std::vector<CandidatePair> pairs = {{0, 1}};
  EXPECT_EQ(Rows(MatchSets(pairs, sketches, {}, AtLeast(2, 3))),
            (std::vector<Row>{{0, 1, 2, 5, 6}}));
  EXPECT_TRUE(MatchSets(pairs, sketches, {}, AtLeast(3, 3)).empty());
}

TEST(MatchSketchesTest, RanksAreTurnedIntoDocuments) {
  DocumentSets sketches;
  sketches.documents = {4, 9};
  sketches.sets.Add(Stored(5, 32, 0));
  sketches.sets.Add(Stored(6, 20, 0));
  const std::vector<DocNumber> order = {9, 4};
  const std::vector<CandidatePair> pairs = {{0, 1}};
  EXPECT_EQ(Rows(MatchSets(pairs, sketches, order, AtLeast(20))),
            (std::vector<Row>{{0, 1, 20, 6, 5}}));
  EXPECT_TRUE(MatchSets(pairs, sketches, order, AtLeast(21)).empty());
}

TEST(VerifyPairsTest, NothingToDo) { EXPECT_TRUE(VerifyPairs({}, DocumentSets{}, {}, .8).empty()); }

}  // namespace
}  // namespace lookalike
