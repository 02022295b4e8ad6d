#include "stages/candidates/buckets.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "spill/key_partitions.h"

namespace lookalike {
namespace {

constexpr uint32_t kWidth = 16;

using Pairs = std::set<std::pair<Rank, Rank>>;

struct Joined {
  Pairs pairs;
  BucketCounts counts;
};

Joined Join(std::vector<KeyRecord> records, const std::vector<uint8_t>& codes,
            const BucketRules& rules, const std::vector<DocNumber>* order = nullptr) {
  std::vector<CandidatePair> pairs;
  Joined joined;
  const CodeTable table{codes.data(), kWidth, order == nullptr ? nullptr : order->data()};
  JoinPartition(&records, table, rules, &pairs, &joined.counts);
  EXPECT_TRUE(std::is_sorted(pairs.begin(), pairs.end()));
  for (const CandidatePair& pair : pairs) {
    EXPECT_LT(pair.a, pair.d);
    EXPECT_TRUE(joined.pairs.insert({pair.a, pair.d}).second) << "each pair once";
  }
  return joined;
}

std::vector<KeyRecord> OneBucket(uint64_t members, uint64_t key = 77) {
  std::vector<KeyRecord> records;
  for (uint64_t i = 0; i < members; ++i) records.push_back({i, key});
  return records;
}

std::vector<uint8_t> EqualCodes(uint64_t documents) {
  return std::vector<uint8_t>(documents * kWidth, 5);
}

Pairs PairsOfFirst(uint64_t leaders, uint64_t n) {
  Pairs pairs;
  for (Rank a = 0; a < std::min(leaders, n); ++a) {
    for (Rank d = a + 1; d < n; ++d) pairs.insert({a, d});
  }
  return pairs;
}

void ExpectCounts(const BucketCounts& counts, uint64_t buckets, uint64_t met, uint64_t left_out) {
  EXPECT_EQ(counts.buckets, buckets);
  EXPECT_EQ(counts.pairs_met, met);
  EXPECT_EQ(counts.pairs_left_out, left_out);
}

TEST(BucketsTest, SmallBucketsGiveAllPairsAndLargeOnesThoseOfTheLeaders) {
  BucketRules rules;
  rules.small = 8;
  rules.leaders = 3;
  for (uint64_t n = 0; n <= 30; ++n) {
    const uint64_t leaders = n <= rules.small ? n : rules.leaders;
    const Joined joined = Join(OneBucket(n), EqualCodes(n), rules);
    const Pairs expected = PairsOfFirst(leaders, n);
    EXPECT_EQ(joined.pairs, expected) << n;
    ExpectCounts(joined.counts, n >= 2, expected.size(),
                 n * (n - 1) / 2 * (n > 0) - expected.size());
  }
}

TEST(BucketsTest, AllPairsLeavesNoneOut) {
  BucketRules rules;
  rules.small = 2;
  rules.leaders = 1;
  rules.all_pairs = true;
  const Joined joined = Join(OneBucket(20), EqualCodes(20), rules);
  EXPECT_EQ(joined.pairs, PairsOfFirst(20, 20));
  ExpectCounts(joined.counts, 1, 190, 0);
}

TEST(BucketsTest, MoreLeadersThanMembers) {
  BucketRules rules;
  rules.small = 2;
  rules.leaders = 100;
  const Joined joined = Join(OneBucket(5), EqualCodes(5), rules);
  EXPECT_EQ(joined.pairs, PairsOfFirst(5, 5));
  ExpectCounts(joined.counts, 1, 10, 0);
}

TEST(BucketsTest, LeadersAreTheLowestRanks) {
  BucketRules rules;
  rules.small = 2;
  rules.leaders = 1;
  const std::vector<KeyRecord> records = {{40, 1}, {7, 1}, {300, 1}, {12, 1}};
  EXPECT_EQ(Join(records, EqualCodes(301), rules).pairs, (Pairs{{7, 12}, {7, 40}, {7, 300}}));
}

TEST(BucketsTest, KeysThatDifferNeverMeet) {
  const std::vector<KeyRecord> records = {{0, 5}, {1, 6}, {2, 5}, {3, UINT64_MAX}, {4, 0}};
  EXPECT_EQ(Join(records, EqualCodes(5), BucketRules{}).pairs, (Pairs{{0, 2}}));
  EXPECT_TRUE(Join({}, {}, BucketRules{}).pairs.empty());
}

TEST(BucketsTest, APairOfManyBucketsIsOnePair) {
  std::vector<KeyRecord> records;
  for (uint64_t key = 0; key < 10; ++key) {
    records.push_back({3, key});
    records.push_back({9, key});
  }
  const Joined joined = Join(records, EqualCodes(10), BucketRules{});
  EXPECT_EQ(joined.pairs, (Pairs{{3, 9}}));
  ExpectCounts(joined.counts, 10, 10, 0);
}

TEST(BucketsTest, CodesRejectBelowTheFloorOnly) {
  std::vector<uint8_t> codes = EqualCodes(3);
  for (uint32_t i = 0; i < 6; ++i) codes[kWidth + i] = 9;          // 10 of 16 agree with 0 and 2
  for (uint32_t i = 0; i < 7; ++i) codes[2 * kWidth + 9 + i] = 8;  // 9 with 0, 3 with 1
  BucketRules rules;
  const std::pair<uint32_t, Pairs> cases[] = {{0, {{0, 1}, {0, 2}, {1, 2}}},
                                              {3, {{0, 1}, {0, 2}, {1, 2}}},
                                              {4, {{0, 1}, {0, 2}}},
                                              {9, {{0, 1}, {0, 2}}},
                                              {10, {{0, 1}}},
                                              {11, {}}};
  for (const auto& [floor, expected] : cases) {
    rules.agreement_floor = floor;
    EXPECT_EQ(Join(OneBucket(3), codes, rules).pairs, expected) << floor;
  }
}

// Rank r is document order[r]; its codes stand in input order.
TEST(BucketsTest, CodesFollowTheKeepOrder) {
  std::vector<uint8_t> codes = EqualCodes(3);
  std::fill_n(codes.begin() + 2 * kWidth, kWidth, uint8_t{200});  // document 2 is unlike
  const std::vector<DocNumber> order = {2, 0, 1};
  BucketRules rules;
  rules.agreement_floor = 16;
  EXPECT_EQ(Join(OneBucket(3), codes, rules, &order).pairs, (Pairs{{1, 2}}));
  EXPECT_EQ(Join(OneBucket(3), codes, rules).pairs, (Pairs{{0, 1}}));
}

// --- Refinement ---------------------------------------------------------------------------------

Extension OneKeyOver(std::vector<uint16_t> coordinates) {
  Extension extension;
  extension.rows = static_cast<uint32_t>(coordinates.size());
  extension.keys = 1;
  extension.key_coordinates = std::move(coordinates);
  return extension;
}

TEST(BucketsTest, ALargeBucketIsSplitByItsCodes) {
  std::vector<uint8_t> codes = EqualCodes(12);
  for (uint64_t i = 0; i < 12; ++i) codes[i * kWidth + 4] = static_cast<uint8_t>(i % 3);
  BucketRules rules;
  rules.small = 4;
  rules.leaders = 1;
  rules.extensions = {OneKeyOver({4})};
  const Joined joined = Join(OneBucket(12), codes, rules);
  Pairs expected;
  for (Rank a = 0; a < 12; ++a) {
    for (Rank d = a + 3; d < 12; d += 3) expected.insert({a, d});
  }
  EXPECT_EQ(joined.pairs, expected);
  ExpectCounts(joined.counts, 3, 18, 0);
  EXPECT_EQ(joined.counts.refined, 1u);
  EXPECT_EQ(joined.counts.keys_added, 12u);
}

TEST(BucketsTest, ASplitSeesEveryCodeOfItsKeyAndNoOther) {
  for (const uint64_t seen : {4, 7}) {
    std::vector<uint8_t> codes = EqualCodes(12);
    for (uint64_t i = 0; i < 12; ++i) {
      codes[i * kWidth + seen] = static_cast<uint8_t>(i % 3);
      codes[i * kWidth + 5] = static_cast<uint8_t>(i);  // no coordinate of the key
    }
    BucketRules rules;
    rules.small = 4;
    rules.extensions = {OneKeyOver({4, 7})};
    const Joined joined = Join(OneBucket(12), codes, rules);
    EXPECT_EQ(joined.pairs.size(), 3u * 6) << seen;
    for (const auto& [a, d] : joined.pairs) EXPECT_EQ(a % 3, d % 3) << seen;
  }
}

TEST(BucketsTest, WhatStaysLargeAfterAllRefinementsMeetsItsLeaders) {
  BucketRules rules;
  rules.small = 4;
  rules.leaders = 2;
  rules.extensions = {OneKeyOver({0}), OneKeyOver({1, 2})};
  const Joined joined = Join(OneBucket(10), EqualCodes(10), rules);
  EXPECT_EQ(joined.pairs, PairsOfFirst(2, 10));
  ExpectCounts(joined.counts, 1, 17, 45 - 17);
  EXPECT_EQ(joined.counts.refined, 2u);
  EXPECT_EQ(joined.counts.keys_added, 20u);
}

TEST(BucketsTest, ASmallBucketIsNeverSplit) {
  std::vector<uint8_t> codes = EqualCodes(4);
  for (uint64_t i = 0; i < 4; ++i) codes[i * kWidth] = static_cast<uint8_t>(i);
  BucketRules rules;
  rules.small = 4;
  rules.extensions = {OneKeyOver({0})};
  const Joined joined = Join(OneBucket(4), codes, rules);
  EXPECT_EQ(joined.pairs.size(), 6u);
  EXPECT_EQ(joined.counts.refined, 0u);
}

TEST(BucketsTest, ExtensionKeysMeetOnlyUnderTheSameNumber) {
  // Code 0 of document 0 equals code 1 of all others; nothing else agrees.
  std::vector<uint8_t> codes(6 * kWidth);
  for (uint64_t i = 0; i < 6; ++i) {
    codes[i * kWidth] = static_cast<uint8_t>(i == 0 ? 50 : 100 + i);
    codes[i * kWidth + 1] = static_cast<uint8_t>(i == 0 ? 99 : 50);
  }
  BucketRules rules;
  rules.small = 5;
  Extension extension;
  extension.rows = 1;
  extension.keys = 2;
  extension.key_coordinates = {0, 1};
  rules.extensions = {extension};
  for (const auto& [a, d] : Join(OneBucket(6), codes, rules).pairs) EXPECT_NE(a, 0u) << d;
}

// --- Order and partitions -----------------------------------------------------------------------

struct Corpus {
  std::vector<KeyRecord> records;
  std::vector<uint8_t> codes;
};

Corpus RandomCorpus(std::mt19937_64* random) {
  Corpus corpus;
  const uint64_t documents = 1 + (*random)() % 60;
  for (uint64_t i = 0; i < documents * kWidth; ++i) {
    corpus.codes.push_back(static_cast<uint8_t>((*random)() % 3));
  }
  const uint64_t keys = 1 + (*random)() % 6;
  for (Rank doc = 0; doc < documents; ++doc) {
    for (uint64_t band = 0; band < 3; ++band) {
      corpus.records.push_back({doc, (band * keys + (*random)() % keys) * 0x9e3779b97f4a7c15ULL});
    }
  }
  return corpus;
}

BucketRules SomeRules(std::mt19937_64* random) {
  BucketRules rules;
  rules.small = 1 + (*random)() % 8;
  rules.leaders = 1 + (*random)() % 4;
  rules.all_pairs = (*random)() % 4 == 0;
  rules.agreement_floor = static_cast<uint32_t>((*random)() % 8);
  for (uint32_t level = 0; level < (*random)() % 3; ++level) {
    rules.extensions.push_back(PlanExtension(.8, .9, kWidth, level));
  }
  return rules;
}

bool SameCounts(const BucketCounts& x, const BucketCounts& y) {
  return x.buckets == y.buckets && x.refined == y.refined && x.keys_added == y.keys_added &&
         x.pairs_met == y.pairs_met && x.pairs_left_out == y.pairs_left_out;
}

Joined JoinInPartitions(const Corpus& corpus, const BucketRules& rules, uint32_t bits) {
  KeyPartitions partitions(bits);
  for (const KeyRecord& record : corpus.records) partitions.Append(record);
  Joined all;
  for (size_t i = 0; i < partitions.partition_count(); ++i) {
    const Joined some = Join(partitions.Take(i), corpus.codes, rules);
    all.pairs.insert(some.pairs.begin(), some.pairs.end());
    all.counts.Add(some.counts);
  }
  return all;
}

RC_GTEST_PROP(BucketsProperty, OrderAndPartitionsChangeNothing, (uint64_t seed)) {
  std::mt19937_64 random(seed);
  Corpus corpus = RandomCorpus(&random);
  const BucketRules rules = SomeRules(&random);
  const Joined whole = Join(corpus.records, corpus.codes, rules);
  std::shuffle(corpus.records.begin(), corpus.records.end(), random);
  const Joined shuffled = Join(corpus.records, corpus.codes, rules);
  RC_ASSERT(whole.pairs == shuffled.pairs);
  RC_ASSERT(SameCounts(whole.counts, shuffled.counts));
  for (const uint32_t bits : {1U, 3U, 6U}) {
    const Joined parts = JoinInPartitions(corpus, rules, bits);
    RC_ASSERT(whole.pairs == parts.pairs);
    RC_ASSERT(SameCounts(whole.counts, parts.counts));
  }
}

TEST(BucketsTest, PairsAreAppendedToWhatIsThere) {
  std::vector<KeyRecord> records = OneBucket(2);
  const std::vector<uint8_t> codes = EqualCodes(2);
  std::vector<CandidatePair> pairs = {{8, 9}};
  BucketCounts counts;
  JoinPartition(&records, {codes.data(), kWidth, nullptr}, BucketRules{}, &pairs, &counts);
  EXPECT_EQ(pairs, (std::vector<CandidatePair>{{8, 9}, {0, 1}}));
  pairs.insert(pairs.end(), {{8, 9}, {0, 1}, {0, 2}});
  SortDistinct(&pairs);
  EXPECT_EQ(pairs, (std::vector<CandidatePair>{{0, 1}, {0, 2}, {8, 9}}));
}

}  // namespace
}  // namespace lookalike
