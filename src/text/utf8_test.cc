#include "text/utf8.h"

#include <gtest/gtest.h>

#include <random>

namespace lookalike {
namespace {

bool IsUtf8(std::string_view text) { return CountValidPrefix(text) == text.size(); }

const std::string kBad = "\xEF\xBF\xBD";

TEST(Utf8, WellFormedTextStaysAsItIs) {
  const std::string text = "a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\xED\x9F\xBF\xF4\x8F\xBF\xBF";
  EXPECT_TRUE(IsUtf8(text));
  EXPECT_EQ(RepairUtf8(text), text);
}

// The Unicode Core Specification's tables 3-8 to 3-11.
TEST(Utf8, OneReplacementForEachMaximalSubpart) {
  EXPECT_EQ(RepairUtf8("\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41"),
            kBad + kBad + kBad + kBad + kBad + kBad + kBad + kBad + "A");
  EXPECT_EQ(RepairUtf8("\xED\xA0\x80\xED\xBF\xBF\xED\xAF\x41"),
            kBad + kBad + kBad + kBad + kBad + kBad + kBad + kBad + "A");
  EXPECT_EQ(RepairUtf8("\xF4\x91\x92\x93\xFF\x41\x80\xBF\x42"),
            kBad + kBad + kBad + kBad + kBad + "A" + kBad + kBad + "B");
  EXPECT_EQ(RepairUtf8("\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41"), kBad + kBad + kBad + kBad + "A");
}

TEST(Utf8, ASequenceCutOffByTheEndIsOneReplacement) {
  EXPECT_EQ(RepairUtf8("ab\xF0\x9F\x98"), "ab" + kBad);
  EXPECT_EQ(RepairUtf8("\xE2"), kBad);
}

TEST(Utf8, RepairedBytesAreWellFormedAndBounded) {
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    std::string bytes(random() % 40, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random() % 3 ? 0x80 + random() % 128 : 'a');
    const std::string repaired = RepairUtf8(bytes);
    EXPECT_TRUE(IsUtf8(repaired));
    EXPECT_LE(repaired.size(), 3 * bytes.size());
    if (IsUtf8(bytes)) {
      EXPECT_EQ(repaired, bytes);
    }
  }
}

TEST(Utf8, BothReadersAgreeOnEveryCodePoint) {
  const std::string_view text =
      "a\xC2\x80\xDF\xBF\xE0\xA0\x80\xEF\xBF\xBF\xF0\x90\x80\x80\xF4\x8F\xBF\xBF";
  const char32_t expected[] = {'a', 0x80, 0x7FF, 0x800, 0xFFFF, 0x10000, 0x10FFFF};
  size_t at = 0;
  for (const char32_t value : expected) {
    const CodePoint checked = ReadCodePoint(text.substr(at));
    const CodePoint valid = ReadValidCodePoint(text.data() + at);
    EXPECT_EQ(checked.value, value);
    EXPECT_EQ(valid.value, value);
    EXPECT_EQ(checked.length, valid.length);
    at += valid.length;
  }
  EXPECT_EQ(at, text.size());
  EXPECT_EQ(CountCodePoints(text), std::size(expected));
}

}  // namespace
}  // namespace lookalike
