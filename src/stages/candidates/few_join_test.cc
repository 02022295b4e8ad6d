#include "stages/candidates/few_join.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "kernels/splitmix.h"

namespace lookalike {
namespace {

using Sets = std::vector<std::vector<uint64_t>>;  // keys of features, sorted
using PairSet = std::set<std::pair<Rank, Rank>>;

/// Holds the pairs, and counts how they come.
class Counted : public JoinSink {
 public:
  Status AddPairs(std::span<const CandidatePair> some) override {
    for (const CandidatePair& pair : some) pairs.insert({pair.a, pair.d});
    given += some.size();
    most = std::max(most, some.size());
    return {};
  }
  Status AddRefined(std::span<const KeyRecord> /*records*/) override { return {}; }
  Status CheckStop() override {
    ++asked;
    return stop ? Status(Cancelled()) : Status();
  }

  PairSet pairs;
  size_t given = 0, most = 0, asked = 0;
  bool stop = false;
};

Status Join(const Sets& sets, double threshold, const BucketRules& rules, Counted* sink) {
  std::vector<FewSet> given;
  for (Rank rank = 0; rank < sets.size(); ++rank) given.push_back({rank, sets[rank]});
  return JoinFewSets(FewFeatures(threshold), rules, {}, given, sink);
}

BucketRules AllPairs() {
  BucketRules rules;
  rules.all_pairs = true;
  return rules;
}

PairSet Alike(const Sets& sets, double threshold) {
  PairSet pairs;
  for (Rank a = 0; a < sets.size(); ++a) {
    for (Rank d = a + 1; d < sets.size(); ++d) {
      std::vector<uint64_t> common;
      std::ranges::set_intersection(sets[a], sets[d], std::back_inserter(common));
      if (MeetsThreshold(common.size(), sets[a].size(), sets[d].size(), threshold)) {
        pairs.insert({a, d});
      }
    }
  }
  return pairs;
}

TEST(FewJoinTest, DocumentsOfOneSizeMeet) {
  Counted sink;
  ASSERT_TRUE(Join({{4, 8, 12}, {4, 8, 12}, {28, 32, 36}}, .5, AllPairs(), &sink));
  EXPECT_EQ(sink.pairs, (PairSet{{0, 1}}));
}

// Some features are in more documents than FrequentFeatures::kFrequent.
TEST(FewJoinTest, NoPairIsMissedAmongFrequentFeatures) {
  std::mt19937_64 random(3);
  Sets sets(3000);
  for (auto& set : sets) {
    std::set<uint64_t> some;
    for (size_t draws = 1 + random() % 12; draws > 0; --draws) some.insert(Mix64(random() % 7));
    if (random() % 4 == 0) some.insert(Mix64(100 + random() % 200));
    set.assign(some.begin(), some.end());
  }
  Counted sink;
  ASSERT_TRUE(Join(sets, .7, AllPairs(), &sink));
  EXPECT_TRUE(std::ranges::includes(sink.pairs, Alike(sets, .7)));
}

TEST(FewJoinTest, LargeBucketsOfCopiesMeetTheFirstIfOnlyTheKeptAreWanted) {
  const Sets sets(100, {4, 8, 12, 16});
  Counted all, kept;
  ASSERT_TRUE(Join(sets, .8, AllPairs(), &all));
  EXPECT_EQ(all.pairs.size(), 4950U);
  ASSERT_TRUE(Join(sets, .8, {}, &kept));
  PairSet expected;
  for (Rank d = 1; d < 100; ++d) expected.insert({0, d});
  EXPECT_EQ(kept.pairs, expected);
}

// The document of a large bucket that represents all others is of one guard only.
TEST(FewJoinTest, LargeBucketsOfCopiesMeetTheFirstOfTheirGuardToo) {
  const std::vector<uint64_t> keys = {4, 8, 12, 16};
  constexpr Rank kDocuments = 100, kGuards = 7;
  std::vector<FewSet> sets;
  PairSet expected;
  for (Rank d = 0; d < kDocuments; ++d) {
    sets.push_back({d, keys, Mix64(d % kGuards)});
    if (d != 0) expected.insert({0, d});
    for (Rank a = d % kGuards; a < d; a += kGuards) {
      if (a == d % kGuards) expected.insert({a, d});
    }
  }
  BucketRules rules;
  Counted unguarded, guarded;
  rules.small = rules.small_at_last = 8;
  ASSERT_TRUE(JoinFewSets(FewFeatures(.8), rules, {}, sets, &unguarded));
  EXPECT_EQ(unguarded.pairs.size(), kDocuments - 1) << "guards are not looked at";
  rules.guarded = true;
  ASSERT_TRUE(JoinFewSets(FewFeatures(.8), rules, {}, sets, &guarded));
  EXPECT_TRUE(std::ranges::includes(guarded.pairs, expected));
  EXPECT_LT(guarded.pairs.size(), 1000U) << "not all are compared";
}

TEST(FewJoinTest, PairsComeByTheBlock) {
  Counted sink;
  ASSERT_TRUE(Join(Sets(200, {4}), .8, AllPairs(), &sink));
  EXPECT_EQ(sink.given, 19900U);
  EXPECT_EQ(sink.most, 4096U);
}

TEST(FewJoinTest, AStopIsSeenAmongTheComparisons) {
  Counted sink;
  sink.stop = true;
  const Status status = Join(Sets(2000, {4}), .8, AllPairs(), &sink);
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().code, ErrorCode::kCancelled);
  EXPECT_EQ(sink.asked, 1U);
}

}  // namespace
}  // namespace lookalike
