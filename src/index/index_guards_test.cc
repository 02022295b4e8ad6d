#include "index/index_guards.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "index/probe.h"
#include "index/rules.h"

namespace lookalike {
namespace {

template <class T>
T Must(Result<T> result) {
  EXPECT_TRUE(result) << result.error().what;
  return *std::move(result);
}

IndexRules RulesWith(std::vector<std::string> differ, std::vector<std::string> same,
                     Kept kept = Kept::kFeatures) {
  IndexSettings settings;
  settings.options.differ = std::move(differ);
  settings.options.same = std::move(same);
  settings.kept = kept;
  return Must(MakeRules(settings));
}

GuardWords WordsOf(const IndexRules& rules, std::string_view text,
                   const std::vector<FieldText>& values = {}) {
  const GuardedText given = {text, values};
  return Must(rules.guards.WordsOf({&given, 1}))[0];
}

std::string LongText() {
  std::string text;
  for (int i = 0; i < 60; ++i)
    text += "word" + std::string(1, static_cast<char>('a' + i % 26)) + " ";
  return text;
}

TEST(IndexGuardsTest, EachKindOfGuardHasAWordOfItsOwn) {
  const IndexRules rules = RulesWith({"numbers"}, {"lang"});
  const std::vector<FieldText> en = {"en"}, de = {"de"}, missing = {FieldText()}, empty = {""};
  const GuardWords words = WordsOf(rules, "costs 7", en);
  EXPECT_EQ(WordsOf(rules, "seven is 7", en), words);
  EXPECT_NE(WordsOf(rules, "costs 8", en).differ, words.differ);
  EXPECT_EQ(WordsOf(rules, "costs 8", en).same, words.same);
  EXPECT_EQ(WordsOf(rules, "costs 7", de).differ, words.differ);
  const std::set<uint64_t> all = {words.same, WordsOf(rules, "costs 7", de).same,
                                  WordsOf(rules, "costs 7", missing).same,
                                  WordsOf(rules, "costs 7", empty).same};
  EXPECT_EQ(all.size(), 4U);
}

TEST(IndexGuardsTest, AMaskChangesEveryFeatureAndIsTheSameForTheSameWords) {
  const std::vector<uint64_t> features = {1, 5, 1000, uint64_t{1} << 63};
  const GuardWords none, some = {1, 0}, other = {0, 1}, both = {1, 1};
  std::set<uint64_t> seen;
  for (const GuardWords& words : {none, some, other, both}) {
    const std::vector<uint64_t> masked = MaskFeatures(features, words);
    EXPECT_TRUE(std::is_sorted(masked.begin(), masked.end()));
    EXPECT_EQ(MaskFeatures(features, words), masked);
    seen.insert(masked.begin(), masked.end());
    EXPECT_EQ(MaskFeatures(masked, words), features);
    EXPECT_EQ(MaskClass({1, 2}, words), MaskClass({1, 2}, words));
    EXPECT_NE(MaskClass({1, 2}, words), MaskClass({2, 1}, words));
  }
  EXPECT_EQ(seen.size(), 16U);
  EXPECT_NE(MaskClass({1, 2}, some), MaskClass({1, 2}, other));
}

TEST(IndexGuardsTest, EachWordMakesAnotherClassByItself) {
  const auto class_of = [](uint64_t differ, uint64_t same) {
    const ClassHash hash = MaskClass({1, 2}, GuardWords{differ, same});
    return std::pair(hash.low, hash.high);
  };
  std::set<std::pair<uint64_t, uint64_t>> classes;
  std::set<uint64_t> masks;
  for (uint64_t differ = 0; differ < 3; ++differ) {
    for (uint64_t same = 0; same < 3; ++same) {
      classes.insert(class_of(differ, same));
      masks.insert(FeatureMask({differ, same}));
    }
  }
  EXPECT_EQ(classes.size(), 9U);
  EXPECT_EQ(masks.size(), 9U);
}

TEST(IndexGuardsTest, FieldsMustBeGiven) {
  const IndexRules rules = RulesWith({"numbers", "price"}, {"lang", "price"});
  EXPECT_EQ(rules.guards.fields(), (std::vector<std::string>{"price", "lang"}));
  const GuardedText without = {"text", {}};
  const auto words = rules.guards.WordsOf({&without, 1});
  ASSERT_FALSE(words);
  EXPECT_NE(words.error().what.find("price, lang"), std::string::npos);
  EXPECT_TRUE(Must(RulesWith({}, {}).guards.WordsOf({&without, 1})).empty());
  EXPECT_EQ(Must(RulesWith({"numbers"}, {}).guards.WordsOf({&without, 1})).size(), 1U);
}

TEST(IndexGuardsTest, ProbesOfOtherWordsHaveNothingInCommon) {
  const IndexRules rules = RulesWith({}, {"lang"});
  const std::string text = LongText();
  const std::vector<FieldText> en = {"en"}, de = {"de"};
  const GuardedText given[] = {{text, en}, {text, de}, {text, en}};
  const auto probes = Must(ProbesOfGuarded(rules, given));
  EXPECT_EQ(probes[0].hash, probes[2].hash);
  EXPECT_EQ(probes[0].codes, probes[2].codes);
  EXPECT_NE(probes[0].hash, probes[1].hash);
  EXPECT_EQ(probes[0].text_hash, probes[1].text_hash);
  EXPECT_EQ(probes[0].size, probes[1].size);
  std::vector<uint64_t> common;
  std::set_intersection(probes[0].features.begin(), probes[0].features.end(),
                        probes[1].features.begin(), probes[1].features.end(),
                        std::back_inserter(common));
  EXPECT_TRUE(common.empty());
  const auto keys = rules.keys.KeysOf(KeyedPart(probes[0]));
  for (const std::string& key : rules.keys.KeysOf(KeyedPart(probes[1]))) {
    EXPECT_EQ(std::count(keys.begin(), keys.end(), key), 0);
  }
}

TEST(IndexGuardsTest, SettingsHaveGuardsAsLists) {
  const IndexRules rules = RulesWith({"numbers", "regex:a,b\\d"}, {"a.b"});
  const IndexRules again = Must(DecodeSettings(EncodeSettings(rules), "."));
  EXPECT_EQ(again.settings.options.differ, rules.settings.options.differ);
  EXPECT_EQ(again.settings.options.same, rules.settings.options.same);
  EXPECT_EQ(EncodeSettings(RulesWith({}, {})).find("differ"), std::string::npos);
}

TEST(IndexGuardsTest, SomeGuardsAreRefused) {
  IndexSettings settings;
  settings.options.not_same = {"year"};
  const auto rules = MakeRules(settings);
  ASSERT_FALSE(rules);
  EXPECT_NE(rules.error().what.find("not-same"), std::string::npos);
  settings.options.not_same.clear();
  settings.options.differ = {"regex:("};
  EXPECT_FALSE(MakeRules(settings));
}

}  // namespace
}  // namespace lookalike
