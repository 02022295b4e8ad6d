#include "format/sketch_bytes.h"

#include <gtest/gtest.h>

#include <cstring>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace lookalike {
namespace {

StoredSketch Example() { return {2, 1, 0x0102030405060708, "char:9", {1, 0x7fffffff, 5}}; }

// Returns the bytes with a matching checksum.
std::string Resealed(std::string bytes) {
  const uint64_t checksum = XXH3_64bits(bytes.data(), bytes.size() - 8);
  std::memcpy(bytes.data() + bytes.size() - 8, &checksum, 8);
  return bytes;
}

std::string ErrorOf(std::string_view bytes) {
  const auto sketch = DecodeSketch(bytes);
  return sketch ? "" : sketch.error().what;
}

TEST(SketchBytesTest, LayoutIsThatOfTheDocument) {
  const std::string bytes = EncodeSketch(Example());
  const std::string expected(
      "LKLSKET\x01"
      "\x02\x20\x01\x00\x03\x00\x00\x00"
      "\x08\x07\x06\x05\x04\x03\x02\x01"
      "\x06\x00\x00\x00"
      "char:9"
      "\x01\x00\x00\x00\xff\xff\xff\x7f\x05\x00\x00\x00",
      46);
  ASSERT_EQ(bytes.size(), expected.size() + 8);
  EXPECT_EQ(bytes.substr(0, expected.size()), expected);
  EXPECT_EQ(bytes, Resealed(bytes)) << "XXH3-64 of all before it";
}

TEST(SketchBytesTest, ThereAndBack) {
  const auto sketch = DecodeSketch(EncodeSketch(Example()));
  ASSERT_TRUE(sketch.has_value()) << sketch.error().ToString();
  EXPECT_EQ(*sketch, Example());
  const auto nothing = DecodeSketch(EncodeSketch(StoredSketch()));
  ASSERT_TRUE(nothing.has_value()) << nothing.error().ToString();
  EXPECT_EQ(*nothing, StoredSketch());
}

TEST(SketchBytesTest, EveryChangedBitIsNoticed) {
  const std::string bytes = EncodeSketch(Example());
  for (size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    std::string changed = bytes;
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ 1 << bit % 8);
    EXPECT_NE(ErrorOf(changed), "") << bit;
  }
}

TEST(SketchBytesTest, EveryLengthButItsOwnIsNoticed) {
  const std::string bytes = EncodeSketch(Example());
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_NE(ErrorOf(bytes.substr(0, size)), "") << size;
  }
  EXPECT_NE(ErrorOf(bytes + '\0'), "");
  EXPECT_NE(ErrorOf(bytes + bytes), "");
}

TEST(SketchBytesTest, ErrorsSayWhatIsWrong) {
  const std::string bytes = EncodeSketch(Example());
  const auto with = [&](size_t at, char value) {
    std::string changed = bytes;
    changed[at] = value;
    return Resealed(changed);
  };
  EXPECT_NE(ErrorOf("").find("do not begin with LKLSKET"), std::string::npos);
  EXPECT_NE(ErrorOf(with(0, 'x')).find("do not begin with LKLSKET"), std::string::npos);
  EXPECT_NE(ErrorOf(bytes.substr(0, 35)).find("cut off"), std::string::npos);
  EXPECT_NE(ErrorOf(with(7, 2)).find("version 2 of the format"), std::string::npos);
  EXPECT_NE(ErrorOf(with(9, 7)).find("numbers of 7 bits"), std::string::npos);
  EXPECT_NE(ErrorOf(with(9, '\xA0')).find("numbers of 160 bits"), std::string::npos);
  EXPECT_NE(ErrorOf(with(12, 4))
                .find("they are 54 bytes, but according to their header they should be 58"),
            std::string::npos);
  std::string changed = bytes;
  changed[30] ^= 1;
  EXPECT_NE(ErrorOf(changed).find("checksum"), std::string::npos);
}

// Equal sketches have equal bytes: the padding in the last byte is 0.
TEST(SketchBytesTest, BitsBehindTheLastNumberAreRefused) {
  StoredSketch sketch = Example();
  sketch.bits = 2;
  sketch.coordinates = {1, 2, 3, 0, 1};
  const std::string bytes = EncodeSketch(sketch);
  EXPECT_EQ(*DecodeSketch(bytes), sketch);
  std::string changed = bytes;
  changed[bytes.size() - 9] = static_cast<char>(changed[bytes.size() - 9] | 1 << 2);
  EXPECT_NE(ErrorOf(Resealed(changed)).find("extra bits after the last number"), std::string::npos);
}

// Sizes that only look small because they overflow.
TEST(SketchBytesTest, SizesBeyondTheBytesAreRefused) {
  std::string bytes = EncodeSketch(Example());
  for (const size_t at : {size_t{12}, size_t{24}}) {
    std::string changed = bytes;
    std::memset(changed.data() + at, 0xff, 4);
    EXPECT_NE(ErrorOf(Resealed(changed)).find("according to their header they should be"),
              std::string::npos)
        << at;
  }
}

}  // namespace
}  // namespace lookalike
