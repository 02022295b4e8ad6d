#include "run/input_size.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "input/reader_testing.h"
#include "io/decoded_stream.h"
#include "io/open_stream.h"
#include "io/output_stream.h"

namespace lookalike {
namespace {

using testing::FreshFolder;
using testing::WriteFile;

/// Returns rows that do not compress to nothing; if they `grow`, those at the end are much longer.
std::string Rows(size_t count, bool grow) {
  std::mt19937_64 random(5);
  std::string rows;
  for (size_t i = 0; i < count; ++i) {
    rows += R"({"id": ")" + std::to_string(i) + R"(", "text": ")";
    const size_t words = 1 + random() % 8 + (grow ? i * 40 / count : 0);
    for (size_t w = 0; w < words; ++w) rows += "w" + std::to_string(random() % 5000) + " ";
    rows += "\"}\n";
  }
  return rows;
}

InputFile FileOf(const std::string& path, Format format, Codec codec) {
  InputFile file;
  file.path = path;
  file.name = std::filesystem::path(path).filename();
  file.format = format;
  file.codec = codec;
  file.size = std::filesystem::file_size(path);
  return file;
}

InputFile Packed(const std::string& bytes, Codec codec, Format format = Format::kJsonLines) {
  const std::string path = FreshFolder() + "/rows";
  const auto stream = OutputStream::Create(path, codec);
  EXPECT_TRUE(stream && (*stream)->Write(bytes) && (*stream)->Close());
  return FileOf(path, format, codec);
}

InputSizes Estimate(const std::vector<InputFile>& inputs) {
  return EstimateSizes(inputs, FieldPaths(), ReadLimits(), 1000);
}

constexpr Codec kCodecs[] = {Codec::kNone, Codec::kGzip, Codec::kZstd, Codec::kBzip2, Codec::kLz4};

TEST(InputSizeTest, TheSameRowsAreAsManyInEveryCodec) {
  constexpr size_t kCount = 100'000;
  const std::string rows = Rows(kCount, false);
  for (const Codec codec : kCodecs) {
    const InputFile file = Packed(rows, codec);
    ASSERT_TRUE(codec == Codec::kNone || file.size * 3 < rows.size() * 2);
    const InputSizes sizes = Estimate({file});
    ASSERT_EQ(sizes.plain_bytes.size(), 1U);
    const auto bytes = static_cast<double>(rows.size());
    EXPECT_NEAR(static_cast<double>(sizes.AllBytes()), bytes, .06 * bytes) << CodecName(codec);
    EXPECT_NEAR(static_cast<double>(sizes.documents), kCount, .06 * kCount) << CodecName(codec);
  }
}

TEST(InputSizeTest, SmallInputsAreCounted) {
  const std::string rows = Rows(500, true);
  for (const Codec codec : kCodecs) {
    const InputSizes sizes = Estimate({Packed(rows, codec)});
    EXPECT_EQ(sizes.documents, 500U) << CodecName(codec);
    EXPECT_EQ(sizes.AllBytes(), rows.size()) << CodecName(codec);
  }
  EXPECT_EQ(Estimate({Packed("", Codec::kNone)}).documents, 0U);
  EXPECT_EQ(Estimate({Packed(R"({"text": "no end of line"})", Codec::kNone)}).documents, 1U);
}

// The front of a file does not stand for all of it if more can be seen.
TEST(InputSizeTest, LinesAreCountedAtSeveralPlaces) {
  constexpr size_t kCount = 100'000;
  const InputSizes sizes = Estimate({Packed(Rows(kCount, true), Codec::kNone)});
  EXPECT_NEAR(static_cast<double>(sizes.documents), kCount, .1 * kCount)
      << "the mean of places that are spread by bytes";
  const InputSizes front = Estimate({Packed(Rows(kCount, true).substr(0, 300'000), Codec::kNone)});
  EXPECT_GT(front.documents * sizes.AllBytes(), 2 * sizes.documents * front.AllBytes());
}

TEST(InputSizeTest, EveryInputCounts) {
  const std::string small = Rows(2000, false), large = Rows(2000, true) + Rows(2000, true);
  const InputSizes sizes = Estimate({Packed(small, Codec::kNone), Packed(large, Codec::kGzip)});
  EXPECT_EQ(sizes.documents, 6000U);
  EXPECT_EQ(sizes.plain_bytes[0], small.size());
  EXPECT_EQ(sizes.plain_bytes[1], large.size());
}

TEST(InputSizeTest, LineEndsInsideOfQuotesAreNoRows) {
  std::string rows = "id,text\n";
  for (int i = 0; i < 3000; ++i) rows += std::to_string(i) + ",\"two\nlines \"\"and\"\" more\"\n";
  for (const Codec codec : {Codec::kNone, Codec::kZstd}) {
    EXPECT_EQ(Estimate({Packed(rows, codec, Format::kCsv)}).documents, 3001U);
  }
}

TEST(InputSizeTest, AFileOfTextIsOneDocument) {
  std::vector<InputFile> files;
  const std::string folder = FreshFolder();
  for (int i = 0; i < 1000; ++i) {
    const std::string path = folder + "/" + std::to_string(i) + ".txt";
    WriteFile(path, std::string(static_cast<size_t>(10 * i), 'x'));
    files.push_back(FileOf(path, Format::kText, Codec::kNone));
  }
  const InputSizes sizes = Estimate(files);
  EXPECT_EQ(sizes.documents, 1000U);
  EXPECT_EQ(sizes.AllBytes(), 10U * 999 * 1000 / 2);
}

TEST(InputSizeTest, OfManyInputsSomeStandForTheOthers) {
  const std::string rows = Rows(50, false);
  const InputFile file = Packed(rows, Codec::kGzip);
  const InputSizes sizes = Estimate(std::vector<InputFile>(2000, file));
  EXPECT_NEAR(static_cast<double>(sizes.documents), 100'000, 10);
  EXPECT_NEAR(static_cast<double>(sizes.AllBytes()), 2000.0 * static_cast<double>(rows.size()),
              2000);
}

TEST(InputSizeTest, WhatCannotBeReadIsNoError) {
  InputFile gone;
  gone.path = FreshFolder() + "/gone";
  gone.size = 4000;
  EXPECT_EQ(Estimate({gone}).documents, 4U) << "a kilobyte a record";
  gone.codec = Codec::kZstd;
  EXPECT_EQ(Estimate({gone}).documents, 16U) << "that grows fourfold";
  gone.format = Format::kParquet, gone.codec = Codec::kNone;
  EXPECT_EQ(Estimate({gone}).documents, 16U);
  gone.problem = "no such file";
  EXPECT_EQ(Estimate({gone}).documents, 0U);
}

}  // namespace
}  // namespace lookalike
