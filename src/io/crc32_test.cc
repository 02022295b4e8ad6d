#include "io/crc32.h"

#include <gtest/gtest.h>

#include <string>

namespace lookalike {
namespace {

// The published check value of CRC-32, and the output of `gzip -lv` for the others.
TEST(Crc32, HasTheKnownValues) {
  EXPECT_EQ(Crc32(""), 0U);
  EXPECT_EQ(Crc32("a"), 0xE8B7BE43U);
  EXPECT_EQ(Crc32("123456789"), 0xCBF43926U);
  EXPECT_EQ(Crc32("The quick brown fox jumps over the lazy dog"), 0x414FA339U);
  EXPECT_EQ(Crc32(std::string(32, '\xFF')), 0xFF6CAB0BU);
}

TEST(Crc32, JoinedPartsAreTheWhole) {
  std::string text;
  for (int i = 0; i < 300; ++i) text += static_cast<char>(i * i % 251);
  const std::string_view whole = text;
  for (size_t cut = 0; cut <= whole.size(); ++cut) {
    const std::string_view first = whole.substr(0, cut), second = whole.substr(cut);
    EXPECT_EQ(JoinCrc32(Crc32(first), Crc32(second), second.size()), Crc32(whole)) << cut;
  }
}

TEST(Crc32, JoinsWhatIsLongerThan32BitsCount) {
  // Zero bytes appended: doubled step by step, or at once.
  uint32_t zeros = Crc32(std::string(1 << 16, '\0'));
  uint64_t size = 1 << 16;
  while (size < uint64_t{1} << 34) {
    zeros = JoinCrc32(zeros, zeros, size);
    size *= 2;
  }
  const uint32_t front = Crc32("front");
  uint32_t in_halves = front;
  const uint32_t half = [] {
    uint32_t value = Crc32(std::string(1 << 16, '\0'));
    for (uint64_t bytes = 1 << 16; bytes < uint64_t{1} << 33; bytes *= 2) {
      value = JoinCrc32(value, value, bytes);
    }
    return value;
  }();
  for (int i = 0; i < 2; ++i) in_halves = JoinCrc32(in_halves, half, uint64_t{1} << 33);
  EXPECT_EQ(JoinCrc32(front, zeros, size), in_halves);
}

}  // namespace
}  // namespace lookalike
