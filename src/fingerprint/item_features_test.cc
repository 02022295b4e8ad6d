// Features of lists (docs/format/fingerprint-v1.md, "Items").
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fingerprint/feature_extractor.h"

namespace lookalike {
namespace {

using Kind = ShingleSpec::Kind;
using How = Ratings::How;
using Features = std::vector<uint64_t>;

const ShingleSpec kItems = {Kind::kItem, 1};

Features Of(std::string_view text, const FeatureSpec& spec = {.shingle = kItems}) {
  FeatureExtractor extractor(spec);
  const auto features = extractor.Features(text);
  return {features.begin(), features.end()};
}

std::string List(const std::vector<std::string>& items) {
  std::string text;
  for (const std::string& item : items) text += item + kItemEnd;
  return text;
}

std::string Rated(const std::vector<std::pair<std::string, std::string>>& items) {
  std::string text;
  for (const auto& [item, weight] : items) text += item + kWeightBegin + weight + kItemEnd;
  return text;
}

/// Counts the common features, and the features of the union.
std::pair<size_t, size_t> Shares(const Features& a, const Features& b) {
  Features common;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(common));
  return {common.size(), a.size() + b.size() - common.size()};
}

std::pair<size_t, size_t> StarShares(const std::vector<std::pair<std::string, std::string>>& a,
                                     const std::vector<std::pair<std::string, std::string>>& b) {
  const FeatureSpec spec = {.shingle = kItems, .bag = Bag::kMax, .ratings = {How::kStars}};
  return Shares(Of(Rated(a), spec), Of(Rated(b), spec));
}

TEST(ItemFeatures, NeitherOrderNorRepetitionCounts) {
  const Features features = Of(List({"milk", "red wine", "bread"}));
  EXPECT_EQ(features.size(), 3U);
  EXPECT_TRUE(std::is_sorted(features.begin(), features.end()));
  EXPECT_EQ(Of(List({"bread", "milk", "red wine", "milk"})), features);
  EXPECT_EQ(Of("bread\nred wine\r\nmilk\n"), features) << "lines are items too";
  EXPECT_NE(Of(List({"bread", "milk", "red", "wine"})), features) << "an item is whole";
}

TEST(ItemFeatures, AnItemHasTheFeatureOfTheSameWord) {
  EXPECT_EQ(Of(List({"milk"})), Of("milk", {.shingle = {Kind::kWord, 1}}));
  EXPECT_NE(Of(List({"milk"})), Of(List({"milk"}), {.shingle = kItems, .seed = 1}));
}

TEST(ItemFeatures, RepetitionCountsInBags) {
  const FeatureSpec bag = {.shingle = kItems, .bag = Bag::kMax};
  EXPECT_EQ(Of(List({"a", "b", "a", "a"}), bag).size(), 4U);
  EXPECT_EQ(Of(List({"a", "a", "b", "a"}), bag), Of(List({"b", "a", "a", "a"}), bag));
  // MMDS, example 3.2.
  EXPECT_EQ(Shares(Of(List({"a", "a", "a", "b"}), bag), Of(List({"a", "a", "b", "b", "c"}), bag)),
            std::pair(size_t{3}, size_t{6}));
}

TEST(ItemFeatures, EachItemIsNormalisedByItself) {
  EXPECT_EQ(Of(List({"Crème", "MILK"})), Of(List({"milk", "cre\u0300me"})));
  EXPECT_NE(Of(List({"MILK"}), {.shingle = kItems, .normal_form = {0}}),
            Of(List({"milk"}), {.shingle = kItems, .normal_form = {0}}));
  // U+0300 would combine with the character before it if that were not in another item.
  EXPECT_EQ(Of(List({"e", "\u0300x"})).size(), 2U);
  const FeatureSpec folded = {.shingle = kItems,
                              .normal_form = *ParseNormalForm("casefold,whitespace")};
  EXPECT_EQ(Of("  Red   wine \nbread ", folded), Of(List({"bread", "red wine"}), folded));
  const FeatureSpec bare = {.shingle = kItems, .normal_form = *ParseNormalForm("no-whitespace")};
  EXPECT_EQ(Of("red wine\nbread", bare), Of(List({"bread", "redwine"}), bare));
  // Normalisation steps never apply to a weight.
  const FeatureSpec digits = {.shingle = kItems,
                              .normal_form = *ParseNormalForm("digits,punctuation"),
                              .ratings = {How::kAtLeast, 3}};
  EXPECT_EQ(Of(Rated({{"a1", "2.5"}, {"b2", "3.5"}}), digits), Of(Rated({{"b7", "9"}}), digits));
}

TEST(ItemFeatures, EmptyItemsAreNone) {
  EXPECT_TRUE(Of("").empty());
  EXPECT_TRUE(Of(List({""})).empty());
  EXPECT_EQ(Of(List({"", "a", ""})), Of(List({"a"})));
  EXPECT_TRUE(
      Of(List({"...", "?"}), {.shingle = kItems, .normal_form = *ParseNormalForm("punctuation")})
          .empty());
}

TEST(ItemFeatures, InvalidTextIsReplacedItemByItem) {
  FeatureExtractor extractor({.shingle = kItems});
  const auto features = extractor.Features(List({"a\xE2\x82", "\xACz", "b"}));
  EXPECT_TRUE(extractor.replaced_invalid());
  const Features bad(features.begin(), features.end());
  EXPECT_EQ(bad, Of(List({"a\uFFFD", "\uFFFDz", "b"})));
  extractor.Features(List({"good"}));
  EXPECT_FALSE(extractor.replaced_invalid());
}

TEST(ItemFeatures, RabinAndNarrowHashes) {
  for (const FeatureSpec& spec : {FeatureSpec{.shingle = kItems, .hash = ShingleHash::kRabin},
                                  FeatureSpec{.shingle = kItems, .narrow = true}}) {
    EXPECT_EQ(Of(List({"a", "b"}), spec), Of(List({"b", "a"}), spec));
    EXPECT_EQ(Shares(Of(List({"a", "b"}), spec), Of(List({"b", "c"}), spec)),
              std::pair(size_t{1}, size_t{3}));
    EXPECT_NE(Of(List({"a", "b"}), spec), Of(List({"a", "b"})));
  }
}

// Golden facts 2.14, weighted: replication is the sum of minima over the sum of maxima.
TEST(ItemFeatures, StarsReplicate) {
  EXPECT_EQ(StarShares({{"a", "3"}, {"b", "1"}}, {{"a", "3"}, {"c", "2"}}),
            std::pair(size_t{3}, size_t{6}));
  EXPECT_EQ(StarShares({{"a", "3"}}, {{"a", "1"}}), std::pair(size_t{1}, size_t{3}));
  EXPECT_EQ(StarShares({{"a", "3"}, {"b", "1"}}, {{"a", "2"}, {"b", "2"}, {"c", "1"}}),
            std::pair(size_t{3}, size_t{6}));
  EXPECT_EQ(StarShares({{"a", "2"}, {"a", "1"}}, {{"a", "3"}}), std::pair(size_t{3}, size_t{3}));
}

TEST(ItemFeatures, LikedIsNotHated) {
  const FeatureSpec spec = {.shingle = kItems, .ratings = {How::kLiked, 4, 2}};
  const Features ann = Of(Rated({{"Alien", "5"}, {"Heat", "1"}, {"Up", "3"}}), spec);
  EXPECT_EQ(ann.size(), 2U);
  EXPECT_EQ(Shares(ann, Of(Rated({{"alien", "4"}, {"heat", "2"}}), spec)),
            std::pair(size_t{2}, size_t{2}));
  EXPECT_EQ(Shares(ann, Of(Rated({{"alien", "1"}, {"heat", "5"}}), spec)),
            std::pair(size_t{0}, size_t{4}));
}

TEST(ItemFeatures, OffIgnoresWeights) {
  EXPECT_EQ(Of(Rated({{"a", "5"}, {"b", "1"}})), Of(List({"a", "b"})));
}

TEST(ItemFeatures, TooManyStarsAreRefused) {
  FeatureExtractor extractor({.shingle = kItems, .bag = Bag::kMax, .ratings = {How::kStars}});
  EXPECT_EQ(extractor.Features(Rated({{"a", "1048575"}, {"b", "1"}})).size(), kMostOccurrences);
  EXPECT_THROW(extractor.Features(Rated({{"a", "1048576"}, {"b", "1"}})), std::length_error);
  EXPECT_EQ(extractor.Features(Rated({{"a", "2"}})).size(), 2U);
}

TEST(ItemFeatures, EachStarHasThePlaceOfItsItem) {
  FeatureExtractor extractor({.shingle = kItems, .bag = Bag::kMax, .ratings = {How::kStars}});
  extractor.FeaturesOfItems(Rated({{"ab", "2"}, {"c", "0"}, {"d", "1"}}));
  ASSERT_EQ(extractor.units().size(), 3U);
  ASSERT_EQ(extractor.places().size(), 3U);
  EXPECT_EQ(extractor.places()[1].end, 2U);
  EXPECT_EQ(extractor.places()[2].begin, 9U);
}

TEST(ItemFeatures, InTheOrderOfTheListOnRequest) {
  FeatureExtractor extractor({.shingle = kItems});
  const std::string list = List({"Zoo", "", "apple", "Zoo"});
  const auto features = extractor.FeaturesOfItems(list);
  ASSERT_EQ(features.size(), 3U);
  EXPECT_EQ(features[0], features[2]);
  ASSERT_EQ(extractor.places().size(), 3U);
  EXPECT_EQ(list.substr(extractor.places()[1].begin, 5), "apple");
  const ByteSpan unit = extractor.units()[0];
  EXPECT_EQ(extractor.items().substr(unit.begin, unit.end - unit.begin), "zoo");
}

// Texts that no reader has checked, such as those from Python.
TEST(ItemFeaturesTest, ListsAreCheckedWhereTheyComeAsTexts) {
  FeatureSpec spec = {.shingle = {ShingleSpec::Kind::kItem, 1}};
  EXPECT_TRUE(CheckText(spec,
                        "a\x1E"
                        "b\x1F"
                        "2\x1E"));
  spec.ratings.how = Ratings::How::kStars;
  EXPECT_TRUE(CheckText(spec,
                        "a\x1F"
                        "1048576\x1E"));
  for (const char* wrong : {"a\x1E",
                            "a\x1F"
                            "1.5\x1E",
                            "a\x1F"
                            "-1\x1E",
                            "a\x1F"
                            "1048577\x1E",
                            "a\x1F"
                            "1048576\x1E"
                            "b\x1F"
                            "1\x1E"}) {
    EXPECT_FALSE(CheckText(spec, wrong)) << wrong;
  }
  spec.ratings.how = Ratings::How::kWeights;
  spec.weight_unit = .5;
  EXPECT_TRUE(CheckText(spec,
                        "a\x1F"
                        "524288\x1E"));
  EXPECT_FALSE(CheckText(spec,
                         "a\x1F"
                         "524288.5\x1E"));
  EXPECT_FALSE(CheckText(spec,
                         "a\x1F"
                         "1e300\x1E"));
}

// Lists are never pages, whatever their items look like.
TEST(ItemFeaturesTest, ItemsWithAnglesStay) {
  FeatureExtractor items({.shingle = {ShingleSpec::Kind::kItem, 1}, .pages = HtmlMode::kVisible});
  EXPECT_EQ(items
                .Features("<b>\x1E<i>\x1E"
                          "x\x1E")
                .size(),
            3u);
}

}  // namespace
}  // namespace lookalike
