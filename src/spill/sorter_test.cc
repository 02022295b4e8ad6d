#include "spill/sorter.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "fault/faulty_file_system.h"
#include "spill/run_store.h"

namespace lookalike {
namespace {

namespace fs = std::filesystem;

struct Record {
  uint32_t key, value;
  bool operator==(const Record&) const = default;
};
struct ByBoth {
  bool operator()(const Record& a, const Record& b) const {
    return a.key != b.key ? a.key < b.key : a.value < b.value;
  }
};
struct ByKey {
  bool operator()(const Record& a, const Record& b) const { return a.key < b.key; }
};

class SorterTest : public ::testing::Test {
 protected:
  void SetUp() override {
    options_.folder = ::testing::TempDir() + "lookalike_sorter";
    fs::remove_all(options_.folder);
  }
  void TearDown() override { fs::remove_all(options_.folder); }

  size_t FileCount() const {
    if (!fs::exists(options_.folder)) return 0;
    return std::distance(fs::directory_iterator(options_.folder), fs::directory_iterator());
  }

  static std::vector<Record> Random(size_t count, uint32_t keys, uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<Record> records(count);
    for (Record& record : records) {
      record = {static_cast<uint32_t>(random() % keys), static_cast<uint32_t>(random() % 4)};
    }
    return records;
  }

  template <class Less>
  static Result<std::vector<Record>> Drain(Sorted<Record, Less>* sorted) {
    std::vector<Record> out;
    while (const Record* record = sorted->Next()) out.push_back(*record);
    LOOKALIKE_RETURN_IF_ERROR(sorted->status());
    EXPECT_LE(out.size(), sorted->size());
    return out;
  }

  static Result<std::vector<Record>> Sort(RunStore* store, const std::vector<Record>& records,
                                          uint64_t memory, Repeats repeats) {
    Sorter<Record, ByBoth> sorter(store, memory, repeats);
    const size_t half = records.size() / 2;
    LOOKALIKE_RETURN_IF_ERROR(sorter.Add(std::span(records).first(half)));
    for (size_t i = half; i < records.size(); ++i) {
      LOOKALIKE_RETURN_IF_ERROR(sorter.Add(records[i]));
    }
    LOOKALIKE_ASSIGN_OR_RETURN(auto sorted, sorter.Finish());
    return Drain(&sorted);
  }

  static std::vector<Record> Expected(std::vector<Record> records, Repeats repeats) {
    std::sort(records.begin(), records.end(), ByBoth());
    if (repeats == Repeats::kDrop) {
      records.erase(std::unique(records.begin(), records.end()), records.end());
    }
    return records;
  }

  RunStoreOptions options_;
};

TEST_F(SorterTest, EqualsStdSortForAnySizeAndMemory) {
  uint64_t seed = 0;
  for (const size_t count : {0, 1, 2, 3, 255, 1'000, 20'000}) {
    for (const uint64_t memory : {0, 100, 5'000, 70'000, 1 << 20}) {
      if (count > 1'000 && memory < 5'000) continue;
      for (const Repeats repeats : {Repeats::kKeep, Repeats::kDrop}) {
        options_.held_bytes = seed % 2 == 0 ? 0 : 30'000;
        RunStore store(options_);
        ++seed;
        const auto records = Random(count, seed % 3 == 0 ? 50 : 100'000, seed);
        const auto sorted = Sort(&store, records, memory, repeats);
        ASSERT_TRUE(sorted) << sorted.error().ToString();
        EXPECT_TRUE(*sorted == Expected(records, repeats)) << count << " " << memory;
        EXPECT_EQ(store.held_bytes(), 0);
        EXPECT_EQ(store.disk_bytes(), 0);
        if (memory >= count * sizeof(Record) * 2) {
          EXPECT_EQ(store.peak_disk_bytes(), 0) << "it fits";
        }
      }
    }
  }
  EXPECT_EQ(FileCount(), 0);
}

TEST_F(SorterTest, ManyRunsAreMergedInSeveralRounds) {
  RunStore store(options_);
  const auto records = Random(60'000, 1 << 30, 5);
  // At most 1,000 records per run, 2 runs per merge; more than 128 runs with the larger memory.
  for (const uint64_t memory : {8'000, 2'000}) {
    const auto sorted = Sort(&store, records, memory, Repeats::kKeep);
    ASSERT_TRUE(sorted) << sorted.error().ToString();
    EXPECT_TRUE(*sorted == Expected(records, Repeats::kKeep));
  }
  EXPECT_GT(store.peak_disk_bytes(), records.size() * sizeof(Record)) << "a merge beside its input";
}

TEST_F(SorterTest, TheBufferIsBounded) {
  // The size of a run in memory shows how much was in the buffer at a time.
  RunStore store(options_);
  Sorter<Record, ByBoth> sorter(&store, 64'000);
  const auto records = Random(8'001, 1 << 30, 5);
  for (const Record& record : records) ASSERT_TRUE(sorter.Add(record));
  EXPECT_GT(store.disk_bytes(), 0) << "8,001 records do not fit 64,000 bytes";
  EXPECT_GE(store.disk_bytes(), 32'000) << "and half of them do";
}

TEST_F(SorterTest, DroppingRepeatsWithinTheBufferAvoidsRuns) {
  RunStore store(options_);
  Sorter<Record, ByBoth> sorter(&store, 64'000, Repeats::kDrop);
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(sorter.Add(Random(5'000, 100, i)));
  auto sorted = sorter.Finish();
  ASSERT_TRUE(sorted);
  EXPECT_EQ(Drain(&*sorted)->size(), 400);
  EXPECT_EQ(store.peak_disk_bytes(), 0);
}

TEST_F(SorterTest, DistinctRecordsAreCountedWhateverTheMemoryIs) {
  const auto records = Random(20'000, 700, 9);
  const uint64_t expected = Expected(records, Repeats::kDrop).size();
  for (const uint64_t memory : {2'000, 40'000, 4'000'000}) {
    RunStore store(options_);
    Sorter<Record, ByBoth> sorter(&store, memory, Repeats::kDrop);
    ASSERT_TRUE(sorter.Add(std::span(records).first(12'345)));
    ASSERT_TRUE(sorter.CountDistinct());
    ASSERT_TRUE(sorter.Add(std::span(records).subspan(12'345)));
    EXPECT_GE(sorter.MostDistinct(), expected);
    const auto counted = sorter.CountDistinct();
    ASSERT_TRUE(counted) << counted.error().ToString();
    EXPECT_EQ(*counted, expected) << memory;
    auto sorted = sorter.Finish();
    ASSERT_TRUE(sorted);
    EXPECT_TRUE(*Drain(&*sorted) == Expected(records, Repeats::kDrop)) << memory;
  }
}

TEST_F(SorterTest, RepeatsAreWhatTheOrderSaysTheyAre) {
  RunStore store(options_);
  Sorter<Record, ByKey> sorter(&store, 4'000, Repeats::kDrop);
  ASSERT_TRUE(sorter.Add(Random(20'000, 1'000, 5)));
  auto sorted = sorter.Finish();
  ASSERT_TRUE(sorted);
  const auto out = Drain(&*sorted);
  ASSERT_EQ(out->size(), 1'000);
  for (uint32_t i = 0; i < 1'000; ++i) EXPECT_EQ((*out)[i].key, i);
  EXPECT_GT(store.peak_disk_bytes(), 0);
}

TEST_F(SorterTest, TheSorterIsEmptyAfterFinish) {
  RunStore store(options_);
  Sorter<Record, ByBoth> sorter(&store, 4'000);
  for (int round = 0; round < 3; ++round) {
    const auto records = Random(round == 1 ? 100 : 3'000, 1'000, round);
    ASSERT_TRUE(sorter.Add(records));
    auto sorted = sorter.Finish();
    ASSERT_TRUE(sorted);
    EXPECT_TRUE(*Drain(&*sorted) == Expected(records, Repeats::kKeep));
  }
}

TEST_F(SorterTest, AHalfReadResultIsForgotten) {
  RunStore store(options_);
  {
    Sorter<Record, ByBoth> sorter(&store, 4'000);
    ASSERT_TRUE(sorter.Add(Random(3'000, 1'000, 1)));
    auto sorted = sorter.Finish();
    ASSERT_TRUE(sorted);
    auto moved = std::move(*sorted);
    ASSERT_NE(moved.Next(), nullptr);
    EXPECT_GT(FileCount(), 0);
  }
  EXPECT_EQ(FileCount(), 0);
}

TEST_F(SorterTest, LargeInputsAreSortedInParallel) {
  RunStore store(options_);
  const auto records = Random(200'000, 1 << 30, 5);
  const auto sorted = Sort(&store, records, 1 << 20, Repeats::kKeep);
  ASSERT_TRUE(sorted);
  EXPECT_TRUE(*sorted == Expected(records, Repeats::kKeep));
}

TEST_F(SorterTest, EveryFailingOperationIsAnErrorThatLeavesNothing) {
  const auto records = Random(2'000, 1'000, 5);
  const auto expected = Expected(records, Repeats::kKeep);
  FaultyFileSystem counting(RealFileSystem(), {});
  {
    RunStore store(options_, counting);
    ASSERT_TRUE(Sort(&store, records, 4'000, Repeats::kKeep));
  }
  ASSERT_GT(counting.operations(), 40);
  uint64_t errors = 0;
  for (uint64_t at = 1; at <= counting.operations(); ++at) {
    fs::remove_all(options_.folder);
    FaultyFileSystem files(RealFileSystem(), {at, EIO, false});
    {
      RunStore store(options_, files);
      const auto sorted = Sort(&store, records, 4'000, Repeats::kKeep);
      errors += !sorted;
      if (sorted) {
        EXPECT_TRUE(*sorted == expected) << "only removing may fail unnoticed";
      }
      EXPECT_EQ(store.disk_bytes(), 0);
    }
    EXPECT_EQ(FileCount(), 0) << at;
  }
  EXPECT_GT(errors, counting.operations() / 2);
}

TEST_F(SorterTest, ShortReadsGiveTheSameRecords) {
  const auto records = Random(2'000, 1'000, 5);
  FaultyFileSystem files(RealFileSystem(), {1, 0, true});
  RunStore store(options_, files);
  const auto sorted = Sort(&store, records, 4'000, Repeats::kKeep);
  ASSERT_TRUE(sorted) << sorted.error().ToString();
  EXPECT_TRUE(*sorted == Expected(records, Repeats::kKeep));
}

}  // namespace
}  // namespace lookalike
