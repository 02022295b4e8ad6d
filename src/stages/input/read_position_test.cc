// Reading from the middle of an input yields the same as uninterrupted reading does from there on.
#include <gtest/gtest.h>

#include <filesystem>
#include <random>
#include <span>

#include "input/reader_testing.h"
#include "io/output_stream.h"

namespace lookalike {
namespace {

using testing::ExpectSameFromEveryPosition;
using testing::FreshFolder;
using testing::ReadAll;
using testing::ReadResult;

constexpr Codec kCodecs[] = {Codec::kNone, Codec::kGzip, Codec::kZstd, Codec::kBzip2, Codec::kLz4};
constexpr uint64_t kLimit = 90;

using Random = std::mt19937_64;

InputFile Compressed(std::string_view bytes, Format format, Codec codec) {
  InputFile file;
  file.name = "a.in";
  file.path = FreshFolder() + "/" + file.name;
  file.format = format;
  file.codec = codec;
  if (bytes.starts_with("id\ttext")) file.delimiter = '\t';
  auto out = OutputStream::Create(file.path, codec).value();
  EXPECT_TRUE(out->Write(bytes));
  EXPECT_TRUE(out->Close());
  file.size = std::filesystem::file_size(file.path);
  return file;
}

std::string Pick(std::span<const std::string> pieces, Random* random) {
  return pieces[(*random)() % pieces.size()];
}

std::string RandomJsonLines(Random* random) {
  const std::vector<std::string> lines = {R"({"text":"one","id":1})",
                                          R"({"id":"\ud800","text":"\udc00 lone"})",
                                          "{\"text\":\"a\xFF\"}",
                                          R"({"text":null})",
                                          R"({"text":5})",
                                          "broken",
                                          "",
                                          " \t",
                                          "\xEF\xBB\xBF{\"text\":\"a mark inside\"}",
                                          "{\"text\":\"" + std::string(2 * kLimit, 'x') + "\"}",
                                          "{\"text\":\"" + std::string(kLimit - 11, 'y') + "\"}",
                                          "{\"text\":\"" + std::string(kLimit - 10, 'z') + "\"}"};
  std::string bytes = (*random)() % 2 ? "\xEF\xBB\xBF" : "";
  for (int i = 0; i < 40; ++i) bytes += Pick(lines, random) + ((*random)() % 3 ? "\n" : "\r\n");
  if ((*random)() % 2) bytes += "{\"text\":\"no line end\"}";
  return bytes;
}

std::string RandomCsv(Random* random) {
  const std::vector<std::string> records = {
      "1,one",
      "2,\"two\nlines\"",
      "3,\"three \"\"quoted\"\"\r\n\n lines\"",
      "4,\"stray",
      "5,\"text\" after",
      "6",
      "7,a,b",
      "",
      "a\",\"",
      "8,\xFF",
      "9," + std::string(2 * kLimit, 'x'),
      "10,\"" + std::string(2 * kLimit, 'y') + "\"",
      "11,\"" + std::string(kLimit, 'z') + "\n\n" + std::string(kLimit, 'z') + "\""};
  std::string bytes = (*random)() % 2 ? "\xEF\xBB\xBF" : "";
  if ((*random)() % 2) bytes += "\n";
  bytes += "id,text\r\n";
  for (int i = 0; i < 40; ++i) bytes += Pick(records, random) + ((*random)() % 3 ? "\n" : "\r\n");
  if ((*random)() % 2) bytes += "12,\"no end";
  return bytes;
}

std::string RandomJsonArray(Random* random) {
  const std::vector<std::string> elements = {
      R"({"text":"one","id":1})",
      R"({"text":"a ] and a , and a \" and a \\"})",
      "{\"text\":\"a\xFF\", \"more\": [1, {\"x\": []}]}",
      "{\n  \"text\": \"pretty\",\n  \"id\": 2\n}",
      "5",
      "null",
      "\"a, string]\"",
      "[1, [2]]",
      "{\"text\" 1}",
      "{\"text\":\"" + std::string(2 * kLimit, 'x') + "\"}",
      "{\"text\":\"" + std::string(kLimit - 11, 'y') + "\"}",
      "{\"text\":\"" + std::string(kLimit - 10, 'z') + "\"}"};
  std::string bytes = (*random)() % 2 ? "\xEF\xBB\xBF [" : "[";
  for (int i = 0; i < 40; ++i) {
    bytes += Pick(elements, random) + ((*random)() % 2 ? ",\n  " : " ,");
  }
  return bytes + "{\"text\": \"last\"}" + ((*random)() % 2 ? "]" : "\n]\n");
}

std::string RandomTsv(Random* random) {
  const std::vector<std::string> records = {"1\tone",
                                            "2\t\"two\nlines\"",
                                            "3\t\"three \"\"quoted\"\"\r\n\n lines\"",
                                            "4\t\"stray",
                                            "5\t\"text\" after",
                                            "6",
                                            "7\ta\tb",
                                            "8\tends\"",
                                            "\"9\ta",
                                            "10\t\"" + std::string(2 * kLimit, 'y') + "\""};
  std::string bytes = "id\ttext\r\n";
  for (int i = 0; i < 80; ++i) bytes += Pick(records, random) + ((*random)() % 3 ? "\n" : "\r\n");
  return bytes;
}

void ExpectSameForRandomInputs(Format format, std::string (*make)(Random*)) {
  Random random(17);
  for (const Codec codec : kCodecs) {
    for (const size_t block : {1, 10, 64, 300, 1 << 20}) {
      for (int repeat = 0; repeat < (codec == Codec::kNone ? 30 : 4); ++repeat) {
        ReaderSetup setup;
        setup.file = Compressed(make(&random), format, codec);
        setup.limits.max_record = kLimit;
        setup.block_bytes = block;
        const ReadResult whole = ExpectSameFromEveryPosition(setup);
        EXPECT_GE(whole.records.size(), 10u);
        EXPECT_GT(whole.positions.size(), block <= 64 ? 10u : 1u);
      }
    }
  }
}

TEST(ReadPosition, JsonLinesGoOn) {
  ExpectSameForRandomInputs(Format::kJsonLines, RandomJsonLines);
}

TEST(ReadPosition, JsonArraysGoOn) {
  ExpectSameForRandomInputs(Format::kJsonArray, RandomJsonArray);
}

TEST(ReadPosition, TablesWithTabsGoOn) { ExpectSameForRandomInputs(Format::kCsv, RandomTsv); }

TEST(ReadPosition, CsvGoesOn) { ExpectSameForRandomInputs(Format::kCsv, RandomCsv); }

// Every line but the last opens a quote that the next one closes and opens again: without a bound
// on rescanning, each would be scanned to the end. The bound must not carry over.
TEST(ReadPosition, CsvGoesOnBehindManyOpenQuotes) {
  std::string bytes = "id,text\n";
  for (int i = 0; i < 300; ++i) bytes += i % 97 == 96 ? "1,\"two\nlines\"\n" : "a\",\"\n";
  for (const size_t block : {64, 500, 1 << 20}) {
    ReaderSetup setup;
    setup.file = Compressed(bytes, Format::kCsv, Codec::kNone);
    setup.block_bytes = block;
    ExpectSameFromEveryPosition(setup);
  }
}

TEST(ReadPosition, UsualBlocksGoOn) {
  Random random(3);
  std::string bytes;
  while (bytes.size() < (size_t{5} << 20)) {
    const size_t size = random() % 16 ? random() % 20'000 : random() % 2'000'000;
    bytes += "{\"text\":\"" + std::string(size, 'a') + "\"}\n";
  }
  for (const Codec codec : {Codec::kNone, Codec::kZstd}) {
    ReaderSetup setup;
    setup.file = Compressed(bytes, Format::kJsonLines, codec);
    EXPECT_GT(ExpectSameFromEveryPosition(setup).positions.size(), 3u);
  }
}

TEST(ReadPosition, ATextIsDoneAfterItsRecord) {
  for (const Codec codec : kCodecs) {
    for (const size_t size : {0, 50, 200}) {
      ReaderSetup setup;
      setup.file = Compressed(std::string(size, 't'), Format::kText, codec);
      setup.limits.max_record = kLimit;
      const ReadResult whole = ReadAll(setup);
      ASSERT_EQ(whole.records.size(), size > 0 ? 1u : 0u);
      setup.from = whole.positions.back().first;
      EXPECT_EQ(setup.from.row, whole.records.size());
      EXPECT_EQ(ReadAll(setup).error, "");
      EXPECT_EQ(ReadAll(setup).records.size(), 0u);
    }
  }
}

TEST(ReadPosition, CountsPlainBytesAndRows) {
  const std::string front = "\xEF\xBB\xBF{\"text\":\"a\"}\n\n";
  for (const Codec codec : kCodecs) {
    ReaderSetup setup;
    setup.file = Compressed(front + "{\"text\":\"b\"}", Format::kJsonLines, codec);
    setup.block_bytes = front.size();
    const ReadResult result = ReadAll(setup);
    ASSERT_EQ(result.positions.size(), 3u);
    EXPECT_EQ(result.positions[0].first, ReadPosition{});
    EXPECT_EQ(result.positions[1].first, (ReadPosition{front.size(), 2}));
    EXPECT_EQ(result.positions[2].first, (ReadPosition{front.size() + 12, 3}));
  }
}

TEST(ReadPosition, BehindTheEndIsAnError) {
  for (const Format format : {Format::kJsonLines, Format::kCsv, Format::kText}) {
    for (const Codec codec : kCodecs) {
      ReaderSetup setup;
      setup.file = Compressed("text\n", format, codec);
      setup.from = {5, 1};
      EXPECT_EQ(ReadAll(setup).error, "");
      EXPECT_EQ(ReadAll(setup).records.size(), 0u);
      setup.from = {6, 1};
      EXPECT_NE(ReadAll(setup).error.find("the input has changed"), std::string::npos)
          << ReadAll(setup).error;
    }
  }
}

}  // namespace
}  // namespace lookalike
