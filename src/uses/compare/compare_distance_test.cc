#include <gtest/gtest.h>

#include <string>

#include "kernels/splitmix.h"
#include "lookalike/lookalike.h"

namespace lookalike {
namespace {

Result<Comparison> Compared(const std::string& a, const std::string& b, const char* distance) {
  Options options;
  options.distance = distance;
  return CompareTexts(a, b, options);
}

double DistanceOf(const std::string& a, const std::string& b, const char* distance) {
  const auto found = Compared(a, b, distance);
  return found ? found->distance.value_or(-1) : -2;
}

std::string Drawn(size_t length, uint64_t seed) {
  SplitMix64 random(seed);
  std::string text;
  for (size_t i = 0; i < length; ++i) text += static_cast<char>('a' + random.Next() % 26);
  return text;
}

TEST(CompareByDistance, CountsEditsHoweverMany) {
  for (const size_t length : {1U, 63U, 64U, 65U, 255U, 256U, 257U, 1025U}) {
    const std::string a(length, 'a'), b(length, 'b');
    EXPECT_EQ(DistanceOf(a, b, "edit"), static_cast<double>(length));
    EXPECT_EQ(DistanceOf(a, "", "edit"), static_cast<double>(length));
    EXPECT_EQ(DistanceOf(a + "x", "y" + a, "edit"), 2);
  }
  EXPECT_EQ(DistanceOf("", "", "edit"), 0);
}

TEST(CompareByDistance, CountsInsertionsAndDeletionsHoweverMany) {
  EXPECT_EQ(DistanceOf("abc", "axc", "indel"), 2);
  EXPECT_EQ(DistanceOf("abc", "axc", "edit"), 1);
  EXPECT_EQ(DistanceOf("abcde", "acfdeg", "indel"), 3);
  for (const size_t length : {1U, 64U, 65U, 257U}) {
    const std::string a(length, 'a'), b(length, 'b');
    EXPECT_EQ(DistanceOf(a, b, "indel"), 2.0 * static_cast<double>(length));
    EXPECT_EQ(DistanceOf(a, "", "indel"), static_cast<double>(length));
  }
}

TEST(CompareByDistance, LongTextsAreComparedWhereTheyDifferInLittle) {
  const std::string a = Drawn(1 << 20, 1);
  std::string b = a;
  b.erase(1000, 3);
  b.insert(500'000, "new");
  EXPECT_EQ(DistanceOf(a, b, "edit"), 6);
  const auto unlike = Compared(a, Drawn(1 << 20, 2), "edit");
  ASSERT_FALSE(unlike);
  EXPECT_NE(unlike.error().what.find("too long to count their edits"), std::string::npos);
}

TEST(CompareByDistance, TellsWhatIsCountedFromWhatIsMeasured) {
  EXPECT_TRUE(Compared("1 2", "1 3", "hamming")->distance_is_whole);
  EXPECT_TRUE(Compared("a", "b", "edit")->distance_is_whole);
  EXPECT_FALSE(Compared("1 2", "1 3", "l1")->distance_is_whole);
  EXPECT_EQ(Compared("1 2", "1 3", "l1")->size_a, 0U) << "nothing but the distance";
}

}  // namespace
}  // namespace lookalike
