#include <gtest/gtest.h>

#include "input/reader_testing.h"

namespace lookalike {
namespace {

using testing::MakeInput;
using testing::ReadAll;
using testing::ReadResult;

ReadResult Read(std::string_view bytes, uint64_t max_record = 256 << 20) {
  ReaderSetup setup;
  setup.file = MakeInput("a.txt", bytes, Format::kText);
  setup.limits.max_record = max_record;
  return ReadAll(setup);
}

TEST(Text, AFileIsOneRecord) {
  const std::string bytes = "\xEF\xBB\xBFline one\r\nline two\n\xFF";
  const ReadResult result = Read(bytes);
  ASSERT_EQ(result.records.size(), 1u);
  EXPECT_EQ(result.records[0].row, 1u);
  EXPECT_EQ(result.records[0].raw, bytes);
  EXPECT_EQ(result.records[0].text, bytes.substr(3));
  EXPECT_FALSE(result.records[0].has_id);
  EXPECT_EQ(result.bytes_read, bytes.size());
}

TEST(Text, AnEmptyFileHasNoRecord) {
  const ReadResult result = Read("");
  EXPECT_EQ(result.batches, 1u);
  EXPECT_EQ(result.records.size(), 0u);
}

TEST(Text, SizesAroundTheLimit) {
  const std::string bytes(10'000, 'a');
  EXPECT_FALSE(Read(bytes, 10'000).records[0].rejected);
  const ReadResult result = Read(bytes, 9'999);
  ASSERT_EQ(result.records.size(), 1u);
  EXPECT_TRUE(result.records[0].rejected);
  EXPECT_EQ(result.records[0].raw.size(), 9'999u);
  EXPECT_NE(result.records[0].reason.find("$<max-record>"), std::string::npos);
}

TEST(Text, SizesThatTheFolderDidNotTell) {
  for (const size_t size : {4095, 4096, 4097, 100'000}) {
    ReaderSetup setup;
    setup.file = MakeInput("a.txt", std::string(size, 'a'), Format::kText);
    setup.file.size = 0;
    EXPECT_EQ(ReadAll(setup).records.at(0).text.size(), size);
  }
}

TEST(Text, Utf16IsRejected) {
  const ReadResult result =
      Read(std::string_view("\xFF\xFE"
                            "a\0",
                            4));
  EXPECT_NE(result.records.at(0).reason.find("UTF-16"), std::string::npos);
}

TEST(Text, PagesAreOfAnyEncoding) {
  const auto read = [](std::string_view bytes, uint64_t max_record = 1 << 20) {
    ReaderSetup setup;
    setup.file = MakeInput("a.html", bytes, Format::kHtml);
    setup.limits.max_record = max_record;
    return ReadAll(setup).records.at(0);
  };
  const std::string_view utf16("\xFF\xFE<\0p\0>\0\xE9\0", 10);
  EXPECT_EQ(read(utf16).text, "<p>\u00e9");
  EXPECT_EQ(read(utf16).raw, utf16);
  EXPECT_EQ(read(utf16).kind, TextKind::kHtml);
  EXPECT_EQ(read("<meta charset=koi8-r>\xF0").text, "<meta charset=koi8-r>\u041f");
  EXPECT_EQ(read("\xE9\xE9", 3).rejected, true);
  EXPECT_EQ(read("\xE9\xE9", 4).rejected, false);
}

// This includes pages: a separator from outside would make items that nobody wrote.
TEST(Text, LinesThatAreNoItemsAreRejected) {
  const auto read = [](Format format, std::string_view bytes, ItemWeights weights) {
    ReaderSetup setup;
    setup.file = MakeInput("a", bytes, format);
    setup.fields.form = TextForm::kItems;
    setup.fields.weights = weights;
    return ReadAll(setup).records.at(0);
  };
  for (const Format format : {Format::kText, Format::kHtml}) {
    EXPECT_FALSE(read(format, "a\nb", ItemWeights::kAny).rejected);
    const auto separated = read(format, "a\x1E", ItemWeights::kAny);
    EXPECT_TRUE(separated.rejected);
    EXPECT_NE(separated.reason.find("U+001E"), std::string::npos) << separated.reason;
    EXPECT_EQ(separated.raw, "a\x1E");
    const auto unrated = read(format, "a\nb", ItemWeights::kNeeded);
    EXPECT_TRUE(unrated.rejected);
    EXPECT_NE(unrated.reason.find("no rating"), std::string::npos) << unrated.reason;
  }
  const std::string_view utf16("\xFF\xFE\x1F\0", 4);
  EXPECT_TRUE(read(Format::kHtml, utf16, ItemWeights::kAny).rejected);
}

}  // namespace
}  // namespace lookalike
