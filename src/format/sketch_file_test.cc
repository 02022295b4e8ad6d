#include "format/sketch_file.h"

#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

namespace lookalike {
namespace {

StoredSketch Like(uint8_t bits = 32) {
  StoredSketch like = {1, 1, 7, "word:3", std::vector<uint32_t>(16, 5)};
  like.bits = bits;
  return like;
}

std::string Packed(const std::vector<uint32_t>& numbers, uint32_t bits) {
  std::string bytes;
  AppendPacked(numbers, bits, &bytes);
  return bytes;
}

std::string Encoded(const SketchRecord& record) {
  std::string bytes;
  AppendSketchRecord(record, &bytes);
  return bytes;
}

StoredSketch Front(const StoredSketch& like) {
  const std::string front = EncodeSketchFront(like);
  const auto length = LengthOfSketchFront(std::string_view(front).substr(0, kSketchFrontBytes));
  EXPECT_EQ(*length + kSketchFrontBytes, front.size());
  const auto decoded = DecodeSketchFront(std::string_view(front).substr(kSketchFrontBytes));
  EXPECT_TRUE(decoded.has_value());
  return *decoded;
}

TEST(SketchFileTest, AFrontSaysWhatTheSketchesShare) {
  for (const int width : {1, 2, 4, 8, 16, 32}) {
    const auto bits = static_cast<uint8_t>(width);
    const StoredSketch front = Front(Like(bits));
    EXPECT_EQ(front.kind, 1);
    EXPECT_EQ(front.bits, bits);
    EXPECT_EQ(front.seed, 7u);
    EXPECT_EQ(front.shingle, "word:3");
    EXPECT_EQ(front.coordinates, std::vector<uint32_t>(16, bits == 32 ? UINT32_MAX : 0));
    EXPECT_EQ(front.is_empty, bits != 32);
  }
  StoredSketch sample = {129, 1, 7, "word:3"};
  sample.parameter = 64;
  sample.values = {1, 2};
  EXPECT_EQ(Front(sample).parameter, 64u);
  EXPECT_TRUE(Front(sample).values.empty());
}

TEST(SketchFileTest, ABlockHoldsItsRecords) {
  const std::string sketch = Packed(std::vector<uint32_t>(16, 9), 32);
  SketchBlock block("in.jsonl");
  block.Add(Encoded({3, 40, "a", sketch}));
  block.Add(Encoded({5, 0, "", ""}));
  EXPECT_EQ(block.records(), 2u);
  const std::string bytes = block.Finish(12);
  const SketchBlockHead head = ReadSketchBlockHead(bytes);
  EXPECT_EQ(head.size(), bytes.size());
  EXPECT_EQ(head.records, 2u);
  EXPECT_EQ(head.before, 12u);
  std::string_view source;
  std::vector<SketchRecord> records;
  ASSERT_TRUE(DecodeSketchBlock(bytes, Like(), &source, &records).has_value());
  EXPECT_EQ(source, "in.jsonl");
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0].row, 3u);
  EXPECT_EQ(records[0].features, 40u);
  EXPECT_EQ(records[0].id, "a");
  EXPECT_EQ(records[0].sketch, sketch);
  EXPECT_EQ(records[1].row, 5u);
  EXPECT_TRUE(records[1].sketch.empty());
}

TEST(SketchFileTest, AChangedByteIsNoticed) {
  SketchBlock block("s");
  block.Add(Encoded({1, 2, "id", Packed(std::vector<uint32_t>(16, 9), 32)}));
  const std::string bytes = block.Finish(0);
  std::string_view source;
  for (size_t at = kSketchBlockHead; at < bytes.size(); ++at) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ 1);
    std::vector<SketchRecord> records;
    EXPECT_FALSE(DecodeSketchBlock(changed, Like(), &source, &records).has_value()) << at;
  }
  for (size_t at = 4; at < kSketchBlockHead; ++at) {  // the reader has to check the length
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ 1);
    std::vector<SketchRecord> records;
    EXPECT_FALSE(DecodeSketchBlock(changed, Like(), &source, &records).has_value()) << at;
  }
}

/// Returns the values of a sample, in bytes.
std::string Ascending(uint64_t count) {
  std::vector<uint64_t> values(count);
  std::iota(values.begin(), values.end(), 1);
  return {reinterpret_cast<const char*>(values.data()), count * sizeof(uint64_t)};
}

// Sealed with a correct checksum, so that only the check of the records is left.
TEST(SketchFileTest, RecordsOfWrongLengthsAreRefused) {
  const auto decode = [](const SketchRecord& record, const StoredSketch& like) {
    SketchBlock block("s");
    block.Add(Encoded(record));
    const std::string bytes = block.Finish(0);
    std::string_view source;
    std::vector<SketchRecord> records;
    return DecodeSketchBlock(bytes, like, &source, &records).has_value();
  };
  const std::string whole(64, 'x'), half(32, 'x');
  EXPECT_TRUE(decode({1, 1, "a", whole}, Like()));
  EXPECT_FALSE(decode({1, 1, "a", half}, Like()));
  EXPECT_FALSE(decode({1, 1, "a", ""}, Like()));
  EXPECT_FALSE(decode({1, 0, "a", whole}, Like()));
  EXPECT_TRUE(decode({1, 1, "a", half}, Like(16)));
  StoredSketch sample = {130, 1, 0, "word:3"};
  sample.parameter = 4;
  EXPECT_TRUE(decode({1, 1, "a", Ascending(4)}, sample));
  EXPECT_FALSE(decode({1, 1, "a", half}, sample)) << "its values are equal";
  EXPECT_TRUE(decode({1, 1, "a", ""}, sample)) << "of few features none may be sampled";
  EXPECT_FALSE(decode({1, 1, "a", "1234567"}, sample));
}

TEST(SketchFileTest, NumbersOfFeaturesHave32Bits) {
  const auto decode = [](uint64_t features, const StoredSketch& like) {
    SketchBlock block("s");
    block.Add(Encoded({1, features, "a", Ascending(8)}));
    const std::string bytes = block.Finish(0);
    std::string_view source;
    std::vector<SketchRecord> records;
    const Status status = DecodeSketchBlock(bytes, like, &source, &records);
    return status ? std::string() : status.error().what;
  };
  StoredSketch sample = {130, 1, 0, "word:3"};
  sample.parameter = 4;
  for (const StoredSketch& like : {Like(), sample}) {
    EXPECT_EQ(decode(UINT32_MAX, like), "");
    EXPECT_NE(decode(uint64_t{1} << 32, like).find("4294967296 features"), std::string::npos);
    EXPECT_NE(decode(UINT64_MAX, like).find("more than the limit of 4294967295"),
              std::string::npos);
  }
}

TEST(SketchFileTest, LengthsOfBlocksAreLimited) {
  StoredSketch sample = {130, 1, 0, "word:3"};
  sample.parameter = 4;
  EXPECT_EQ(MostBlockBytes(Like()), uint64_t{1} << 29);
  EXPECT_EQ(MostBlockBytes(sample), uint64_t{7} << 29);
  for (const StoredSketch& like : {Like(), sample}) {
    SketchBlockHead head{static_cast<uint32_t>(MostBlockBytes(like)), 1, 0};
    EXPECT_TRUE(CheckSketchBlockHead(head, like).has_value());
    ++head.bytes;
    const Status status = CheckSketchBlockHead(head, like);
    ASSERT_FALSE(status.has_value());
    EXPECT_NE(status.error().what.find(std::to_string(head.bytes) + " bytes"), std::string::npos);
  }
}

TEST(SketchFileTest, TheEndSaysHowManyDocumentsThereAre) {
  const std::string end = EndOfSketches(77);
  EXPECT_EQ(end.size(), kSketchBlockHead + kSketchBlockTail);
  const SketchBlockHead head = ReadSketchBlockHead(end);
  EXPECT_EQ(head.records, 0u);
  EXPECT_EQ(head.before, 77u);
  std::string_view source;
  std::vector<SketchRecord> records;
  EXPECT_TRUE(DecodeSketchBlock(end, Like(), &source, &records).has_value());
  EXPECT_TRUE(records.empty());
}

TEST(SketchFileTest, OtherFrontsAreErrors) {
  const std::string front = EncodeSketchFront(Like());
  const auto what = [](std::string_view first) { return LengthOfSketchFront(first).error().what; };
  EXPECT_NE(what("LKLSKETxxxxx").find("LKLSKFL"), std::string::npos);
  EXPECT_NE(what(front.substr(0, 11)).find("cut off"), std::string::npos);
  std::string later = front.substr(0, kSketchFrontBytes);
  later[7] = 2;
  EXPECT_NE(what(later).find("version 2"), std::string::npos);
  std::string long_one = front.substr(0, kSketchFrontBytes);
  long_one[11] = 1;
  EXPECT_NE(what(long_one).find("bytes"), std::string::npos);
  for (size_t at = kSketchFrontBytes; at < front.size(); ++at) {
    std::string changed = front.substr(kSketchFrontBytes);
    changed[at - kSketchFrontBytes] ^= 1;
    EXPECT_FALSE(DecodeSketchFront(changed).has_value()) << at;
  }
}

TEST(PackedNumbersTest, EveryWidth) {
  for (const uint32_t bits : {1U, 2U, 4U, 8U, 16U, 32U}) {
    std::vector<uint32_t> numbers;
    for (uint32_t i = 0; i < 32; ++i) {
      numbers.push_back(i * 0x9e3779b1U >> (32 - bits));
    }
    std::string bytes = "before";
    AppendPacked(numbers, bits, &bytes);
    ASSERT_EQ(bytes.size(), 6 + PackedBytes(32, bits));
    std::vector<uint32_t> read;
    Unpack(std::string_view(bytes).substr(6), 32, bits, &read);
    EXPECT_EQ(read, numbers);
  }
}

}  // namespace
}  // namespace lookalike
