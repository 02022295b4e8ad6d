#include "stages/features/stop_words.h"

#include <gtest/gtest.h>

namespace lookalike {
namespace {

TEST(StopWordsTest, ListsOfLanguages) {
  const auto english = StopWords::Named("en"), german = StopWords::Named("de");
  ASSERT_TRUE(english && german);
  EXPECT_TRUE((*english)->Has("the"));
  EXPECT_FALSE((*english)->Has("und"));
  EXPECT_FALSE((*english)->Has("The")) << "words are asked for in normal form";
  EXPECT_TRUE((*german)->Has("und"));
  EXPECT_TRUE((*german)->Has("für"));
  EXPECT_FALSE((*german)->Has("the"));
  EXPECT_GT((*english)->size(), 100u);
}

TEST(StopWordsTest, ShortWordsAreCountedInCodePoints) {
  const auto words = StopWords::Named("short");
  ASSERT_TRUE(words);
  EXPECT_TRUE((*words)->Has("xyz"));
  EXPECT_TRUE((*words)->Has("für"));
  EXPECT_FALSE((*words)->Has("four"));
}

TEST(StopWordsTest, OwnListsSkipBlankLinesAndComments) {
  const StopWords words = StopWords::OfLines("# a comment\n\n  one \r\ntwo\n\r\n\r\tthree\n");
  EXPECT_EQ(words.size(), 3u);
  EXPECT_TRUE(words.Has("three"));
  EXPECT_TRUE(words.Has("one"));
  EXPECT_TRUE(words.Has("two"));
  EXPECT_FALSE(words.Has("a"));
}

TEST(StopWordsTest, UnknownListsAreNamedWithTheKnownOnes) {
  const auto words = StopWords::Named("xx");
  ASSERT_FALSE(words);
  EXPECT_NE(words.error().what.find("'xx'"), std::string::npos);
  EXPECT_NE(words.error().what.find("de, en"), std::string::npos);
}

}  // namespace
}  // namespace lookalike
