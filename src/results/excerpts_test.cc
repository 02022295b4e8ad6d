#include "results/excerpts.h"

#include <gtest/gtest.h>

#include <string>

#include "results/passages.h"

namespace lookalike {
namespace {

std::string Numbered(const std::string& name, int from, int to) {
  std::string text;
  for (int i = from; i < to; ++i) text += name + std::to_string(i) + " ";
  return text;
}

ExcerptPair Chosen(const std::string& a, const std::string& b, size_t bytes) {
  return ChooseExcerpts(a, b, SharedPassages(a, b, FeatureSpec(), TextKind::kPlain), bytes);
}

TEST(ExcerptsTest, ShortTextsAreWhole) {
  const std::string a = Numbered("x", 0, 20), b = Numbered("x", 5, 20);
  const ExcerptPair pair = Chosen(a, b, a.size());
  EXPECT_EQ(pair.a.text, a);
  EXPECT_EQ(pair.b.text, b);
  EXPECT_EQ(pair.a.before, 0U);
  EXPECT_FALSE(pair.a.cut);
  EXPECT_FALSE(pair.b.cut);
}

TEST(ExcerptsTest, WhatIsSharedIsShownWhereverItStands) {
  const std::string item = Numbered("q", 0, 30);
  const std::string page = Numbered("ä", 0, 3000) + item + Numbered("z", 0, 3000);
  const ExcerptPair pair = Chosen(page, item, 1000);
  EXPECT_EQ(pair.b.text, item);
  EXPECT_LE(pair.a.text.size(), 1000U);
  const size_t at = pair.a.text.find(item);
  ASSERT_NE(at, std::string::npos);
  EXPECT_GT(at, 0U) << "with something in front";
  EXPECT_EQ(pair.a.text.substr(0, 2), "ä") << "from the begin of a word on";
  EXPECT_TRUE(pair.a.cut);
  // Code points: ä counts as one.
  const size_t byte = page.find(pair.a.text);
  size_t before = 0;
  for (size_t i = 0; i < byte; ++i) before += (static_cast<unsigned char>(page[i]) & 0xC0) != 0x80;
  EXPECT_EQ(pair.a.before, before);
}

TEST(ExcerptsTest, BothShowTheSamePassages) {
  const std::string one = Numbered("one", 0, 30), six = Numbered("six", 0, 45);
  const std::string two = Numbered("two", 0, 60), gap = Numbered("gap", 0, 400);
  const std::string far = Numbered("far", 0, 400), hole = Numbered("hole", 0, 400);
  // One and six together are more than two, but only where they are adjacent.
  const ExcerptPair pair = Chosen(one + gap + two + far + six, hole + one + six + hole + two, 600);
  EXPECT_NE(pair.a.text.find(two), std::string::npos);
  EXPECT_NE(pair.b.text.find(two), std::string::npos);
  EXPECT_GT(pair.b.before, hole.size());
}

TEST(ExcerptsTest, TextWithoutBlanksBeginsAtThePassage) {
  std::string far, item;
  for (int i = 0; i < 1000; ++i) far += "港";
  item = "shared one two three four five six";
  const ExcerptPair pair = Chosen(far + " " + item + far, item, 400);
  EXPECT_EQ(pair.a.text.find("shared"), 0U);
  EXPECT_EQ(pair.a.before, 1001U);
  EXPECT_EQ((pair.a.text.size() - item.size()) % 3, 0U) << "ends at the end of a character";
}

TEST(ExcerptsTest, WithoutPassagesTheBeginning) {
  const std::string a = Numbered("a", 0, 500);
  const ExcerptPair pair = ChooseExcerpts(a, "", {}, 100);
  EXPECT_EQ(pair.a.text, a.substr(0, 100));
  EXPECT_TRUE(pair.a.cut);
  EXPECT_EQ(pair.b.text, "");
  EXPECT_FALSE(pair.b.cut);
}

}  // namespace
}  // namespace lookalike
