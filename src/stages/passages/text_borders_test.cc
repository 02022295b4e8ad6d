#include "stages/passages/text_borders.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace lookalike {
namespace {

std::vector<std::string> UnitsOf(std::string_view text, CutUnit unit) {
  std::vector<uint64_t> borders = {99};  // is replaced
  FindBorders(text, unit, &borders);
  std::vector<std::string> units;
  for (size_t i = 1; i < borders.size(); ++i) {
    units.emplace_back(text.substr(borders[i - 1], borders[i] - borders[i - 1]));
  }
  return units;
}

using Units = std::vector<std::string>;

TEST(TextBorders, SentencesGoOnAcrossLineEnds) {
  EXPECT_EQ(UnitsOf("One two.  Three\nfour. Five", CutUnit::kSentence),
            (Units{"One two.  ", "Three\nfour. ", "Five"}));
  EXPECT_EQ(UnitsOf("One\r\ntwo", CutUnit::kSentence), (Units{"One\r\ntwo"}));
}

TEST(TextBorders, SentencesEndAtBlankLines) {
  EXPECT_EQ(UnitsOf("A title\n\nSome text", CutUnit::kSentence),
            (Units{"A title\n\n", "Some text"}));
  EXPECT_EQ(UnitsOf("A title\r\n \r\nSome text", CutUnit::kSentence),
            (Units{"A title\r\n \r\n", "Some text"}));
}

TEST(TextBorders, SentencesOfOtherScripts) {
  EXPECT_EQ(UnitsOf("你好。再见。", CutUnit::kSentence), (Units{"你好。", "再见。"}));
}

TEST(TextBorders, LinesEndAfterAnyLineEnd) {
  EXPECT_EQ(UnitsOf("a\nb\r\nc\rd\n\ne\n", CutUnit::kLine),
            (Units{"a\n", "b\r\n", "c\r", "d\n", "\n", "e\n"}));
}

TEST(TextBorders, ALineEndOfTwoBytesIsNotTorn) {
  EXPECT_EQ(UnitsOf("a\r\n", CutUnit::kLine), (Units{"a\r\n"}));
  EXPECT_EQ(UnitsOf("\r\r\n\r", CutUnit::kLine), (Units{"\r", "\r\n", "\r"}));
  EXPECT_EQ(UnitsOf("a\r\nb", CutUnit::kParagraph), (Units{"a\r\nb"}));
  EXPECT_EQ(UnitsOf("a\r\r\t\nb", CutUnit::kParagraph), (Units{"a\r\r\t\n", "b"}));
}

TEST(TextBorders, ParagraphsEndAfterBlankLines) {
  EXPECT_EQ(UnitsOf("a\nb\n\n\nc\n \t\nd\n", CutUnit::kParagraph),
            (Units{"a\nb\n\n\n", "c\n \t\n", "d\n"}));
}

TEST(TextBorders, UnitsMakeUpTheText) {
  const std::string text = "\n\n x. Y!\r\r\n  z \n\n\n";
  for (const CutUnit unit :
       {CutUnit::kSentence, CutUnit::kLine, CutUnit::kParagraph, CutUnit::kWords}) {
    std::string all;
    for (const std::string& one : UnitsOf(text, unit)) {
      EXPECT_FALSE(one.empty());
      all += one;
    }
    EXPECT_EQ(all, text);
  }
  std::vector<uint64_t> borders = {99};
  FindBorders("", CutUnit::kSentence, &borders);
  EXPECT_TRUE(borders.empty());
}

}  // namespace
}  // namespace lookalike
