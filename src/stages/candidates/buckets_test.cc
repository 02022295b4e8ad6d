#include "stages/candidates/buckets.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "oracle/memory_join.h"

namespace lookalike {
namespace {

constexpr uint32_t kWidth = 16;

using Pairs = std::set<std::pair<Rank, Rank>>;

struct Joined {
  Pairs pairs;
  BucketCounts counts;
};

Joined Join(std::vector<KeyRecord> records, const std::vector<uint8_t>& codes,
            const BucketRules& rules, const PairScope& scope = {}, const MemoryJoinCut& cut = {}) {
  const MemoryCodes source(codes.data(), kWidth);
  const auto found = JoinInMemory(std::move(records), source, rules, scope, cut);
  EXPECT_TRUE(found.has_value());
  Joined joined{.pairs = {}, .counts = found->counts};
  for (const CandidatePair& pair : found->pairs) {
    EXPECT_LT(pair.a, pair.d);
    EXPECT_TRUE(scope.Counts(pair.a, pair.d));
    joined.pairs.insert({pair.a, pair.d});
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
  rules.small = rules.small_at_last = 8;
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

// So what a group of keys finds does not depend on any other group.
TEST(BucketsTest, ABucketThatIsSplitStaysInItsGroup) {
  BucketRules rules;
  rules.small = 4;
  rules.extensions = {PlanExtension(.6, .7, kWidth, 0), PlanExtension(.6, .7, kWidth, 1)};
  constexpr uint64_t kMembers = 50;
  std::mt19937_64 random(3);
  std::vector<uint8_t> codes;
  for (uint64_t i = 0; i < kMembers * kWidth; ++i) codes.push_back(random() % 2);
  const MemoryCodes source(codes.data(), kWidth);
  for (const uint64_t group : {0, 1, 77, 255}) {
    std::vector<KeyRecord> records = OneBucket(kMembers, group << 56 | random() >> 8);
    EXPECT_EQ(KeyGroup(records.front().key, 0), group);
    for (uint32_t level = 0; level < 2; ++level) {
      MemorySink sink;
      BucketCounts counts;
      BucketJoin join(source, rules, {}, level, uint64_t{1} << 20, &sink, &counts);
      ASSERT_TRUE(join.Join(records));
      ASSERT_GT(sink.refined.size(), 50u);
      std::set<uint64_t> keys;
      for (const KeyRecord& record : sink.refined) {
        EXPECT_EQ(KeyGroup(record.key, level + 1), group);
        keys.insert(record.key >> kKeyGroupBits);
      }
      EXPECT_GT(keys.size(), 2u);
      records = std::move(sink.refined);
    }
  }
}

TEST(BucketsTest, AllPairsLeavesNoneOut) {
  BucketRules rules;
  rules.small = rules.small_at_last = 2;
  rules.leaders = 1;
  rules.all_pairs = true;
  const Joined joined = Join(OneBucket(20), EqualCodes(20), rules);
  EXPECT_EQ(joined.pairs, PairsOfFirst(20, 20));
  ExpectCounts(joined.counts, 1, 190, 0);
}

TEST(BucketsTest, MoreLeadersThanMembers) {
  BucketRules rules;
  rules.small = rules.small_at_last = 2;
  rules.leaders = 100;
  const Joined joined = Join(OneBucket(5), EqualCodes(5), rules);
  EXPECT_EQ(joined.pairs, PairsOfFirst(5, 5));
  ExpectCounts(joined.counts, 1, 10, 0);
}

TEST(BucketsTest, LeadersAreTheLowestRanks) {
  BucketRules rules;
  rules.small = rules.small_at_last = 2;
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

// --- Refinement ---------------------------------------------------------------------------------

Extension OneKeyOver(std::vector<uint16_t> coordinates) {
  Extension extension;
  extension.rows = static_cast<uint32_t>(coordinates.size());
  extension.keys = 1;
  extension.key_coordinates = std::move(coordinates);
  return extension;
}

// "Small" has different sizes for buckets that can still be split and those that cannot.
TEST(BucketsTest, WhatIsSmallDependsOnWhetherABucketCanBeSplit) {
  BucketRules rules;
  rules.small = 4;
  rules.small_at_last = 9;
  rules.leaders = 1;
  EXPECT_EQ(Join(OneBucket(9), EqualCodes(9), rules).pairs, PairsOfFirst(9, 9));
  EXPECT_EQ(Join(OneBucket(10), EqualCodes(10), rules).pairs, PairsOfFirst(1, 10));
  rules.extensions = {OneKeyOver({0})};
  EXPECT_EQ(Join(OneBucket(4), EqualCodes(4), rules).counts.refined, 0u);
  EXPECT_EQ(Join(OneBucket(5), EqualCodes(5), rules).counts.refined, 1u);
}

TEST(BucketsTest, ALargeBucketIsSplitByItsCodes) {
  std::vector<uint8_t> codes = EqualCodes(12);
  for (uint64_t i = 0; i < 12; ++i) codes[i * kWidth + 4] = static_cast<uint8_t>(i % 3);
  BucketRules rules;
  rules.small = rules.small_at_last = 4;
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
      codes[i * kWidth + 5] = static_cast<uint8_t>(i);  // not a coordinate of the key
    }
    BucketRules rules;
    rules.small = rules.small_at_last = 4;
    rules.extensions = {OneKeyOver({4, 7})};
    const Joined joined = Join(OneBucket(12), codes, rules);
    EXPECT_EQ(joined.pairs.size(), 3u * 6) << seen;
    for (const auto& [a, d] : joined.pairs) EXPECT_EQ(a % 3, d % 3) << seen;
  }
}

TEST(BucketsTest, WhatStaysLargeAfterAllRefinementsMeetsItsLeaders) {
  BucketRules rules;
  rules.small = rules.small_at_last = 4;
  rules.leaders = 2;
  rules.extensions = {OneKeyOver({0}), OneKeyOver({1, 2})};
  const Joined joined = Join(OneBucket(10), EqualCodes(10), rules);
  EXPECT_EQ(joined.pairs, PairsOfFirst(2, 10));
  ExpectCounts(joined.counts, 1, 17, 45 - 17);
  EXPECT_EQ(joined.counts.refined, 2u);
  EXPECT_EQ(joined.counts.keys_added, 20u);
}

// Members 1 to 5 are like 0, member 7 is like 6, the others are like no member.
TEST(BucketsTest, AMemberThatALeaderCoversLeavesTheBucket) {
  std::vector<uint8_t> codes = EqualCodes(12);
  for (uint64_t i = 6; i < 12; ++i) {
    const uint64_t like = i == 7 ? 6 : i;
    std::fill_n(codes.begin() + i * kWidth, kWidth, static_cast<uint8_t>(20 + like));
    codes[i * kWidth] = 5;
  }
  BucketRules rules;
  rules.small = rules.small_at_last = 4;
  rules.agreement_floor = 10;
  rules.cover_floor = 13;
  rules.extensions = {OneKeyOver({0})};
  const Pairs expected = {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5}, {6, 7}};
  const Joined joined = Join(OneBucket(12), codes, rules);
  EXPECT_EQ(joined.pairs, expected);
  EXPECT_EQ(joined.counts.keys_added, 6u);  // 0, 6, 8, 9, 10, 11
  rules.all_pairs = true;
  const Joined all = Join(OneBucket(12), codes, rules);
  EXPECT_EQ(all.pairs.size(), 15u + 1);
  EXPECT_EQ(all.counts.keys_added, 12u);
}

/// Codes of documents that come in pairs, each with a guard of its own.
struct GuardedCodes : MemoryCodes {
  using MemoryCodes::MemoryCodes;
  [[nodiscard]] uint64_t GuardOf(Rank rank) const override { return rank / 2 + 1; }
};

TEST(BucketsTest, MembersOfOneGuardMeetHoweverLargeTheBucket) {
  constexpr uint64_t kMembers = 200, kLeaders = 3;
  const std::vector<uint8_t> codes = EqualCodes(kMembers);
  const GuardedCodes source(codes.data(), kWidth);
  BucketRules rules;
  rules.small = rules.small_at_last = 8;
  rules.leaders = kLeaders;
  rules.cover_floor = kWidth;
  rules.extensions = {PlanExtension(.8, .9, kWidth, 0)};
  for (const bool all_pairs : {false, true}) {
    rules.all_pairs = all_pairs;
    Pairs of[2];
    for (const bool guarded : {false, true}) {
      rules.guarded = guarded;
      const auto found = JoinInMemory(OneBucket(kMembers), source, rules, {}, {});
      ASSERT_TRUE(found);
      for (const CandidatePair& pair : found->pairs) of[guarded].insert({pair.a, pair.d});
    }
    for (Rank a = 0; a < kMembers; a += 2) {
      EXPECT_TRUE(of[1].contains({a, a + 1})) << a;
      const bool beyond_leaders = !all_pairs && a > 2 * kLeaders;
      EXPECT_FALSE(beyond_leaders && of[0].contains({a, a + 1})) << a;
    }
    if (all_pairs) continue;
    const size_t of_leaders = kLeaders * (kMembers - kLeaders) + kLeaders * (kLeaders - 1) / 2;
    EXPECT_LE(of[1].size(), of_leaders + kMembers / 2);
    EXPECT_TRUE(of[1].contains({0, kMembers - 1})) << "for the list of guarded";
  }
}

TEST(BucketsTest, ALeaderIsNotLikeALeader) {
  std::vector<uint8_t> codes = EqualCodes(9);
  for (const uint64_t i : {7, 8}) std::fill_n(codes.begin() + i * kWidth, kWidth, uint8_t{9});
  BucketRules rules;
  rules.small = rules.small_at_last = 4;
  rules.leaders = 2;
  rules.agreement_floor = 10;
  EXPECT_FALSE(Join(OneBucket(9), codes, rules).pairs.contains({7, 8}));  // 0 and 1 lead
  rules.cover_floor = 16;
  EXPECT_TRUE(Join(OneBucket(9), codes, rules).pairs.contains({7, 8}));  // 0 and 7 lead
}

TEST(BucketsTest, CoverFloorLiesBetweenTheThresholdAndAllCodes) {
  EXPECT_EQ(CoverFloor(.8, 128), 108u);  // 128 * (.85 + .15 / 256)
  EXPECT_EQ(CoverFloor(1, 128), 128u);
  for (double t = .05; t < 1; t += .05) {
    EXPECT_GE(CoverFloor(t, 128), static_cast<uint32_t>(128 * t)) << t;
    EXPECT_LT(CoverFloor(t, 128), 128u) << t;
  }
}

TEST(BucketsTest, ASmallBucketIsNeverSplit) {
  std::vector<uint8_t> codes = EqualCodes(4);
  for (uint64_t i = 0; i < 4; ++i) codes[i * kWidth] = static_cast<uint8_t>(i);
  BucketRules rules;
  rules.small = rules.small_at_last = 4;
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
  rules.small = rules.small_at_last = 5;
  Extension extension;
  extension.rows = 1;
  extension.keys = 2;
  extension.key_coordinates = {0, 1};
  rules.extensions = {extension};
  for (const auto& [a, d] : Join(OneBucket(6), codes, rules).pairs) EXPECT_NE(a, 0u) << d;
}

// --- Two collections ----------------------------------------------------------------------------

TEST(BucketsTest, PairsOfTheReferenceNeverCount) {
  const PairScope scope{.reference_end = 3, .across_only = false};
  const Joined joined = Join(OneBucket(5), EqualCodes(5), BucketRules{}, scope);
  EXPECT_EQ(joined.pairs, (Pairs{{0, 3}, {0, 4}, {1, 3}, {1, 4}, {2, 3}, {2, 4}, {3, 4}}));
  ExpectCounts(joined.counts, 1, 7, 0);
}

TEST(BucketsTest, AcrossOnlyPairsOfBothSidesCount) {
  const PairScope scope{.reference_end = 3, .across_only = true};
  const Joined joined = Join(OneBucket(5), EqualCodes(5), BucketRules{}, scope);
  EXPECT_EQ(joined.pairs, (Pairs{{0, 3}, {0, 4}, {1, 3}, {1, 4}, {2, 3}, {2, 4}}));
  ExpectCounts(joined.counts, 1, 6, 0);
}

TEST(BucketsTest, EachSideHasItsLeaders) {
  BucketRules rules;
  rules.small = rules.small_at_last = 2;
  rules.leaders = 1;
  PairScope scope{.reference_end = 3, .across_only = false};
  const Joined all = Join(OneBucket(6), EqualCodes(6), rules, scope);
  EXPECT_EQ(all.pairs, (Pairs{{0, 3}, {0, 4}, {0, 5}, {3, 4}, {3, 5}}));
  ExpectCounts(all.counts, 1, 5, 12 - 5);
  scope.across_only = true;
  const Joined across = Join(OneBucket(6), EqualCodes(6), rules, scope);
  EXPECT_EQ(across.pairs, (Pairs{{0, 3}, {0, 4}, {0, 5}}));
  ExpectCounts(across.counts, 1, 3, 6);
}

TEST(BucketsTest, ABucketWithoutAPairThatCountsCostsNothing) {
  BucketRules rules;
  rules.small = rules.small_at_last = 2;
  rules.extensions = {OneKeyOver({0})};
  const std::vector<uint8_t> codes = EqualCodes(2000);
  for (const uint64_t bitmap_from : {uint64_t{2}, UINT64_MAX}) {
    for (const PairScope scope : {PairScope{2000, false}, PairScope{0, true}}) {
      const MemoryCodes source(codes.data(), kWidth);
      const MemoryJoinCut cut{.bitmap_from = bitmap_from};
      const auto joined = JoinInMemory(OneBucket(2000), source, rules, scope, cut);
      ASSERT_TRUE(joined.has_value());
      EXPECT_EQ(source.gathered(), 0u);
      EXPECT_EQ(joined->counts.buckets + joined->counts.refined, 0u);
    }
  }
}

// --- Memory and errors --------------------------------------------------------------------------

TEST(BucketsTest, NoMoreCodesAreHeldThanAllowed) {
  const uint64_t documents = 1500;
  const std::vector<uint8_t> codes = EqualCodes(documents);
  BucketRules rules;
  for (const bool all_pairs : {false, true}) {
    for (const size_t extensions : {0, 1}) {
      rules.all_pairs = all_pairs;
      rules.extensions.assign(extensions, OneKeyOver({0}));
      const MemoryCodes source(codes.data(), kWidth);
      ASSERT_TRUE(JoinInMemory(OneBucket(documents), source, rules, {}, {.code_bytes = 0}));
      EXPECT_GE(source.gathered(), documents);
      EXPECT_LE(source.most_at_once(), 512u);
    }
  }
}

struct FailingCodes : CodeSource {
  [[nodiscard]] uint32_t width() const override { return kWidth; }
  Status Gather(std::span<const Rank>, uint8_t*) const override { return InputError("no codes"); }
};

struct FailingSink : JoinSink {
  Status AddPairs(std::span<const CandidatePair>) override { return InputError("no pairs"); }
  Status AddRefined(std::span<const KeyRecord>) override { return InputError("no records"); }
};

TEST(BucketsTest, ErrorsOfTheCodesAndOfTheSinkArePassedOn) {
  const std::vector<uint8_t> codes = EqualCodes(100);
  const MemoryCodes good_codes(codes.data(), kWidth);
  const FailingCodes bad_codes;
  MemorySink good_sink;
  FailingSink bad_sink;
  BucketCounts counts;
  const auto message = [&](const CodeSource& source, JoinSink* sink, uint64_t small, bool refine) {
    BucketRules rules;
    rules.small = rules.small_at_last = small;
    if (refine) rules.extensions = {OneKeyOver({0})};
    BucketJoin join(source, rules, {}, 0, 0, sink, &counts);
    std::vector<KeyRecord> records = OneBucket(100);
    const Status status = join.Join(records);
    return status ? std::string() : status.error().what;
  };
  for (const uint64_t small : {10, 1000}) {
    EXPECT_EQ(message(bad_codes, &good_sink, small, false), "no codes");
    EXPECT_EQ(message(good_codes, &bad_sink, small, false), "no pairs");
  }
  EXPECT_EQ(message(bad_codes, &good_sink, 10, true), "no codes");
  EXPECT_EQ(message(good_codes, &bad_sink, 10, true), "no records");
}

// --- The definition -----------------------------------------------------------------------------

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
  std::shuffle(corpus.records.begin(), corpus.records.end(), *random);
  return corpus;
}

BucketRules SomeRules(std::mt19937_64* random) {
  BucketRules rules;
  rules.small = 1 + (*random)() % 8;
  rules.small_at_last = 1 + (*random)() % 12;
  rules.leaders = 1 + (*random)() % 4;
  rules.all_pairs = (*random)() % 4 == 0;
  rules.agreement_floor = static_cast<uint32_t>((*random)() % 8);
  if ((*random)() % 2 == 0) rules.cover_floor = 5 + static_cast<uint32_t>((*random)() % 13);
  for (uint32_t level = 0; level < (*random)() % 3; ++level) {
    rules.extensions.push_back(PlanExtension(.8, .9, kWidth, level));
  }
  return rules;
}

// Steps 3 and 4 as defined: over the whole corpus, bucket by bucket, pair by pair.
class Oracle {
 public:
  Oracle(const Corpus& corpus, const BucketRules& rules, const PairScope& scope)
      : corpus_(corpus), rules_(rules), scope_(scope) {}

  Joined Run() {
    std::map<uint64_t, std::set<Rank>> buckets;
    for (const KeyRecord& record : corpus_.records) buckets[record.key].insert(record.member);
    for (const auto& [key, members] : buckets) Bucket(members, 0);
    return std::move(joined_);
  }

 private:
  using Code = std::vector<uint8_t>;

  void Bucket(const std::set<Rank>& members, size_t level) {
    if (AllPairs(members).empty()) return;
    const bool last = level == rules_.extensions.size();
    if (last || members.size() <= rules_.small) {
      Final(members, last && members.size() > rules_.small_at_last);
      return;
    }
    ++joined_.counts.refined;
    const Extension& extension = rules_.extensions[level];
    std::map<std::pair<uint32_t, Code>, std::set<Rank>> buckets;
    for (const Rank member : rules_.all_pairs ? members : MeetLeaders(members, true)) {
      for (uint32_t j = 0; j < extension.keys; ++j) {
        Code code;
        for (const uint16_t i : extension.Key(j)) code.push_back(CodeOf(member, i));
        buckets[{j, code}].insert(member);
        ++joined_.counts.keys_added;
      }
    }
    for (const auto& [key, some] : buckets) Bucket(some, level + 1);
  }

  void Final(const std::set<Rank>& members, bool large) {
    ++joined_.counts.buckets;
    if (!rules_.all_pairs && large) {
      MeetLeaders(members, false);
      return;
    }
    for (const auto& [a, d] : AllPairs(members)) {
      ++joined_.counts.pairs_met;
      if (Agreement(a, d) >= rules_.agreement_floor) joined_.pairs.insert({a, d});
    }
  }

  // Returns the members that no leader covers.
  std::set<Rank> MeetLeaders(const std::set<Rank>& members, bool refined) {
    const bool may_cover = rules_.cover_floor <= kWidth || !refined;
    std::set<Rank> leaders[2], open;
    std::set<std::pair<Rank, Rank>> met;
    for (const Rank d : members) {
      bool covered = false;
      std::vector<Rank> before;
      for (const auto& side : leaders) {
        for (const Rank a : side) {
          if (scope_.Counts(a, d)) before.push_back(a);
        }
      }
      for (const Rank a : before) covered = covered || Agreement(a, d) >= rules_.cover_floor;
      if (may_cover) joined_.counts.pairs_met += before.size();
      for (const Rank a : before) {
        if (refined && !covered) continue;
        met.insert({a, d});
        if (Agreement(a, d) >= rules_.agreement_floor) joined_.pairs.insert({a, d});
      }
      if (covered) continue;
      open.insert(d);
      auto& side = leaders[d < scope_.reference_end];
      if (side.size() < rules_.leaders) side.insert(d);
    }
    for (const auto& pair : AllPairs(members)) {
      const bool later = refined && open.contains(pair.first) && open.contains(pair.second);
      joined_.counts.pairs_left_out += !later && !met.contains(pair);
    }
    return open;
  }

  uint32_t Agreement(Rank a, Rank d) const {
    uint32_t agree = 0;
    for (uint32_t i = 0; i < kWidth; ++i) agree += CodeOf(a, i) == CodeOf(d, i);
    return agree;
  }

  std::vector<std::pair<Rank, Rank>> AllPairs(const std::set<Rank>& members) const {
    std::vector<std::pair<Rank, Rank>> pairs;
    for (const Rank a : members) {
      for (auto d = members.upper_bound(a); d != members.end(); ++d) {
        if (scope_.Counts(a, *d)) pairs.emplace_back(a, *d);
      }
    }
    return pairs;
  }

  uint8_t CodeOf(Rank rank, uint32_t i) const { return corpus_.codes[rank * kWidth + i]; }

  const Corpus& corpus_;
  const BucketRules& rules_;
  const PairScope& scope_;
  Joined joined_;
};

bool Same(const Joined& x, const Joined& y) {
  return x.pairs == y.pairs && x.counts.buckets == y.counts.buckets &&
         x.counts.refined == y.counts.refined && x.counts.keys_added == y.counts.keys_added &&
         x.counts.pairs_met == y.counts.pairs_met &&
         x.counts.pairs_left_out == y.counts.pairs_left_out;
}

RC_GTEST_PROP(BucketsProperty, TheJoinComputesTheDefinition, (uint64_t seed)) {
  std::mt19937_64 random(seed);
  const Corpus corpus = RandomCorpus(&random);
  const BucketRules rules = SomeRules(&random);
  PairScope scope;
  if (random() % 2 == 0) scope = {.reference_end = random() % 70, .across_only = random() % 2 == 0};
  const Joined expected = Oracle(corpus, rules, scope).Run();
  for (const uint32_t bits : {0U, 1U, 3U, 6U}) {
    for (const uint64_t bitmap_from : {UINT64_MAX, uint64_t{1}, uint64_t{9}}) {
      const MemoryJoinCut cut{bits, random() % 100000, bitmap_from};
      RC_ASSERT(Same(Join(corpus.records, corpus.codes, rules, scope, cut), expected));
    }
  }
}

// Buckets that exceed the memory for codes, with every kind of end.
TEST(BucketsTest, BlocksChangeNothing) {
  std::mt19937_64 random(11);
  const uint64_t documents = 700;
  Corpus corpus;
  for (uint64_t i = 0; i < documents * kWidth; ++i) {
    corpus.codes.push_back(static_cast<uint8_t>(random() % 2));
  }
  for (Rank doc = 0; doc < documents; ++doc) {
    corpus.records.push_back({doc, 1});
    if (random() % 2 == 0) corpus.records.push_back({doc, 2});
    corpus.records.push_back({doc, 3 + random() % 300});
  }
  for (int i = 0; i < 12; ++i) {
    BucketRules rules = SomeRules(&random);
    rules.all_pairs = i % 2 == 0;
    rules.small = rules.small_at_last = i % 4 < 2 ? 30 : 1000;
    rules.agreement_floor = 12;
    if (i % 2 == 1) rules.cover_floor = 12 + i % 3;
    if (i % 3 != 0) rules.extensions.clear();
    const PairScope scope{.reference_end = i < 4 ? 0 : random() % 800, .across_only = i >= 8};
    const Joined expected = Oracle(corpus, rules, scope).Run();
    for (const MemoryJoinCut cut :
         {MemoryJoinCut{2, 0, 400}, MemoryJoinCut{0, 1 << 24, UINT64_MAX}}) {
      EXPECT_TRUE(Same(Join(corpus.records, corpus.codes, rules, scope, cut), expected)) << i;
    }
  }
}

TEST(BucketsTest, SortDistinctSortsAndDropsRepetitions) {
  std::vector<CandidatePair> pairs = {{8, 9}, {0, 1}, {8, 9}, {0, 1}, {0, 2}};
  SortDistinct(&pairs);
  EXPECT_EQ(pairs, (std::vector<CandidatePair>{{0, 1}, {0, 2}, {8, 9}}));
}

}  // namespace
}  // namespace lookalike
