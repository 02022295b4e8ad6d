#include "search/key_records.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/small_workspace.h"
#include "oracle/memory_join.h"

namespace lookalike {
namespace {

constexpr uint32_t kWidth = 16;

using Rows = std::vector<std::pair<Rank, uint64_t>>;

Rows RowsOf(const KeyRecords& records) {
  Rows rows;
  EXPECT_TRUE(records.ForEach([&](std::span<const KeyRecord> block) -> Status {
    for (const KeyRecord& record : block) rows.emplace_back(record.member, record.key);
    return {};
  }));
  return rows;
}

auto Counts(const BucketCounts& counts) {
  return std::tuple(counts.buckets, counts.refined, counts.keys_added, counts.pairs_met,
                    counts.pairs_left_out);
}

class PartitionJoinTest : public WorkspaceTest {
 protected:
  void SetUp() override {
    WorkspaceTest::SetUp();
    std::mt19937_64 random(7);
    for (uint8_t& code : codes_) code = static_cast<uint8_t>(random() % 6);
  }

  /// Joins all levels, each from a run, within so many bytes.
  MemoryJoined JoinOutOfMemory(const std::vector<KeyRecord>& records, const BucketRules& rules,
                               uint64_t bytes, Workspace* workspace) {
    const MemoryCodes codes(codes_.data(), kWidth);
    MemorySink sink;
    MemoryJoined joined;
    PartitionJoin::Buffers buffers;
    std::vector<KeyRecord> level_records = records;
    for (uint32_t level = 0; !level_records.empty(); ++level) {
      const StoredKeys stored({RunOf(level_records, workspace)}, 0);
      EXPECT_EQ(stored.size(), level_records.size());
      BucketJoin join(codes, rules, {}, level, 1 << 20, &sink, &joined.counts);
      const Status status =
          PartitionJoin(workspace, kRanks, bytes, &buffers, &join).Join(stored, 0);
      EXPECT_TRUE(status) << status.error().ToString();
      level_records = std::exchange(sink.refined, {});
    }
    SortDistinct(&sink.pairs);
    for (const CandidatePair& pair : sink.pairs) {
      // A bucket that is passed on as a bitmap is checked at once, a small list is not.
      const uint32_t equal = Got(memory_join::EqualCodes(codes, pair));
      if (equal >= rules.agreement_floor) joined.pairs.push_back(pair);
    }
    return joined;
  }

  /// Joins within various amounts of memory; returns the number of pairs.
  size_t ExpectTheSameInAnyMemory(const std::vector<KeyRecord>& records, const BucketRules& rules) {
    const MemoryCodes codes(codes_.data(), kWidth);
    const MemoryJoined expected = Got(JoinInMemory(records, codes, rules));
    for (const uint64_t bytes : {0, 16, 100, 700, 5'000, 1 << 20}) {
      const auto workspace = Tiny();
      const MemoryJoined joined = JoinOutOfMemory(records, rules, bytes, workspace.get());
      EXPECT_EQ(joined.pairs, expected.pairs) << bytes;
      EXPECT_EQ(Counts(joined.counts), Counts(expected.counts)) << bytes;
      EXPECT_EQ(workspace->store().disk_bytes(), 0u) << "parts go once they are joined";
    }
    return expected.pairs.size();
  }

  static constexpr uint64_t kRanks = 400;
  std::vector<uint8_t> codes_ = std::vector<uint8_t>(kRanks * kWidth);
};

/// Makes a key for each rank and each of `times`, chosen by `key(rank, time)`.
template <class Key>
std::vector<KeyRecord> Records(Rank ranks, uint64_t times, Key&& key) {
  std::vector<KeyRecord> records;
  for (Rank rank = 0; rank < ranks; ++rank) {
    for (uint64_t time = 0; time < times; ++time) records.push_back({rank, key(rank, time)});
  }
  return records;
}

/// Makes (member, key) pairs distinct and shuffles them, as documents have them.
void Mix(std::vector<KeyRecord>* records, std::mt19937_64* random) {
  std::sort(records->begin(), records->end(), [](const KeyRecord& x, const KeyRecord& y) {
    return std::tie(x.member, x.key) < std::tie(y.member, y.key);
  });
  records->erase(std::unique(records->begin(), records->end(),
                             [](const KeyRecord& x, const KeyRecord& y) {
                               return x.member == y.member && x.key == y.key;
                             }),
                 records->end());
  std::shuffle(records->begin(), records->end(), *random);
}

TEST_F(PartitionJoinTest, RandomKeysOfAnySpread) {
  std::mt19937_64 random(1);
  size_t pairs = 0;
  for (int i = 0; i < 25; ++i) {
    BucketRules rules;
    rules.small = 1 + random() % 8;
    rules.small_at_last = 1 + random() % 8;
    rules.leaders = 1 + random() % 3;
    rules.all_pairs = i % 3 == 0;
    rules.agreement_floor = static_cast<uint32_t>(random() % 4);
    if (i % 2 == 0) rules.extensions.push_back(PlanExtension(.6, .7, kWidth, 0));
    // The keys differ in all bits, only in the lowest, only in the highest, or in some.
    const uint64_t spreads[] = {0x9e3779b97f4a7c15ULL, 1, uint64_t{1} << 56, 0x0000100000100001ULL};
    const uint64_t spread = spreads[i % 4], keys = 1 + random() % 120;
    auto records = Records(kRanks / (1 + random() % 8), 3,
                           [&](Rank, uint64_t) { return random() % keys * spread; });
    Mix(&records, &random);
    pairs += ExpectTheSameInAnyMemory(records, rules);
  }
  EXPECT_GT(pairs, 4'000u);
}

TEST_F(PartitionJoinTest, OneGiantKeyAmongMany) {
  std::mt19937_64 random(2);
  BucketRules rules;
  rules.small = rules.small_at_last = 8;
  for (const uint64_t giant : {uint64_t{0}, UINT64_MAX, uint64_t{0x0123456789abcdef}}) {
    // Its neighbours differ only in the lowest bits.
    auto records = Records(kRanks, 2, [&](Rank rank, uint64_t time) {
      return time == 0 ? giant : giant ^ (1 + rank / 4);
    });
    Mix(&records, &random);
    EXPECT_GT(ExpectTheSameInAnyMemory(records, rules), kRanks);
  }
}

TEST_F(PartitionJoinTest, AllKeysEqual) {
  std::mt19937_64 random(3);
  for (const bool all_pairs : {false, true}) {
    BucketRules rules;
    rules.all_pairs = all_pairs;
    auto records = Records(kRanks, 1, [](Rank, uint64_t) { return uint64_t{42} << 50; });
    Mix(&records, &random);
    const size_t pairs = ExpectTheSameInAnyMemory(records, rules);
    if (all_pairs) {
      EXPECT_EQ(pairs, kRanks * (kRanks - 1) / 2);
    }
  }
}

TEST_F(PartitionJoinTest, AllKeysDistinctAndNoKeys) {
  EXPECT_EQ(
      ExpectTheSameInAnyMemory(Records(kRanks, 1, [](Rank rank, uint64_t) { return rank; }), {}),
      0u);
  EXPECT_EQ(ExpectTheSameInAnyMemory({}, {}), 0u);
}

class KeyRecordsTest : public WorkspaceTest {};

// Only the keys of representatives count among those of pass one, under their ranks.
TEST_F(KeyRecordsTest, PackedKeysAreThoseOfRepresentativesByRank) {
  std::mt19937_64 random(4);
  const auto workspace = Tiny();
  constexpr uint32_t kPartitions = 4;
  constexpr DocNumber kDocuments = 90;
  std::vector<DocNumber> order(kDocuments);
  for (DocNumber doc = 0; doc < kDocuments; ++doc) order[doc] = kDocuments - 1 - doc;
  const Ranking ranking = RankingOf(order);
  Bitmap reps(kDocuments);
  DocumentUnits units;
  units.documents = kDocuments;
  std::vector<Rows> expected(kPartitions);
  std::vector<uint64_t> all(kPartitions);
  for (DocNumber first = 0; first < kDocuments; first += 30) {
    const auto writer = workspace->store().Temporary(kUnitKeys + kPartitions, 4096);
    for (uint32_t doc = 0; doc < 30; ++doc) {
      if (random() % 3 != 0) reps.Set(first + doc);
      for (uint32_t i = 0; i < kPartitions; ++i) {
        const uint32_t partition = (doc + i) % 3;  // the last one stays empty
        const PackedKey key = {static_cast<uint32_t>(random()), static_cast<uint32_t>(random()),
                               doc};
        ASSERT_TRUE(writer->AppendRecord(kUnitKeys + partition, key));
        ++all[partition];
        if (reps.Test(first + doc)) {
          expected[partition].emplace_back(ranking.RankOf(first + doc), key.key());
        }
      }
    }
    units.units.push_back({Got(writer->Finish()), first, 30, 0, {}});
  }
  for (uint32_t partition = 0; partition < kPartitions; ++partition) {
    const PackedKeys keys(units, ranking, reps, partition);
    EXPECT_EQ(RowsOf(keys), expected[partition]);
    EXPECT_EQ(keys.size(), all[partition]) << "a bound";
  }
}

TEST_F(KeyRecordsTest, StoredKeysAreThoseOfAllRuns) {
  const auto workspace = Tiny();
  const std::vector<KeyRecord> first = {{1, 10}, {2, 10}}, second = {{3, 11}};
  const StoredKeys keys({RunOf(first, workspace.get()), RunOf<KeyRecord>({}, workspace.get()),
                         RunOf(second, workspace.get())},
                        0);
  EXPECT_EQ(keys.size(), 3u);
  EXPECT_EQ(RowsOf(keys), (Rows{{1, 10}, {2, 10}, {3, 11}}));
  const Status stopped =
      keys.ForEach([](std::span<const KeyRecord>) -> Status { return InputError("enough"); });
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().what, "enough");
}

}  // namespace
}  // namespace lookalike
