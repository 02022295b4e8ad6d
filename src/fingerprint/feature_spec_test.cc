#include "fingerprint/feature_spec.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "fingerprint/feature_extractor.h"

namespace lookalike {
namespace {

using Kind = ShingleSpec::Kind;

TEST(ParseShingleTest, GoodAndBad) {
  EXPECT_EQ(ParseShingle("word:64")->length, 64u);
  EXPECT_EQ(ParseShingle("char:1")->kind, Kind::kChar);
  EXPECT_EQ(ParseShingle("stopword:63")->units(), 64u);
  EXPECT_EQ(ParseShingle("winnow:50,4096")->window, 4096u);
  EXPECT_EQ(ParseShingle("item")->kind, Kind::kItem);
  EXPECT_EQ(ParseShingle("item")->units(), 1u);
  for (const char* text : {"",
                           "word",
                           "word:",
                           "word:0",
                           "word:65",
                           "word:5x",
                           "word:-1",
                           "word: 5",
                           "Word:5",
                           "bytes:3",
                           ":5",
                           "word:99999999999",
                           "stopword:64",
                           "winnow:5",
                           "winnow:5,0",
                           "winnow:5,4097",
                           "winnow:,4",
                           "word:5,4",
                           "winnow:65,4",
                           "url",
                           "url:0",
                           "url:65",
                           "point:5",
                           "point:5,",
                           "point:,1",
                           "point:5,1,1",
                           "point:-5,1",
                           "point:0,1",
                           "point:5,0",
                           "point:5,x",
                           "point:nan,1",
                           "point:5,-0",
                           "point:1e999,1",
                           "cells:5",
                           "cells:5,0",
                           "cells:5,1025",
                           "cells:0,4",
                           "series:4,1",
                           "series:0,1,1",
                           "series:65,1,1",
                           "series:4,1,1,1",
                           "series:4,,1",
                           "item:",
                           "item:1",
                           "items"}) {
    const auto spec = ParseShingle(text);
    ASSERT_FALSE(spec.has_value()) << text;
    EXPECT_NE(spec.error().what.find("1 to 64"), std::string::npos);
  }
}

TEST(ParseShingleTest, RulesOfCells) {
  const auto point = ParseShingle("point:2.50,1e-1");
  ASSERT_TRUE(point.has_value());
  EXPECT_EQ(point->kind, Kind::kPoint);
  EXPECT_EQ(point->cells, (CellRule{.width = 0.1, .radius = 2.5}));
  EXPECT_EQ(point->units(), 1u);
  EXPECT_EQ(ToString(*point), "point:2.5,0.1");
  const auto cells = ParseShingle("cells:3,1024");
  ASSERT_TRUE(cells.has_value());
  EXPECT_EQ(cells->cells, (CellRule{.width = 3, .grids = 1024}));
  EXPECT_EQ(cells->units(), 1u);
  EXPECT_EQ(ToString(*cells), "cells:3,1024");
  const auto series = ParseShingle("series:64,1e300,16");
  ASSERT_TRUE(series.has_value());
  EXPECT_EQ(series->cells, (CellRule{.width = 1e300, .grids = 16, .window = 64}));
  EXPECT_EQ(series->units(), 64u);
  EXPECT_EQ(ToString(*series), "series:64,1e+300,16");
  EXPECT_EQ(ParseShingle("url:64")->length, 64u);
  for (const char* text : {"point:0.5,1", "point:5000,1", "point:inf,inf"}) {
    const auto spec = ParseShingle(text);
    ASSERT_FALSE(spec.has_value()) << text;
    EXPECT_NE(spec.error().what.find(text), std::string::npos) << spec.error().what;
  }
}

TEST(FeatureSpecTest, TextsTellSpecsApart) {
  const std::vector<FeatureSpec> specs = {
      {},
      {.shingle = {Kind::kByte, 5}},
      {.shingle = {Kind::kWinnow, 5, 4}},
      {.pages = HtmlMode::kOff},
      {.pages = HtmlMode::kVisible},
      {.pages = HtmlMode::kAltaVista},
      {.normal_form = {0}},
      {.dictionaries = true},
      {.bag = Bag::kMax},
      {.bag = Bag::kSum},
      {.weights = std::make_shared<WeightTable>(), .weights_name = "xxh3-1"},
      {.weights = std::make_shared<WeightTable>(), .weights_name = "xxh3-2"},
      {.weights = std::make_shared<WeightTable>(), .weights_name = "xxh3-2", .weight_unit = .5},
      {.hash = ShingleHash::kRabin},
      {.narrow = true},
      {.shingle = {Kind::kUrl, 2}},
      {.shingle = *ParseShingle("point:5,1")},
      {.shingle = *ParseShingle("point:5,2")},
      {.shingle = *ParseShingle("point:6,1")},
      {.shingle = *ParseShingle("cells:5,1")},
      {.shingle = *ParseShingle("cells:5,2")},
      {.shingle = *ParseShingle("cells:6,1")},
      {.shingle = *ParseShingle("series:3,5,1")},
      {.shingle = *ParseShingle("series:4,5,1")},
      {.shingle = {Kind::kStopWord, 2}},
      {.shingle = {Kind::kStopWord, 2}, .stop_words_name = "de"},
      {.shingle = {Kind::kItem, 1}},
      {.shingle = {Kind::kItem, 1}, .ratings = {Ratings::How::kStars}},
      {.shingle = {Kind::kItem, 1}, .ratings = {Ratings::How::kAtLeast, 3}},
      {.shingle = {Kind::kItem, 1}, .ratings = {Ratings::How::kLiked, 3, 2}}};
  std::set<std::string> texts;
  for (const FeatureSpec& spec : specs) {
    EXPECT_TRUE(texts.insert(ToString(spec)).second) << ToString(spec);
    EXPECT_TRUE(NamesFeatures(ToString(spec))) << ToString(spec);
  }
  EXPECT_EQ(ToString(FeatureSpec{}), "word:5");
  EXPECT_EQ(ToString(specs.back()), "item ratings=liked:3,2");
  for (const char* text : {"", "word", "word:05", "word:5 ", "word:5 color=red",
                           "word:5 bag=", "word:5  bag=max", "bag=max", "point:5.0,1"}) {
    EXPECT_FALSE(NamesFeatures(text)) << text;
  }
}

// A shingle weighs the mean of its words; shingles without weight are not features.
TEST(FeatureSpecTest, ShinglesWeighTheMeanOfTheirWords) {
  const auto fold = [](std::string_view word) { return std::string(word); };
  const auto table = std::make_shared<const WeightTable>(
      *WeightTable::OfLines("a\t2\nb\t4\nc\t0\n", "w.tsv", fold, 100));
  for (const auto& [shingle, sizes] :
       {std::pair<ShingleSpec, std::vector<size_t>>{{Kind::kWord, 1}, {2, 4, 0}},
        {{Kind::kWord, 2}, {3, 2}},
        {{Kind::kWord, 3}, {2}},
        {{Kind::kWord, 5}, {2}}}) {
    FeatureExtractor weighted({.shingle = shingle, .weights = table}), plain({.shingle = shingle});
    const auto units = weighted.Features("A b c");
    const auto features = plain.Features("a b c");
    size_t next = 0;
    for (size_t i = 0; i < sizes.size(); ++i) {
      if (sizes[i] == 0) continue;
      ASSERT_EQ(units[next], features[i]);
      next += sizes[i];
    }
    EXPECT_EQ(next, units.size());
    EXPECT_EQ(weighted.FirstUnits().size(), units.size());
    size_t weight = 0;
    for (const double w : weighted.weighted().weights) weight += static_cast<size_t>(w);
    EXPECT_EQ(weight, units.size());
  }
}

TEST(FeatureSpecTest, SaysWhatIsReadForIt) {
  FeatureSpec spec;
  EXPECT_EQ(FormOfTexts(spec), TextForm::kText);
  spec.shingle = {Kind::kItem, 1};
  EXPECT_EQ(FormOfTexts(spec), TextForm::kItems);
  EXPECT_EQ(WeightsOfItems(spec).kind, ItemWeights::kAny);
  spec.ratings.how = Ratings::How::kLiked;
  EXPECT_EQ(WeightsOfItems(spec).kind, ItemWeights::kNeeded);
  spec.ratings.how = Ratings::How::kStars;
  EXPECT_EQ(WeightsOfItems(spec).kind, ItemWeights::kCounts);
  spec.ratings.how = Ratings::How::kWeights;
  spec.weight_unit = .5;
  EXPECT_EQ(WeightsOfItems(spec).kind, ItemWeights::kSums);
  EXPECT_EQ(WeightsOfItems(spec).unit, .5);
}

std::vector<uint64_t> FeaturesOf(std::string_view text, const FeatureSpec& spec) {
  FeatureExtractor extractor(spec);
  const auto features = extractor.Features(text);
  const std::vector<uint32_t> first = extractor.FirstUnits();
  if (spec.shingle.kind != Kind::kWord) {
    EXPECT_EQ(first.size(), features.size()) << text;
  }
  return {features.begin(), features.end()};
}

TEST(FeatureKindsTest, BytesAreNotCodePoints) {
  EXPECT_EQ(FeaturesOf("é", {.shingle = {Kind::kByte, 1}}).size(), 2u);
  EXPECT_EQ(FeaturesOf("é", {.shingle = {Kind::kChar, 1}}).size(), 1u);
  EXPECT_EQ(FeaturesOf("abcdefg", {.shingle = {Kind::kByte, 3}}).size(), 5u);
  EXPECT_EQ(FeaturesOf("  ", {.shingle = {Kind::kByte, 1}}).size(), 2u);
}

TEST(FeatureKindsTest, StopWordsNeedAllTheirWords) {
  const FeatureSpec spec = {.shingle = {Kind::kStopWord, 2}};
  EXPECT_TRUE(FeaturesOf("Buy Sudzo.", spec).empty());
  EXPECT_TRUE(FeaturesOf("the end", spec).empty());
  EXPECT_EQ(FeaturesOf("THE very end", spec).size(), 1u);
  EXPECT_EQ(
      FeaturesOf("The very end", {.shingle = {Kind::kStopWord, 2}, .normal_form = {0}}).size(), 1u)
      << "stop words are told without regard to case";
  EXPECT_EQ(FeaturesOf("the very end", spec),
            FeaturesOf("the very end", {.shingle = {Kind::kWord, 3}}));
}

TEST(FeatureKindsTest, NarrowFeaturesAreFewAndSpread) {
  const FeatureSpec spec = {.narrow = true};
  const auto narrow = FeaturesOf("one two three four five six seven", spec);
  const auto wide = FeaturesOf("one two three four five six seven", {});
  ASSERT_EQ(narrow.size(), wide.size());
  EXPECT_NE(narrow, wide);
  for (size_t i = 0; i < wide.size(); ++i) {  // as specified in docs/format/fingerprint-v1.md
    uint64_t x = (wide[i] >> 32) * 0x9e3779b97f4a7c15U;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    EXPECT_EQ(narrow[i], x ^ (x >> 31));
  }
  // Among 100,000 features, 1.16 pairs on average share a value of 32 bits; none share one of 64.
  std::string text;
  for (int i = 0; i < 300'000; ++i) text += "w" + std::to_string(i) + " ";
  const auto many = FeaturesOf(text, {.shingle = {Kind::kWord, 1}, .narrow = true});
  const std::set<uint64_t> values(many.begin(), many.end());
  const size_t shared = many.size() - values.size();  // Poisson with mean 10.5
  EXPECT_GE(shared, 1u);
  EXPECT_LE(shared, 30u);
}

TEST(FeatureKindsTest, BagsCountRepetitions) {
  const FeatureSpec spec = {.shingle = {Kind::kWord, 1}, .bag = Bag::kMax};
  const auto bag = FeaturesOf("a a a b", spec), set = FeaturesOf("a b", spec);
  EXPECT_EQ((std::set<uint64_t>(bag.begin(), bag.end()).size()), 4u);
  EXPECT_EQ(bag[0], set[0]);
  EXPECT_EQ(bag[3], set[1]);
  // Counting the sum of both is another measure of the same features.
  EXPECT_EQ(FeaturesOf("a a a b", {.shingle = {Kind::kWord, 1}, .bag = Bag::kSum}), bag);
}

TEST(FeatureKindsTest, WordsAreOfTheNormalFormThatIsAskedFor) {
  const FeatureSpec as_written = {.shingle = {Kind::kWord, 1}, .normal_form = {0}};
  EXPECT_NE(FeaturesOf("The", as_written), FeaturesOf("the", as_written));
  EXPECT_EQ(FeaturesOf("the", as_written), FeaturesOf("The", {.shingle = {Kind::kWord, 1}}));
}

TEST(FeatureKindsTest, WhiteSpaceOfAnyKindIsABlankByRabinsFingerprints) {
  const FeatureSpec spec = {.shingle = {Kind::kChar, 3}, .hash = ShingleHash::kRabin};
  EXPECT_EQ(FeaturesOf("a\tb\u2003c", spec), FeaturesOf("a b c", spec));
}

TEST(FeatureKindsTest, AShortTextIsOneFeatureOfAllItsUnits) {
  FeatureExtractor extractor(FeatureSpec{.shingle = {Kind::kChar, 9}});
  EXPECT_EQ(extractor.Features("abc").size(), 1u);
  EXPECT_EQ(extractor.FirstUnits(), std::vector<uint32_t>{0});
  EXPECT_TRUE(extractor.Features("").empty());
  EXPECT_TRUE(extractor.FirstUnits().empty());
}

TEST(FeatureKindsTest, StopWordsHaveTheSameWordsByRabinsFingerprints) {
  const FeatureSpec spec = {.shingle = {Kind::kStopWord, 2}, .hash = ShingleHash::kRabin};
  EXPECT_TRUE(FeaturesOf("the end", spec).empty());
  EXPECT_EQ(FeaturesOf("the very end", spec),
            FeaturesOf("the very end", {.shingle = {Kind::kWord, 3}, .hash = ShingleHash::kRabin}));
  EXPECT_EQ(FeaturesOf("the very end", spec).size(), 1u);
}

// The bytes are never read.
TEST(FeatureKindsTest, TheLongestTextIsAllowed) {
  const char byte = 'a';
  EXPECT_TRUE(CheckText({}, {&byte, kLargestText}));
  EXPECT_FALSE(CheckText({}, {&byte, kLargestText + 1}));
}

TEST(FeatureKindsTest, WinnowedFeaturesAreSomeOfAll) {
  std::string text;
  for (int i = 0; i < 500; ++i) text += "word" + std::to_string(i * 7919 % 1000) + " ";
  const auto all = FeaturesOf(text, {.shingle = {Kind::kChar, 10}});
  const auto some = FeaturesOf(text, {.shingle = {Kind::kWinnow, 10, 9}});
  const std::set<uint64_t> known(all.begin(), all.end());
  for (const uint64_t feature : some) EXPECT_TRUE(known.contains(feature));
  EXPECT_NEAR(static_cast<double>(some.size()) / static_cast<double>(all.size()), 0.2, 0.03);
}

TEST(FeatureKindsTest, PointsAreReadAsTheyStand) {
  const FeatureSpec point = {.shingle = *ParseShingle("point:5,1")};
  EXPECT_EQ(point.FormToRead(), NormalForm{0});
  EXPECT_EQ(FeaturesOf("1 2;30 40", point).size(), 160u);
  EXPECT_TRUE(FeaturesOf("", point).empty());
  EXPECT_TRUE(FeaturesOf("10\xc2\xb2", point).empty()) << "a superscript is no digit";
  EXPECT_TRUE(FeaturesOf("\xef\xbc\x95", point).empty()) << "nor is a wide one";
  FeatureExtractor extractor(point);
  ASSERT_EQ(extractor.Features("1;2;3").size(), 30u);
  EXPECT_EQ(extractor.units().size(), 3u);
  const auto first = extractor.FirstUnits();
  for (uint32_t i = 0; i < 30; ++i) EXPECT_EQ(first[i], i / 10);
}

TEST(FeatureKindsTest, AFeatureOfASeriesIsOfItsWindow) {
  FeatureExtractor extractor({.shingle = *ParseShingle("series:2,1,3")});
  ASSERT_EQ(extractor.Features("1 2 3 4").size(), 9u);
  EXPECT_EQ(extractor.units().size(), 4u);
  EXPECT_EQ(extractor.FirstUnits(), (std::vector<uint32_t>{0, 0, 0, 1, 1, 1, 2, 2, 2}));
}

TEST(FeatureKindsTest, UrlsAreRunsOfTokens) {
  const auto url = [](uint32_t n) { return FeatureSpec{.shingle = {Kind::kUrl, n}}; };
  EXPECT_EQ(FeaturesOf("http://a/b/c?d=1", url(1)).size(), 4u);
  EXPECT_EQ(FeaturesOf("http://a/b/c?d=1", url(2)).size(), 3u);
  EXPECT_EQ(FeaturesOf("http://a/b/c?d=1", url(9)).size(), 1u);
  EXPECT_TRUE(FeaturesOf("http://", url(1)).empty());
  EXPECT_EQ(FeaturesOf("http://a/b?y=1&x=2", url(2)), FeaturesOf("https://A/b?x=2&y=1", url(2)));
  EXPECT_NE(FeaturesOf("http://a/B", url(2)), FeaturesOf("http://a/b", url(2)))
      << "no case folding of paths";
  FeatureSpec rabin = url(2);
  rabin.hash = ShingleHash::kRabin;
  EXPECT_EQ(FeaturesOf("http://a/b?y=1&x=2", rabin), FeaturesOf("https://A/b?x=2&y=1", rabin));
  EXPECT_NE(FeaturesOf("http://a/b", rabin), FeaturesOf("http://a/b", url(2)));
}

TEST(FeatureKindsTest, CellsCanBeCountedAndNarrowed) {
  const ShingleSpec point = *ParseShingle("point:5,1");
  const auto bag = FeaturesOf("7;7", {.shingle = point, .bag = Bag::kMax});
  EXPECT_EQ((std::set<uint64_t>(bag.begin(), bag.end()).size()), 20u);
  const auto narrow = FeaturesOf("7", {.shingle = point, .narrow = true});
  EXPECT_EQ(narrow.size(), 10u);
  EXPECT_NE(narrow, FeaturesOf("7", {.shingle = point}));
}

TEST(CheckTextTest, ListsOfNumbersAreCheckedAndTextsAreNot) {
  const FeatureSpec point = {.shingle = *ParseShingle("point:5,1")};
  EXPECT_TRUE(CheckText(point, "1 2 3").has_value());
  EXPECT_TRUE(CheckText(point, "").has_value());
  EXPECT_FALSE(CheckText(point, "one").has_value());
  EXPECT_TRUE(CheckText(FeatureSpec{}, "one").has_value());
  EXPECT_TRUE(CheckText({.shingle = {Kind::kUrl, 1}}, "\xff").has_value());
  EXPECT_FALSE(TextRefusal(FeatureSpec{}));
  ASSERT_TRUE(TextRefusal(point));
  EXPECT_EQ(TextRefusal(point)("1"), "");
  EXPECT_NE(TextRefusal(point)("x"), "");
}

}  // namespace
}  // namespace lookalike
