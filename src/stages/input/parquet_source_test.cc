#include "stages/input/parquet_source.h"

#include <arrow/api.h>
#include <arrow/io/file.h>
#include <gtest/gtest.h>
#include <parquet/arrow/writer.h>
#include <parquet/properties.h>
#include <tbb/task_arena.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <thread>

#include "input/reader_testing.h"
#include "stages/input/parquet_row_group.h"

namespace lookalike {
namespace {

constexpr uint64_t kMiB = uint64_t{1} << 20;

// Makes texts of some 60 bytes, ids, and a column that a dictionary makes small.
std::shared_ptr<arrow::Table> MakeRows(int64_t rows, uint32_t seed) {
  std::mt19937 random(seed);
  arrow::StringBuilder texts, labels;
  arrow::Int64Builder ids;
  for (int64_t row = 0; row < rows; ++row) {
    std::string text(random() % 120, 'a');
    for (char& c : text) c = static_cast<char>('a' + random() % 26);
    EXPECT_TRUE((row % 50 == 7 ? texts.AppendNull() : texts.Append(text)).ok());
    EXPECT_TRUE(labels.Append(std::string(2000, row % 2 == 0 ? 'x' : 'y')).ok());
    EXPECT_TRUE(ids.Append(static_cast<int64_t>(random())).ok());
  }
  const auto schema =
      arrow::schema({arrow::field("id", arrow::int64()), arrow::field("text", arrow::utf8()),
                     arrow::field("label", arrow::utf8())});
  return arrow::Table::Make(schema, {ids.Finish().ValueOrDie(), texts.Finish().ValueOrDie(),
                                     labels.Finish().ValueOrDie()});
}

// Writes a file with row groups of these sizes.
InputFile Write(const std::vector<int64_t>& groups) {
  InputFile file;
  file.name = "a.parquet";
  file.path = testing::FreshFolder() + "/" + file.name;
  file.format = Format::kParquet;
  auto out = arrow::io::FileOutputStream::Open(file.path).ValueOrDie();
  auto properties = parquet::WriterProperties::Builder()
                        .compression(arrow::Compression::ZSTD)
                        ->max_row_group_length(1 << 20)
                        ->build();
  auto writer = parquet::arrow::FileWriter::Open(*MakeRows(0, 0)->schema(),
                                                 arrow::default_memory_pool(), out, properties)
                    .ValueOrDie();
  for (size_t i = 0; i < groups.size(); ++i) {
    const auto rows = MakeRows(groups[i], static_cast<uint32_t>(i));
    EXPECT_TRUE(writer->NewRowGroup().ok());
    for (const auto& column : rows->columns()) {
      EXPECT_TRUE(writer->WriteColumnChunk(column, 0, rows->num_rows()).ok());
    }
  }
  EXPECT_TRUE(writer->Close().ok());
  EXPECT_TRUE(out->Close().ok());
  file.size = std::filesystem::file_size(file.path);
  return file;
}

struct Outcome {
  std::vector<std::shared_ptr<arrow::RecordBatch>> batches;
  std::vector<uint64_t> bytes_read;  ///< After each batch.
  std::string error;
};

struct Reading {
  int threads = 1;
  uint64_t ahead = 0;
  bool slow = false;  ///< Lets other threads get ahead.
  uint64_t skip = 0;
};

Outcome Read(const InputFile& file, const std::vector<std::string>& paths, const Reading& how) {
  Outcome outcome;
  tbb::task_arena arena(how.threads);
  arena.execute([&] {
    auto source = OpenParquetSource(file, paths, {.ahead = how.ahead});
    Status skipped;
    if (source) skipped = (*source)->Skip(how.skip);
    if (!source || !skipped) {
      outcome.error = (source ? skipped.error() : source.error()).ToString();
      return;
    }
    while (true) {
      auto batch = (*source)->Next();
      if (!batch) outcome.error = batch.error().ToString();
      if (!batch || *batch == nullptr) return;
      outcome.batches.push_back(*batch);
      outcome.bytes_read.push_back((*source)->bytes_read());
      if (how.slow) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  });
  return outcome;
}

// Reads with several numbers of threads and amounts of memory: the batches and the error must be
// the same as with one thread.
Outcome ReadInEveryWay(const InputFile& file, uint64_t skip = 0) {
  Outcome wanted;
  for (const auto& paths : {std::vector<std::string>{"text", "id"}, std::vector<std::string>()}) {
    wanted = Read(file, paths, {1, 0, false, skip});
    for (const int threads : {1, 2, 8}) {
      for (const uint64_t ahead : {kMiB / 8, 2 * kMiB, 64 * kMiB}) {
        for (const bool slow : {false, true}) {
          const Outcome got = Read(file, paths, {threads, ahead, slow, skip});
          EXPECT_EQ(got.error, wanted.error) << threads << " threads, " << ahead;
          EXPECT_EQ(got.bytes_read, wanted.bytes_read) << threads << " threads, " << ahead;
          EXPECT_EQ(got.batches.size(), wanted.batches.size());
          for (size_t i = 0; i < std::min(got.batches.size(), wanted.batches.size()); ++i) {
            EXPECT_TRUE(got.batches[i]->Equals(*wanted.batches[i])) << i;
          }
        }
      }
    }
  }
  return wanted;
}

int64_t RowsOf(const Outcome& outcome) {
  int64_t rows = 0;
  for (const auto& batch : outcome.batches) rows += batch->num_rows();
  return rows;
}

TEST(ParquetSource, ManySmallRowGroups) {
  EXPECT_EQ(RowsOf(ReadInEveryWay(Write(std::vector<int64_t>(70, 100)))), 7000);
}

TEST(ParquetSource, OneLargeRowGroup) {
  const Outcome outcome = ReadInEveryWay(Write({60'000}));
  EXPECT_EQ(RowsOf(outcome), 60'000);
  EXPECT_GT(outcome.batches.size(), 5U);
}

TEST(ParquetSource, EmptyRowGroupsAndThoseOfAllSizes) {
  EXPECT_EQ(RowsOf(ReadInEveryWay(Write({0, 0, 0}))), 0);
  EXPECT_EQ(RowsOf(ReadInEveryWay(Write({}))), 0);
  EXPECT_EQ(RowsOf(ReadInEveryWay(Write({10, 0, 40'000, 0, 0, 300, 9000, 1, 20'000, 0, 5}))),
            69'316);
}

TEST(ParquetSource, ReadingBeginsAnywhere) {
  const InputFile file = Write({100, 0, 9000, 100, 3000, 100});
  for (const uint64_t skip : {1, 100, 101, 9100, 9250, 12'299, 12'300}) {
    EXPECT_EQ(RowsOf(ReadInEveryWay(file, skip)), static_cast<int64_t>(12'300 - skip)) << skip;
  }
}

TEST(ParquetSource, ABrokenRowGroupIsTheSameErrorAtTheSamePlace) {
  const InputFile file = Write({500, 500, 500, 500});
  std::ifstream stream(file.path, std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(stream), {});
  int errors = 0;
  for (size_t at = bytes.size() / 2; at < bytes.size() * 3 / 4; at += bytes.size() / 30) {
    std::string damaged = bytes;
    for (size_t i = 0; i < 32; ++i) damaged[at + i] = '\xEE';
    testing::WriteFile(file.path, damaged);
    const Outcome outcome = ReadInEveryWay(file);
    if (outcome.error.empty()) continue;
    ++errors;
    EXPECT_GE(RowsOf(outcome), 500);
  }
  EXPECT_GT(errors, 2);
}

TEST(ParquetSource, WhoStopsEarlyIsNotHeldUp) {
  const InputFile file = Write(std::vector<int64_t>(20, 500));
  tbb::task_arena arena(4);
  arena.execute([&] {
    for (int round = 0; round < 20; ++round) {
      auto source = OpenParquetSource(file, {}, {.ahead = 64 * kMiB});
      ASSERT_TRUE(source);
      EXPECT_NE(*(*source)->Next(), nullptr);
    }
  });
}

TEST(ParquetRowGroup, DecodesNoMoreAheadThanItsShare) {
  const InputFile file = Write({20'000});
  const auto decoded_ahead = [&](uint64_t share) {
    auto opened = arrow::io::ReadableFile::Open(file.path).ValueOrDie();
    auto reader = parquet::arrow::OpenFile(opened, arrow::default_memory_pool()).ValueOrDie();
    ParquetRowGroup group(std::move(reader), {0, {1}, 1000, share});  // some 60 KB per batch
    group.Run();
    const size_t ahead = group.decoded();
    int64_t rows = 0;
    while (true) {
      const auto batch = group.Next().ValueOrDie();
      if (!batch) break;
      rows += batch->num_rows();
    }
    EXPECT_EQ(rows, 20'000);
    EXPECT_EQ(group.Next().ValueOrDie(), nullptr);
    return ahead;
  };
  EXPECT_EQ(decoded_ahead(0), 0U);
  EXPECT_EQ(decoded_ahead(1), 1U);
  EXPECT_GT(decoded_ahead(200'000), 1U);
  EXPECT_LT(decoded_ahead(200'000), 6U);
  EXPECT_EQ(decoded_ahead(uint64_t{1} << 40), 20U);
}

}  // namespace
}  // namespace lookalike
