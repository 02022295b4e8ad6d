#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "format/sketch_file.h"
#include "input/reader_testing.h"

namespace lookalike {
namespace {

using testing::MakeInput;
using testing::ReadAll;
using testing::ReadResult;

StoredSketch Like() { return {1, 1, 7, "word:3", std::vector<uint32_t>(16)}; }

/// Makes a block of `documents` documents of a source, with ids and features counted from `first`.
std::string Block(const std::string& source, uint64_t first, uint32_t documents) {
  SketchBlock block(source);
  for (uint64_t i = first; i < first + documents; ++i) {
    const std::string id = "d" + std::to_string(i), sketch(i % 3 == 0 ? 0 : 64, 'x');
    std::string record;
    AppendSketchRecord({i + 1, i % 3, id, sketch}, &record);
    block.Add(record);
  }
  return block.Finish(first);
}

std::string File() {
  return EncodeSketchFront(Like()) + Block("a", 0, 5) + Block("b", 5, 1) + Block("c", 6, 30) +
         EndOfSketches(36);
}

ReaderSetup SetupOf(std::string_view bytes) {
  ReaderSetup setup;
  setup.file = MakeInput("a.sketches", bytes, Format::kSketches);
  setup.block_bytes = 100;  // one block of the file at a time
  return setup;
}

std::string ErrorOf(std::string_view bytes) { return ReadAll(SetupOf(bytes)).error; }

TEST(SketchReader, DocumentsHaveTheirIdsAndGoOnFromEveryPosition) {
  const ReadResult result = testing::ExpectSameFromEveryPosition(SetupOf(File()));
  EXPECT_EQ(result.error, "");
  ASSERT_EQ(result.records.size(), 36u);
  EXPECT_GE(result.batches, 3u);
  for (size_t i = 0; i < 36; ++i) {
    EXPECT_EQ(result.records[i].id, "d" + std::to_string(i));
    EXPECT_TRUE(result.records[i].has_id);
    EXPECT_EQ(result.records[i].row, i + 1);
    EXPECT_TRUE(result.records[i].text.empty());
  }
  EXPECT_EQ(result.bytes_read, File().size() - EndOfSketches(36).size());
}

TEST(SketchReader, SketchesAndFeaturesComeAlong) {
  auto reader = OpenReader(SetupOf(File()));
  ASSERT_TRUE(reader.has_value());
  DocumentBatch batch;
  ASSERT_TRUE(*(*reader)->Next(&batch));
  ASSERT_GE(batch.documents.size(), 5u);
  EXPECT_EQ(batch.documents[2].features, 2u);
  EXPECT_EQ(batch.documents[2].sketch, std::string(64, 'x'));
  EXPECT_EQ(batch.documents[3].features, 0u);
  EXPECT_TRUE(batch.documents[3].sketch.empty());
}

TEST(SketchReader, AFileWithoutDocumentsIsOneEmptyBatch) {
  const ReadResult result = ReadAll(SetupOf(EncodeSketchFront(Like()) + EndOfSketches(0)));
  EXPECT_EQ(result.error, "");
  EXPECT_EQ(result.batches, 1u);
  EXPECT_TRUE(result.records.empty());
}

TEST(SketchReader, ACutAnywhereIsAnError) {
  const std::string file = File();
  for (size_t size = 0; size < file.size(); ++size) {
    ASSERT_NE(ErrorOf(file.substr(0, size)).find("cut off"), std::string::npos) << size;
  }
}

TEST(SketchReader, AChangedByteAnywhereIsAnError) {
  const std::string file = File();
  for (size_t at = 0; at < file.size(); ++at) {
    std::string changed = file;
    changed[at] = static_cast<char>(changed[at] ^ 0x40);
    ASSERT_NE(ErrorOf(changed), "") << at;
  }
}

TEST(SketchReader, ABlockThatIsTooLongIsNotRead) {
  std::string file = File();
  file[EncodeSketchFront(Like()).size() + 3] = '\x21';  // the highest byte of the length
  const std::string error = ErrorOf(file);
  EXPECT_NE(error.find("a block claims to have"), std::string::npos) << error;
  EXPECT_NE(error.find("more than the limit of 536870912"), std::string::npos) << error;
}

TEST(SketchReader, MoreFeaturesThan32BitsHoldAreAnError) {
  std::string record;
  AppendSketchRecord({1, uint64_t{1} << 32, "a", std::string(64, 'x')}, &record);
  SketchBlock block("a");
  block.Add(record);
  const std::string error = ErrorOf(EncodeSketchFront(Like()) + block.Finish(0) + EndOfSketches(1));
  EXPECT_NE(error.find("4294967296 features"), std::string::npos) << error;
}

TEST(SketchReader, BlocksThatLackOrRepeatAndBytesBehindTheEnd) {
  const std::string front = EncodeSketchFront(Like());
  const std::string a = Block("a", 0, 5), b = Block("b", 5, 1);
  EXPECT_EQ(ErrorOf(front + a + b + EndOfSketches(6)), "");
  EXPECT_NE(ErrorOf(front + b + EndOfSketches(6)).find("missing or repeated block"),
            std::string::npos);
  EXPECT_NE(ErrorOf(front + a + a + EndOfSketches(6)).find("missing or repeated block"),
            std::string::npos);
  EXPECT_NE(ErrorOf(front + a + b + EndOfSketches(7)).find("missing or repeated block"),
            std::string::npos);
  EXPECT_NE(ErrorOf(front + a + EndOfSketches(5) + "x").find("after its end"), std::string::npos);
  EXPECT_NE(ErrorOf(front + a + EndOfSketches(5) + EndOfSketches(5)).find("after its end"),
            std::string::npos);
}

TEST(SketchReader, TheFrontSaysWhatTheSketchesAre) {
  const auto like = ReadSketchFront(SetupOf(File()).file, ReadLimits());
  ASSERT_TRUE(like.has_value());
  EXPECT_EQ(like->shingle, "word:3");
  EXPECT_EQ(like->seed, 7u);
  const std::string other("LKLSKFX\1\0\0\0\0", kSketchFrontBytes);
  const auto wrong = ReadSketchFront(MakeInput("b", other, Format::kSketches), {});
  ASSERT_FALSE(wrong.has_value());
  EXPECT_NE(wrong.error().what.find("LKLSKFL"), std::string::npos);
}

}  // namespace
}  // namespace lookalike
