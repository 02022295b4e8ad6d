#include "results/report_texts.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "results/passages.h"

namespace lookalike {
namespace {

using Pairs = std::vector<std::pair<size_t, size_t>>;

/// Makes stretches of these lengths, every other one shared; the first is not.
std::vector<Stretch> Alternating(const std::vector<uint64_t>& lengths) {
  std::vector<Stretch> stretches;
  uint64_t at = 0;
  for (const uint64_t length : lengths) {
    const bool shared = stretches.size() % 2 == 1;
    stretches.push_back({at, at + length, shared});
    at += length;
  }
  return stretches;
}

TEST(AlignStretchesTest, PassagesInTheSameOrderAreAllAligned) {
  const auto a = Alternating({5, 10, 5, 20, 5}), b = Alternating({0, 10, 50, 20});
  EXPECT_EQ(AlignStretches(a, b, std::vector<Passage>{{5, 15, 0, 10}, {20, 40, 60, 80}}),
            (Pairs{{1, 1}, {3, 3}}));
  EXPECT_TRUE(AlignStretches(a, b, {}).empty());
  EXPECT_TRUE(AlignStretches({}, {}, std::vector<Passage>{{0, 1, 0, 1}}).empty());
}

// If passages changed places, only some can be shown side by side: those that hold the most.
TEST(AlignStretchesTest, MovedPassagesYieldToLongerOnes) {
  const auto a = Alternating({0, 10, 1, 30, 1, 12}), b = Alternating({0, 30, 1, 10, 1, 12});
  EXPECT_EQ(AlignStretches(
                a, b, std::vector<Passage>{{0, 10, 31, 41}, {11, 41, 0, 30}, {42, 54, 42, 54}}),
            (Pairs{{3, 1}, {5, 5}}));
}

TEST(AlignStretchesTest, AStretchStandsBesideOneOther) {
  const auto a = Alternating({0, 10}), b = Alternating({0, 10, 5, 10});
  EXPECT_EQ(AlignStretches(a, b, std::vector<Passage>{{0, 8, 0, 8}, {0, 10, 15, 25}}),
            (Pairs{{1, 3}}));
  EXPECT_EQ(AlignStretches(b, a, std::vector<Passage>{{0, 8, 0, 8}, {15, 25, 0, 10}}),
            (Pairs{{3, 1}}));
}

std::string Numbered(const std::string& name, int from, int to) {
  std::string text;
  for (int i = from; i < to; ++i) text += name + std::to_string(i) + " ";
  return text;
}

TEST(ExcerptsOfTextsTest, BothShowWhatTheyShare) {
  const std::string body = Numbered("body", 0, 4000), preface = Numbered("new", 0, 2000);
  const ExcerptPair pair =
      ExcerptsOfTexts({preface + body, 0, true}, {body, 0, false}, FeatureSpec());
  EXPECT_GT(pair.a.before, preface.size() - 200);
  EXPECT_TRUE(pair.a.cut && pair.b.cut);
  EXPECT_EQ(pair.b.before, 0U) << "the beginning, where it shows enough";
  EXPECT_LE(pair.a.text.size(), kExcerptBytes);
  nlohmann::ordered_json member;
  AddTexts(pair, FeatureSpec(), &member);
  EXPECT_EQ(member["anchors"].size(), 1U) << member["anchors"];
  EXPECT_EQ(member["before"], pair.a.before);
}

TEST(ExcerptsOfTextsTest, ShortTextsAreWhole) {
  const ExcerptPair pair =
      ExcerptsOfTexts({"one two", 0, false}, {"\xFF three", 0, false}, FeatureSpec());
  EXPECT_EQ(pair.a.text, "one two");
  EXPECT_EQ(pair.b.text, "\xEF\xBF\xBD three") << "invalid UTF-8 is replaced";
  EXPECT_FALSE(pair.a.cut || pair.b.cut);
}

TEST(AddTextsTest, SymbolsOfCodeAreMarkedAsDifferent) {
  FeatureSpec code;
  code.shingle.kind = ShingleSpec::Kind::kCode;
  code.shingle.length = 2;
  nlohmann::ordered_json words, symbols;
  const ExcerptPair pair = {{"f(a, b): return a - b; print", 0, false},
                            {"f(a, b): return a + b; print", 0, false}};
  AddTexts(pair, FeatureSpec(), &words);
  AddTexts(pair, code, &symbols);
  EXPECT_EQ(words["segments"].size(), 1U);
  EXPECT_GT(symbols["segments"].size(), 1U) << symbols["segments"];
}

}  // namespace
}  // namespace lookalike
