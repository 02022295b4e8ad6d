#include "input/reader_testing.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "io/open_stream.h"

namespace lookalike::testing {
std::string FreshFolder() {
  std::string folder = ::testing::TempDir() + "/reader-XXXXXX";
  EXPECT_NE(mkdtemp(folder.data()), nullptr);
  return folder;
}

void WriteFile(const std::string& path, std::string_view bytes) {
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

InputFile MakeInput(const std::string& name, std::string_view bytes, Format format) {
  InputFile file;
  file.path = FreshFolder() + "/" + name;
  file.name = name;
  file.format = format;
  file.size = bytes.size();
  WriteFile(file.path, bytes);
  file.codec = DetectCodec(file.path).value();
  return file;
}

ReadResult ReadAll(const InputFile& file) {
  ReaderSetup setup;
  setup.file = file;
  return ReadAll(setup);
}

ReadResult ExpectSameFromEveryPosition(ReaderSetup setup) {
  const ReadResult whole = ReadAll(setup);
  EXPECT_EQ(whole.error, "");
  for (const auto& [position, before] : whole.positions) {
    setup.from = position;
    const ReadResult rest = ReadAll(setup);
    EXPECT_EQ(rest.error, "");
    EXPECT_EQ(rest.header, whole.header);
    EXPECT_GE(rest.batches, 1u);
    EXPECT_GE(rest.bytes_read, whole.bytes_read);
    EXPECT_LE(rest.bytes_read, setup.file.size);
    EXPECT_EQ(rest.positions.back().first, whole.positions.back().first);
    const bool same = std::equal(rest.records.begin(), rest.records.end(),
                                 whole.records.begin() + static_cast<std::ptrdiff_t>(before),
                                 whole.records.end());
    EXPECT_TRUE(same) << setup.file.name << ": other records from byte " << position.offset
                      << ", row " << position.row << ", blocks of " << setup.block_bytes;
    if (!same) break;
  }
  return whole;
}

TEST(ReaderTesting, ReadsBackWhatItWrites) {
  const InputFile file = MakeInput("a.txt", "words", Format::kText);
  ASSERT_EQ(ReadAll(file).records.size(), 1u);
  EXPECT_EQ(ReadAll(file).records[0].text, "words");
}

}  // namespace lookalike::testing
