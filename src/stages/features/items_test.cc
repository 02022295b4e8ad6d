#include "stages/features/items.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "records/item_text.h"

namespace lookalike {
namespace {

using namespace std::string_view_literals;
using How = Ratings::How;

/// (text, has weight, weight) of each item.
using Read = std::vector<std::tuple<std::string, bool, double>>;

Read ItemsOf(std::string_view text) {
  std::vector<ListItem> items = {{}};  // earlier content must be dropped
  ReadItems(text, &items);
  Read read;
  for (const ListItem& item : items) {
    read.emplace_back(text.substr(item.text.begin, item.text.end - item.text.begin),
                      item.has_weight, item.weight);
  }
  return read;
}

ListItem Rated(double weight) { return {{0, 1}, weight, true}; }

TEST(Items, EndAtTheirSeparator) {
  EXPECT_EQ(ItemsOf("red wine\x1E"sv), (Read{{"red wine", false, 1}}));
  EXPECT_EQ(ItemsOf("a\x1E\x1E"
                    "b\r\n\x1E"sv),
            (Read{{"a", false, 1}, {"", false, 1}, {"b\r\n", false, 1}}));
  EXPECT_EQ(ItemsOf("a\x1E"
                    "b"sv),
            (Read{{"a", false, 1}, {"b", false, 1}}));
  EXPECT_EQ(ItemsOf(""), Read{});
}

TEST(Items, HaveWeights) {
  EXPECT_EQ(ItemsOf("a\x1F"
                    "4.5\x1E"
                    "b\x1F-2e3\x1E"
                    "c\x1E"sv),
            (Read{{"a", true, 4.5}, {"b", true, -2000}, {"c", false, 1}}));
  EXPECT_EQ(ItemsOf("a\x1F"
                    "5"sv),
            (Read{{"a", true, 5}}));
}

TEST(Items, LongListsTakeLinearTime) {
  constexpr size_t kItems = 3'000'000;  // takes minutes if each item is searched to the end
  std::string text;
  for (size_t i = 0; i < kItems; ++i) text += "item\x1E";
  std::vector<ListItem> items;
  ReadItems(text, &items);
  EXPECT_EQ(items.size(), kItems);
}

TEST(Items, WhatIsNoNumberIsNoWeight) {
  for (const char* weight : {"", "x", "1 ", " 1", "1e400", "nan", "inf", "0x10",
                             "1\x1F"
                             "2"}) {
    const std::string text = std::string("a\x1F") + weight + "\x1E";
    EXPECT_EQ(ItemsOf(text), (Read{{"a", false, 1}})) << weight;
  }
}

TEST(Items, OfPlainTextAreItsLines) {
  EXPECT_EQ(ItemsOf("red wine\nbread\r\n\n\r\nmilk"),
            (Read{{"red wine", false, 1}, {"bread", false, 1}, {"milk", false, 1}}));
  EXPECT_EQ(ItemsOf("a\rb\n"), (Read{{"a\rb", false, 1}}));
  EXPECT_EQ(ItemsOf("\n"), Read{});
}

TEST(RatingsTest, AreReadAndWritten) {
  for (const char* text : {"off", "at-least:3", "at-least:-0.5", "liked:4,2", "stars"}) {
    const auto ratings = ParseRatings(text);
    ASSERT_TRUE(ratings.has_value()) << text;
    EXPECT_EQ(ToString(*ratings), text);
  }
  EXPECT_EQ(ToString(*ParseRatings("liked:4.50,2e0")), "liked:4.5,2");
  for (const char* text :
       {"", "on", "at-least", "at-least:", "at-least:x", "at-least:nan", "liked:4", "liked:2,4",
        "liked:3,3", "liked:4,", "stars:5", "off:1", "at-least:1e999", "liked:4,2,1"}) {
    const auto ratings = ParseRatings(text);
    ASSERT_FALSE(ratings.has_value()) << text;
    EXPECT_NE(ratings.error().what.find("use off, at-least:X, liked:X,Y"), std::string::npos);
  }
}

TEST(RatingsTest, OffTakesEveryItemOnce) {
  EXPECT_EQ(Rate({}, Rated(7)).times, 1U);
  EXPECT_EQ(Rate({}, Rated(0)).times, 1U);
  EXPECT_EQ(Rate({}, ListItem{}).times, 1U);
}

TEST(RatingsTest, AtLeastDropsLowOnes) {
  const Ratings ratings = {How::kAtLeast, 3};
  EXPECT_EQ(Rate(ratings, Rated(3)).times, 1U);
  EXPECT_EQ(Rate(ratings, Rated(2.999)).times, 0U);
  EXPECT_EQ(Rate(ratings, ListItem{}).times, 0U) << "no rating";
}

TEST(RatingsTest, LikedAndHatedAreUnlike) {
  const Ratings ratings = {How::kLiked, 4, 2};
  const std::string_view liked = Rate(ratings, Rated(4)).mark, hated = Rate(ratings, Rated(2)).mark;
  EXPECT_NE(liked, hated);
  EXPECT_TRUE(liked.ends_with(kWeightBegin) && hated.ends_with(kWeightBegin)) << "in no item";
  EXPECT_EQ(Rate(ratings, Rated(4)).times, 1U);
  EXPECT_EQ(Rate(ratings, Rated(2)).times, 1U);
  EXPECT_EQ(Rate(ratings, Rated(3)).times, 0U);
  EXPECT_EQ(Rate(ratings, Rated(3.999)).times, 0U);
  EXPECT_EQ(Rate(ratings, ListItem{}).times, 0U);
}

TEST(RatingsTest, StarsAreOccurrences) {
  const Ratings ratings = {How::kStars};
  EXPECT_EQ(Rate(ratings, Rated(0)).times, 0U);
  EXPECT_EQ(Rate(ratings, Rated(5)).times, 5U);
  EXPECT_EQ(Rate(ratings, Rated(1 << 20)).times, kMostOccurrences);
  EXPECT_EQ(Rate(ratings, Rated((1 << 20) + 1)).times, 0U);
  EXPECT_EQ(Rate(ratings, Rated(2.5)).times, 0U);
  EXPECT_EQ(Rate(ratings, Rated(-1)).times, 0U);
  EXPECT_EQ(Rate(ratings, Rated(1e300)).times, 0U);
  EXPECT_EQ(Rate(ratings, ListItem{}).times, 0U);
}

}  // namespace
}  // namespace lookalike
