#include "io/utf8.h"

#include <gtest/gtest.h>

#include <random>

namespace lookalike {
namespace {

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

}  // namespace
}  // namespace lookalike
