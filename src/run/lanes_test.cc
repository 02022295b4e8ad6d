#include "run/lanes.h"

#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <string>
#include <vector>

#include "engine/small_workspace.h"

namespace lookalike {
namespace {

class LanesTest : public WorkspaceTest {
 protected:
  InputFile Lines(const std::string& name, uint64_t size) {
    InputFile file;
    file.name = name;
    file.path = root_ + "/" + name;
    file.format = Format::kJsonLines;
    file.size = size;
    return file;
  }
};

/// Checks that lanes cover every byte of the inputs once, in order.
void ExpectWhole(const std::vector<Lane>& lanes, uint32_t inputs) {
  uint32_t input = 0;
  uint64_t from = 0;
  for (const Lane& lane : lanes) {
    EXPECT_EQ(lane.first, input);
    EXPECT_EQ(lane.from, from);
    EXPECT_GT(lane.end, lane.first);
    if (lane.is_part()) {
      EXPECT_EQ(lane.end, lane.first + 1);
    }
    from = lane.until == UINT64_MAX ? 0 : lane.until;
    input = from == 0 ? lane.end : lane.first;
  }
  EXPECT_EQ(input, inputs);
  EXPECT_EQ(from, 0u);
}

TEST_F(LanesTest, LargeInputsAreCutAndSmallOnesPutTogether) {
  InputFile csv = Lines("b.csv", 5000);
  csv.format = Format::kCsv;
  InputFile packed = Lines("c.jsonl.zst", 5000);
  packed.codec = Codec::kZstd;
  const InputList inputs = {
      Lines("a", 300), Lines("b", 600), Lines("c", 200), Lines("d", 3500), csv,
      packed,          Lines("e", 0),   Lines("f", 1999)};
  const std::vector<Lane> lanes = CutIntoLanes(inputs, 1000);
  ExpectWhole(lanes, 8);
  std::vector<std::pair<uint32_t, uint64_t>> begins;
  for (const Lane& lane : lanes) begins.emplace_back(lane.first, lane.from);
  const std::vector<std::pair<uint32_t, uint64_t>> expected = {
      {0, 0}, {2, 0}, {3, 0}, {3, 1000}, {3, 2000}, {4, 0}, {5, 0}, {6, 0}, {7, 0}};
  EXPECT_EQ(begins, expected);
  EXPECT_EQ(lanes[4].until, UINT64_MAX) << "the last part has what is left, even if it is larger";
}

TEST_F(LanesTest, AnInputOfTwoLanesIsCut) {
  EXPECT_EQ(CutIntoLanes({Lines("a", 1999)}, 1000).size(), 1u);
  EXPECT_EQ(CutIntoLanes({Lines("a", 2000)}, 1000).size(), 2u);
}

TEST_F(LanesTest, ALaneHasNoMoreInputsThanMemoryHolds) {
  InputList inputs;
  for (int i = 0; i < 4097; ++i) inputs.Add(Lines("a", 0));
  const std::vector<Lane> lanes = GroupIntoLanes(inputs, 0, 1000);
  ASSERT_EQ(lanes.size(), 2u);
  EXPECT_EQ(lanes[0].end, 4096u);
}

TEST_F(LanesTest, LanesGrowWithTheInputsBetweenTwoBounds) {
  constexpr uint64_t kMiB = uint64_t{1} << 20;
  const auto bytes_of = [&](uint64_t size) {
    return LaneBytesOf({Lines("a", size / 2), Lines("b", size / 2)});
  };
  EXPECT_EQ(bytes_of(0), 16 * kMiB);
  EXPECT_EQ(bytes_of(4096 * kMiB), 16 * kMiB);
  EXPECT_EQ(bytes_of(8192 * kMiB), 32 * kMiB);
  EXPECT_EQ(bytes_of(uint64_t{1} << 40), 64 * kMiB);
  InputFile packed = Lines("c.jsonl.zst", 2048 * kMiB);
  packed.codec = Codec::kZstd;
  EXPECT_EQ(LaneBytesOf({packed}), 32 * kMiB) << "a compressed file counts as what it holds";
}

TEST_F(LanesTest, InputsThatMakeFilesAreNeverCut) {
  const InputList inputs = {Lines("a", 9000), Lines("b", 100), Lines("c", 100), Lines("d", 9000)};
  const std::vector<Lane> lanes = GroupIntoLanes(inputs, 1, 1000);
  ASSERT_EQ(lanes.size(), 2u);
  EXPECT_EQ(lanes[0].first, 1u);
  EXPECT_EQ(lanes[0].end, 3u);
  EXPECT_EQ(lanes[1].end, 4u);
  EXPECT_FALSE(lanes[1].is_part());
}

// One lane for four files of 16 MB would leave most threads of a machine without work.
TEST_F(LanesTest, CompressedInputsCountAsWhatTheyHold) {
  InputFile packed = Lines("a.jsonl.zst", 200), table = Lines("a.parquet", 200);
  packed.codec = Codec::kZstd;
  table.format = Format::kParquet;
  for (const InputFile& file : {packed, table}) {
    EXPECT_EQ(CutIntoLanes({file, file, file}, 1000).size(), 3u) << file.name;
    EXPECT_EQ(GroupIntoLanes({file, file, file}, 0, 1600).size(), 2u) << file.name;
  }
  const InputFile plain = Lines("a.jsonl", 200);
  EXPECT_EQ(CutIntoLanes({plain, plain, plain}, 1000).size(), 1u);
}

TEST_F(LanesTest, ShardsAreWholeNumbersOfLanesOrLanesOfShards) {
  EXPECT_EQ(LaneBytes(1000, 0), 1000u);
  EXPECT_EQ(LaneBytes(1000, 1), 1000u);
  EXPECT_EQ(LaneBytes(1000, 300), 900u);
  EXPECT_EQ(LaneBytes(1000, 1000), 1000u);
  EXPECT_EQ(LaneBytes(1000, 1001), 500u);
  EXPECT_EQ(LaneBytes(1000, 2100), 700u);
}

TEST_F(LanesTest, RecordsAreWrittenInPartsOnlyIfTheyMakeSeveralFiles) {
  const InputList inputs = {Lines("reference", 5000), Lines("cut", 5000), Lines("small", 10),
                            Lines("other", 10)};
  const std::vector<Lane> read = CutIntoLanes(inputs, 1000);
  ASSERT_EQ(read.size(), 11u) << "five parts, five parts, two small inputs";
  const auto whole = GroupForWriting(inputs, 1, read, 1000, 0);
  ASSERT_EQ(whole.size(), 2u);
  EXPECT_FALSE(whole[0].has_parts() || whole[1].has_parts());
  EXPECT_EQ(whole[0].inputs.first, 1u);
  EXPECT_EQ(whole[1].inputs.end, 4u);
  const auto shards = GroupForWriting(inputs, 1, read, 1000, 2000);
  ASSERT_EQ(shards.size(), 4u) << "two parts make a shard";
  EXPECT_EQ(shards[0].first_part, 5u) << "the reference is not written";
  EXPECT_EQ(shards[0].end_part, 7u);
  EXPECT_EQ(shards[2].end_part - shards[2].first_part, 1u);
  EXPECT_EQ(GroupForWriting(inputs, 1, read, 1000, 500).size(), 6u) << "several in a part";
  EXPECT_FALSE(shards[3].has_parts());
  EXPECT_EQ(shards[3].inputs.first, 2u);
}

TEST_F(LanesTest, MemoryForFewBatchesReadsOneLaneAtATime) {
  MemoryPlan memory;
  memory.asked_threads = 8;
  memory.ahead = 800;
  memory.waiting = 300;
  memory.batches = 3;
  EXPECT_EQ(ShareBatches(10, memory).lanes, 1u);
  EXPECT_EQ(ShareBatches(10, memory).batches, 3u);
  EXPECT_EQ(ShareBatches(10, memory).ahead, 800u);
  EXPECT_EQ(ShareBatches(10, memory).waiting, 300u);
  memory.batches = 17;
  EXPECT_EQ(ShareBatches(10, memory).lanes, 8u);
  EXPECT_EQ(ShareBatches(10, memory).batches, 2u);
  EXPECT_EQ(ShareBatches(10, memory).ahead, 0u) << "every thread has a lane";
  EXPECT_EQ(ShareBatches(10, memory).waiting, 0u);
  EXPECT_EQ(ShareBatches(3, memory).lanes, 3u);
  EXPECT_EQ(ShareBatches(3, memory).batches, 5u);
  EXPECT_EQ(ShareBatches(3, memory).ahead, 266u);
  EXPECT_EQ(ShareBatches(3, memory).waiting, 100u);
  memory.batches = 8;
  EXPECT_EQ(ShareBatches(10, memory).lanes, 4u);
  memory.batches = 4;
  EXPECT_EQ(ShareBatches(10, memory).lanes, 2u);
}

TEST(RunLanes, ResultsComeInOrderAndTheFirstErrorStops) {
  for (const size_t threads : {1, 2, 8}) {
    RunInArena(threads, [&] {
      std::vector<size_t> taken;
      std::atomic<size_t> most = 0, now = 0;
      const Status good = RunLanes(
          40, {.lanes = 2, .batches = 1, .ahead = 0},
          [&](size_t i) -> Result<size_t> {
            const size_t others = ++now;
            size_t seen = most;
            while (seen < others && !most.compare_exchange_weak(seen, others)) {
            }
            --now;
            return i * i;
          },
          [&](size_t i, size_t square) -> Status {
            EXPECT_EQ(square, i * i);
            taken.push_back(i);
            return {};
          });
      EXPECT_TRUE(good);
      ASSERT_EQ(taken.size(), 40u);
      EXPECT_TRUE(std::is_sorted(taken.begin(), taken.end()));
      EXPECT_LE(most, std::max<size_t>(2, threads == 2 ? 4 : 2));
      size_t last = 0;
      const Status bad = RunLanes(
          40, {.lanes = 2, .batches = 1, .ahead = 0},
          [&](size_t i) -> Result<size_t> {
            if (i >= 7) return InputError("lane " + std::to_string(i));
            return i;
          },
          [&](size_t i, size_t) -> Status {
            last = i;
            return {};
          });
      ASSERT_FALSE(bad);
      EXPECT_EQ(bad.error().what, "lane 7");
      EXPECT_EQ(last, 6u);
    });
  }
}

}  // namespace
}  // namespace lookalike
