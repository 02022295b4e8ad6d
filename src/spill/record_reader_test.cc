#include "spill/record_reader.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>
#include <string>
#include <vector>

#include "fault/faulty_file_system.h"
#include "spill/run_store.h"

namespace lookalike {
namespace {

struct Triple {
  uint32_t a, b, c;
};

class RecordReaderTest : public ::testing::TestWithParam<uint64_t> {
 protected:
  void SetUp() override {
    options_.folder = ::testing::TempDir() + "lookalike_record_reader";
    options_.held_bytes = GetParam();
    std::filesystem::remove_all(options_.folder);
  }
  void TearDown() override { std::filesystem::remove_all(options_.folder); }

  /// Returns a run whose stream 1 has this many records, numbered from `first` on.
  static RunPointer RunOf(RunStore* store, uint32_t first, uint32_t count) {
    const auto writer = store->Temporary(2, 100);
    for (uint32_t i = first; i < first + count; ++i) {
      EXPECT_TRUE(writer->AppendRecord(0, ~i));
      EXPECT_TRUE(writer->AppendRecord(1, Triple{i, 2 * i, 3 * i}));
    }
    return *writer->Finish();
  }

  RunStoreOptions options_;
};

TEST_P(RecordReaderTest, GivesEveryRecordOfEveryRunInOrder) {
  RunStore store(options_);
  const std::vector<RunPointer> runs = {RunOf(&store, 0, 0), RunOf(&store, 0, 100),
                                        RunOf(&store, 100, 1), RunOf(&store, 101, 0),
                                        RunOf(&store, 101, 50)};
  for (const size_t buffer : {1, 12, 100, 1 << 16}) {
    RecordReader<Triple> reader(runs, 1, buffer);
    uint32_t expected = 0;
    while (const Triple* record = reader.Next()) {
      ASSERT_EQ(record->a, expected);
      ASSERT_EQ(record->c, 3 * expected);
      ++expected;
    }
    EXPECT_TRUE(reader.status());
    EXPECT_EQ(expected, 151);
    EXPECT_EQ(reader.Next(), nullptr) << "and no more";
  }
}

TEST_P(RecordReaderTest, ABlockIsOfOneRunAndSaysWhich) {
  RunStore store(options_);
  const std::vector<RunPointer> runs = {RunOf(&store, 0, 10), RunOf(&store, 10, 0),
                                        RunOf(&store, 10, 5)};
  RecordReader<Triple> reader(runs, 1, 8 * sizeof(Triple));
  std::vector<std::pair<size_t, size_t>> blocks;
  for (auto block = reader.NextBlock(); !block.empty(); block = reader.NextBlock()) {
    blocks.emplace_back(reader.run(), block.size());
  }
  EXPECT_EQ(blocks, (std::vector<std::pair<size_t, size_t>>{{0, 8}, {0, 2}, {2, 5}}));
}

TEST_P(RecordReaderTest, AStreamThatEndsWithinARecordIsAnError) {
  RunStore store(options_);
  const auto writer = store.Temporary(2);
  ASSERT_TRUE(writer->AppendRecord(1, Triple{}));
  ASSERT_TRUE(writer->AppendRecord(1, uint8_t{7}));
  const RunPointer run = *writer->Finish();
  RecordReader<Triple> reader({run}, 1);
  while (reader.Next() != nullptr) {
  }
  ASSERT_FALSE(reader.status());
  EXPECT_NE(reader.status().error().what.find("ended too early"), std::string::npos);
  const auto records = ReadRecords<Triple>(*run, 1);
  ASSERT_FALSE(records);
  EXPECT_NE(records.error().what.find("ended too early"), std::string::npos);
}

TEST_P(RecordReaderTest, WithoutRunsThereIsNothing) {
  RecordReader<Triple> reader({}, 0);
  EXPECT_EQ(reader.Next(), nullptr);
  EXPECT_TRUE(reader.NextBlock().empty());
  EXPECT_TRUE(reader.status());
}

INSTANTIATE_TEST_SUITE_P(InMemoryAndInFiles, RecordReaderTest,
                         ::testing::Values(uint64_t{0}, uint64_t{1} << 30));

TEST(RecordReaderFaultTest, AFailedReadEndsTheRecordsWithAnError) {
  RunStoreOptions options;
  options.folder = ::testing::TempDir() + "lookalike_record_reader_fault";
  FaultyFileSystem counting(RealFileSystem(), {});
  uint64_t before = 0;
  {
    RunStore store(options, counting);
    const auto writer = store.Temporary(1, 100);
    ASSERT_TRUE(writer->AppendRecord(0, 1));
    ASSERT_TRUE(writer->Finish());
    before = counting.operations() - 1;  // without the removal
  }
  std::filesystem::remove_all(options.folder);
  for (const uint64_t at : {before + 1, before + 2}) {  // opening, reading
    FaultyFileSystem files(RealFileSystem(), {at, EIO, false});
    RunStore store(options, files);
    const auto writer = store.Temporary(1, 100);
    ASSERT_TRUE(writer->AppendRecord(0, 1));
    RecordReader<int> reader({*writer->Finish()}, 0);
    EXPECT_EQ(reader.Next(), nullptr);
    EXPECT_FALSE(reader.status());
    EXPECT_EQ(reader.Next(), nullptr) << "an error stays";
    std::filesystem::remove_all(options.folder);
  }
}

}  // namespace
}  // namespace lookalike
