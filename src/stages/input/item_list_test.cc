#include "stages/input/item_list.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace lookalike {
namespace {

using namespace std::string_view_literals;

bool Has(const std::string& problem, std::string_view part) {
  return problem.find(part) != std::string::npos;
}

TEST(ItemListTest, MakesItemText) {
  ItemList list;
  EXPECT_TRUE(list.Add("red wine") && list.Add("") && list.Add("a\n", "4.50"));
  EXPECT_EQ(list.text(),
            "red wine\x1E\x1E"
            "a\n\x1F"
            "4.5\x1E"sv);
  list.Begin();
  EXPECT_EQ(list.text(), "");
  EXPECT_TRUE(list.Add("b"));
  EXPECT_EQ(list.text(), "b\x1E"sv);
}

TEST(ItemListTest, RefusesSeparatorsInItems) {
  for (const char* item : {"a\x1E",
                           "\x1F"
                           "b"}) {
    ItemList list;
    EXPECT_TRUE(list.Add("first"));
    EXPECT_FALSE(list.Add(item));
    EXPECT_TRUE(Has(list.problem(), "item 2 contains U+001E or U+001F")) << list.problem();
    list.Begin();
    EXPECT_EQ(list.problem(), "");
  }
}

TEST(ItemListTest, RefusesWeightsThatNoNumberHolds) {
  ItemList list;
  EXPECT_TRUE(list.Add("a", "1e308"));
  EXPECT_FALSE(list.Add("b", "1e400"));
  EXPECT_TRUE(Has(list.problem(), "item 2 has the weight 1e400")) << list.problem();
}

TEST(ItemListTest, DemandsRatings) {
  ItemList list(ItemWeights::kNeeded);
  EXPECT_TRUE(list.Add("a", "-2.5"));
  EXPECT_FALSE(list.Add("b"));
  EXPECT_TRUE(Has(list.problem(), "item 2 has no rating")) << list.problem();
}

TEST(ItemListTest, CountsStars) {
  ItemList list(ItemWeights::kCounts);
  EXPECT_TRUE(list.Add("a", "1048575") && list.Add("b", "0") && list.Add("c", "1e0"));
  EXPECT_FALSE(list.Add("d", "1"));
  EXPECT_TRUE(Has(list.problem(), "above 1048576 stars")) << list.problem();
  for (const char* weight : {"2.5", "-1", "1e-3"}) {
    list.Begin();
    EXPECT_FALSE(list.Add("a", weight));
    EXPECT_TRUE(Has(list.problem(), "expected a whole number")) << list.problem();
  }
  list.Begin();
  EXPECT_FALSE(list.Add("a", "1e30"));
  EXPECT_TRUE(Has(list.problem(), "above 1048576 stars")) << list.problem();
}

TEST(ItemListTest, EndsAtItsLimit) {
  ItemList list(ItemWeights::kAny, 6);
  EXPECT_TRUE(list.Add("ab") && list.Add("cd"));
  EXPECT_FALSE(list.Add(""));
  EXPECT_TRUE(Has(list.problem(), "limit of 6 bytes ($<max-record>")) << list.problem();
}

TEST(ItemListTest, LinesOfAString) {
  EXPECT_EQ(ProblemOfLines("a\nb", ItemWeights::kAny), "");
  EXPECT_EQ(ProblemOfLines("\r\n", ItemWeights::kNeeded), "");
  EXPECT_TRUE(Has(ProblemOfLines("a", ItemWeights::kNeeded), "no rating"));
  EXPECT_TRUE(Has(ProblemOfLines("a", ItemWeights::kCounts), "no rating"));
  EXPECT_TRUE(Has(ProblemOfLines("a\x1E", ItemWeights::kAny), "U+001E"));
  EXPECT_TRUE(Has(ProblemOfLines("a\x1F", ItemWeights::kAny), "U+001F"));
}

// --ratings weights: any numbers of 0 or more, up to as many units as a list may have occurrences.
TEST(ItemListTest, WeightsAreCountedInUnits) {
  ItemList list(ItemWeights(ItemWeights::kSums, .5));
  list.Begin();
  EXPECT_TRUE(list.Add("a", "0"));
  EXPECT_TRUE(list.Add("b", "2.75"));
  EXPECT_TRUE(list.Add("c", "524285.25"));
  EXPECT_FALSE(list.Add("d", "0.5"));
  EXPECT_EQ(
      list.problem(),
      "item 4 weighs 0.5, which brings the list above the limit of 1048576 units; use a larger "
      "$<weight-unit>");
  list.Begin();
  EXPECT_FALSE(list.Add("a", "-1"));
  EXPECT_EQ(list.problem(),
            "item 1 is rated -1, expected a number of 0 or more ($<ratings=weights>)");
  list.Begin();
  EXPECT_FALSE(list.Add("a"));
}

}  // namespace
}  // namespace lookalike
