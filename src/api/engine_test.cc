#include "lookalike/engine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace lookalike {
namespace {

using Texts = std::vector<std::string_view>;

Engine Make(Options options, EngineGoal goal = EngineGoal::kKeep) {
  auto engine = Engine::Create(options, 1000, goal);
  if (!engine) ADD_FAILURE() << engine.error().ToString();
  return *std::move(engine);
}

Options WordOptions() {
  Options options;
  options.shingle = "word:1";
  options.threshold = 0.5;
  options.design = "bands:32x2";
  return options;
}

// Makes texts of up to `most` words out of few, so that many are alike.
std::vector<std::string> RandomTexts(size_t count, size_t most) {
  std::mt19937 random(7);
  std::vector<std::string> texts(count);
  for (std::string& text : texts) {
    for (size_t words = 1 + random() % most; words > 0; --words) {
      text += "w" + std::to_string(random() % 30) + " ";
    }
  }
  return texts;
}

Extracted ExtractAll(const Engine& engine, const std::vector<std::string>& texts) {
  auto rows = engine.Extract(Texts(texts.begin(), texts.end()));
  if (!rows) ADD_FAILURE() << rows.error().ToString();
  return *std::move(rows);
}

// All pairs at or above the threshold, by comparing every two sets.
PairColumns BruteForce(const Extracted& rows, double threshold) {
  PairColumns pairs;
  const auto& [features, offsets] = rows.sets;
  const auto set = [&](size_t i) {
    return std::span(features).subspan(offsets[i], offsets[i + 1] - offsets[i]);
  };
  for (size_t d = 0; d + 1 < offsets.size(); ++d) {
    for (size_t a = 0; a < d; ++a) {
      size_t common = 0;
      for (const uint64_t feature : set(a)) {
        common += std::binary_search(set(d).begin(), set(d).end(), feature) ? 1 : 0;
      }
      const size_t all = set(a).size() + set(d).size() - common;
      if (all == 0 || static_cast<double>(common) / static_cast<double>(all) < threshold) continue;
      pairs.a.push_back(a);
      pairs.d.push_back(d);
    }
  }
  return pairs;
}

TEST(Engine, FewFeaturesAndAllFeaturesAreJoinedExactly) {
  for (const auto& [most, method] : {std::pair{12, "auto"}, std::pair{60, "exact"}}) {
    Options options = WordOptions();
    options.method = method;
    if (options.method == "exact") options.design.clear();
    const Engine engine = Make(options, EngineGoal::kPairs);
    const Extracted rows = ExtractAll(engine, RandomTexts(150, static_cast<size_t>(most)));
    const auto pairs = engine.Join(rows);
    ASSERT_TRUE(pairs) << pairs.error().ToString();
    const auto edges = engine.Verify(pairs->a, pairs->d, rows);
    ASSERT_TRUE(edges) << edges.error().ToString();
    const PairColumns all = BruteForce(rows, 0.5);
    EXPECT_GT(all.a.size(), 20U);
    EXPECT_EQ(edges->a, all.a) << method;
    EXPECT_EQ(edges->d, all.d) << method;
  }
}

TEST(Engine, ThreadsDoNotChangeTheColumns) {
  const auto texts = RandomTexts(3000, 40);
  Options options = WordOptions();
  options.threads = 1;
  const Engine one = Make(options);
  options.threads = 4;
  const Engine four = Make(options);
  const Extracted rows = ExtractAll(one, texts), same = ExtractAll(four, texts);
  EXPECT_EQ(rows.sets.features, same.sets.features);
  EXPECT_EQ(rows.sets.offsets, same.sets.offsets);
  EXPECT_EQ(rows.hashes, same.hashes);
  EXPECT_EQ(rows.searched, same.searched);
  EXPECT_EQ(rows.codes, same.codes);
  EXPECT_EQ(rows.keys, same.keys);
  EXPECT_EQ(one.Join(rows)->d, four.Join(rows)->d);
}

TEST(Engine, ExactCopiesHaveOneRepresentative) {
  const Engine engine = Make(WordOptions());
  const Extracted rows = ExtractAll(engine, {"a b", "", "a, b!", "b a", ""});
  EXPECT_EQ(*FindClasses(rows.hashes, rows.searched), (std::vector<uint64_t>{0, 1, 0, 3, 4}));
}

TEST(Engine, ACancelledStepEndsWithThatCode) {
  const Engine engine = Make(WordOptions());
  const Extracted rows = ExtractAll(engine, RandomTexts(50, 40));
  Observer observer;
  observer.cancelled = [] { return true; };
  EXPECT_EQ(engine.Join(rows, {}, observer).error().code, ErrorCode::kCancelled);
}

TEST(Engine, ColumnsThatDoNotFitAreRefused) {
  const Engine engine = Make(WordOptions());
  const Extracted rows = ExtractAll(engine, RandomTexts(20, 40));
  const std::vector<uint64_t> one = {1}, far = {20};
  Extracted broken = rows;
  broken.sets.offsets[3] = -1;
  EXPECT_EQ(engine.Join(broken).error().code, ErrorCode::kUsage);
  EXPECT_EQ(engine.Verify(one, one, broken).error().code, ErrorCode::kUsage);
  broken = rows;
  broken.sets.offsets.back() += 1;
  EXPECT_EQ(engine.Join(broken).error().code, ErrorCode::kUsage);
  broken = rows;
  broken.searched.pop_back();
  EXPECT_EQ(engine.Join(broken).error().code, ErrorCode::kUsage);
  broken = rows;
  broken.keys.pop_back();
  EXPECT_EQ(engine.Join(broken).error().code, ErrorCode::kUsage);
  EXPECT_EQ(engine.Join(rows, far).error().code, ErrorCode::kUsage);
  EXPECT_EQ(engine.Verify(one, far, rows).error().code, ErrorCode::kUsage);
  EXPECT_EQ(engine.Verify(one, {}, rows).error().code, ErrorCode::kUsage);
  EXPECT_EQ(FindClasses(rows.hashes, {}).error().code, ErrorCode::kUsage);
  EXPECT_EQ(KeepGreedy(one, one, 2).error().code, ErrorCode::kUsage);
  EXPECT_EQ(GroupLinked(one, far, 20).error().code, ErrorCode::kUsage);
  KeyColumns refined;
  EXPECT_EQ(engine.JoinKeys(engine.levels(), {}, {}, {}, &refined).error().code, ErrorCode::kUsage);
  EXPECT_EQ(engine.JoinKeys(0, one, {}, {}, &refined).error().code, ErrorCode::kUsage);
  EXPECT_EQ(engine.JoinKeys(0, one, one, {}, &refined).error().code, ErrorCode::kUsage);
}

TEST(Engine, WhatIsNotOfferedStepByStepIsRefused) {
  Options options;
  options.measure = "containment";
  EXPECT_EQ(Engine::Create(options, 10, EngineGoal::kPairs).error().option, "measure");
  options = {};
  options.method = "shingle-merge";
  EXPECT_EQ(Engine::Create(options).error().option, "method");
  options = {};
  options.verify = "sketch";
  EXPECT_EQ(Engine::Create(options).error().option, "verify");
}

// Columns of rows that all share their keys, so that only the codes can tell them apart.
TEST(Engine, OnlyRowsOfKeysMeetByTheirKeysAndCodesRulePairsOut) {
  const Engine engine = Make(WordOptions(), EngineGoal::kPairs);
  std::vector<std::string> texts(20);
  for (size_t i = 0; i < texts.size(); ++i) {
    for (size_t word = 0; word < 40; ++word) texts[i] += std::to_string(40 * i + word) + " ";
  }
  texts.insert(texts.end(), {"few other words", "some text here"});
  Extracted rows = ExtractAll(engine, texts);
  EXPECT_EQ(rows.searched[0], SearchedBy::kKeys);
  EXPECT_EQ(rows.searched[20], SearchedBy::kFeatures);
  for (size_t i = 0; i < rows.keys.size(); ++i) rows.keys[i] = i % engine.keys();
  EXPECT_TRUE(engine.Join(rows)->a.empty()) << "their codes differ";
  std::fill(rows.codes.begin(), rows.codes.end(), uint8_t{0});
  const auto pairs = engine.Join(rows);
  EXPECT_EQ(pairs->a.size(), 190U);
  EXPECT_LT(pairs->d.back(), 20U);
}

TEST(Engine, DocumentsOfTooFewFeaturesAreInNoPair) {
  for (const char* const method : {"auto", "exact"}) {
    Options options = WordOptions();
    options.min_features = 3;
    options.method = method;
    if (options.method == "exact") options.design.clear();
    const Engine engine = Make(options);
    const Extracted rows = ExtractAll(engine, {"a b", "a b", "a b c", "a b c"});
    const auto pairs = engine.Join(rows);
    EXPECT_EQ(pairs->a, (std::vector<uint64_t>{2})) << method;
    EXPECT_EQ(pairs->d, (std::vector<uint64_t>{3})) << method;
  }
}

// Pairs of the smallest buckets come from the join unchecked.
TEST(Engine, CodesRuleOutThePairsOfTheSmallestBuckets) {
  const Engine engine = Make(WordOptions());
  const std::vector<uint64_t> keys = {5, 5}, documents = {1, 2};
  std::vector<uint8_t> codes(2 * engine.code_bytes());
  KeyColumns refined;
  EXPECT_EQ(engine.JoinKeys(0, keys, documents, codes, &refined)->a.size(), 1U);
  std::fill_n(codes.begin(), engine.code_bytes(), uint8_t{1});
  EXPECT_TRUE(engine.JoinKeys(0, keys, documents, codes, &refined)->a.empty());
}

// Documents have numbers with gaps, in no order.
TEST(Engine, RecordsOfOneKeyGivePairsOfTheirDocuments) {
  const Engine engine = Make(WordOptions());
  const std::vector<uint64_t> keys = {5, 6, 5, 5}, documents = {1000, 1000, 7, 40};
  const std::vector<uint8_t> codes(keys.size() * engine.code_bytes());
  KeyColumns refined;
  const auto pairs = engine.JoinKeys(0, keys, documents, codes, &refined);
  ASSERT_TRUE(pairs) << pairs.error().ToString();
  EXPECT_EQ(pairs->a, (std::vector<uint64_t>{7, 7, 40}));
  EXPECT_EQ(pairs->d, (std::vector<uint64_t>{40, 1000, 1000}));
  EXPECT_TRUE(refined.key.empty());
}

// Nobody is a near-duplicate of itself, whatever the columns say.
TEST(Engine, ADocumentDoesNotMeetItself) {
  const Engine engine = Make(WordOptions(), EngineGoal::kPairs);
  const std::vector<uint64_t> keys = {5, 5}, documents = {3, 3};
  KeyColumns refined;
  const std::vector<uint8_t> codes(2 * engine.code_bytes());
  EXPECT_TRUE(engine.JoinKeys(0, keys, documents, codes, &refined)->a.empty());
  Extracted rows = ExtractAll(engine, {"a b c d", "e f g h"});
  std::fill(rows.sets.features.begin(), rows.sets.features.end(), 7);
  const auto pairs = engine.Join(rows);
  EXPECT_EQ(pairs->a, (std::vector<uint64_t>{0}));
  EXPECT_EQ(pairs->d, (std::vector<uint64_t>{1}));
}

TEST(Engine, AWayOfSearchingThatThereIsNotIsRefused) {
  const Engine engine = Make(WordOptions());
  Extracted rows = ExtractAll(engine, {"a b c d", "e f g h"});
  rows.searched[1] = static_cast<SearchedBy>(3);
  EXPECT_EQ(engine.Join(rows).error().code, ErrorCode::kUsage);
}

TEST(Engine, HashesThatDifferInOneHalfAreNotEqual) {
  const std::vector<SearchedBy> searched(3, SearchedBy::kKeys);
  std::vector<uint8_t> hashes(3 * 16, 1);
  hashes[16] = 2;           // the lower half of the second
  hashes[2 * 16 + 15] = 2;  // the upper half of the third
  EXPECT_EQ(*FindClasses(hashes, searched), (std::vector<uint64_t>{0, 1, 2}));
}

TEST(Engine, ACancelledComparisonOfAllEndsWithThatCode) {
  Options options = WordOptions();
  options.method = "exact";
  options.design.clear();
  const Engine engine = Make(options);
  Observer observer;
  observer.cancelled = [] { return true; };
  const Extracted rows = ExtractAll(engine, RandomTexts(50, 40));
  const auto pairs = engine.Join(rows, {}, observer);
  ASSERT_FALSE(pairs);
  EXPECT_EQ(pairs.error().code, ErrorCode::kCancelled);
}

TEST(Engine, EdgesOutOfOrderAndTooManyDocumentsAreRefused) {
  const std::vector<uint64_t> first = {0, 0}, second = {2, 1};
  EXPECT_EQ(KeepGreedy(first, second, 3).error().code, ErrorCode::kUsage);
  EXPECT_EQ(GroupLinked({}, {}, uint64_t{1} << 62).error().code, ErrorCode::kUsage);
  EXPECT_EQ(KeepGreedy({}, {}, UINT64_MAX).error().code, ErrorCode::kUsage);
}

// Keys and join must be of one design, whichever the goal.
TEST(Engine, KeysAreThoseOfTheDesign) {
  for (const EngineGoal goal : {EngineGoal::kKeep, EngineGoal::kPairs}) {
    Options options;
    options.method = "lsh";
    const Engine engine = Make(options, goal);
    Options pinned;
    pinned.design = engine.design();
    EXPECT_EQ(engine.keys(), Make(pinned, goal).keys());
  }
}

Extracted ExtractGuarded(const Engine& engine, const std::vector<std::string>& texts,
                         const std::vector<FieldText>& values) {
  auto rows = engine.Extract(Texts(texts.begin(), texts.end()), {}, SetsOf::kAll, values);
  if (!rows) ADD_FAILURE() << rows.error().ToString();
  return *std::move(rows);
}

TEST(Engine, GuardsTellPairsApart) {
  Options options = WordOptions();
  options.differ = {"numbers", "lang"};
  options.not_same = {"site"};
  const Engine engine = Make(options);
  ASSERT_EQ(engine.guard_fields(), (std::vector<std::string>{"lang", "site"}));
  ASSERT_EQ(engine.words(), 2U);
  const std::vector<std::string> texts = {"pay 7 and 12", "pay 12 and 7", "pay 7 and 7",
                                          "pay 7 and 12", "pay 7 and 12", "pay 7 and 12"};
  const std::vector<FieldText> values = {"de", "x", "de", "y",          "de", "y",
                                         "fr", "y", "de", std::nullopt, "de", "x"};
  const Extracted rows = ExtractGuarded(engine, texts, values);
  const std::vector<uint64_t> a(5, 0), d = {1, 2, 3, 4, 5};
  const auto guards = engine.GuardsOf(a, d, rows.words);
  ASSERT_TRUE(guards) << guards.error().ToString();
  using enum PairGuard;
  EXPECT_EQ(*guards, (std::vector<PairGuard>{kNone, kGuarded, kGuarded, kNone, kForbidden}));
  // A field that forbids a pair counts, even if a guard tells the two apart.
  const std::vector<uint64_t> two = {2}, three = {3};
  EXPECT_EQ(*engine.GuardsOf(two, three, rows.words), std::vector<PairGuard>{kForbidden});
  EXPECT_FALSE(engine.GuardsOf(a, {}, rows.words));
  EXPECT_FALSE(engine.GuardsOf(two, std::vector<uint64_t>{6}, rows.words));
}

TEST(Engine, GuardedCopiesAreClassesOfTheirOwn) {
  Options options = WordOptions();
  options.differ = {"lang"};
  const Engine engine = Make(options);
  const std::vector<FieldText> values = {"de", "fr", "de", std::nullopt, std::nullopt, ""};
  const Extracted rows = ExtractGuarded(engine, std::vector<std::string>(6, "a b c"), values);
  const auto hashes = ClassHashes(rows.hashes, rows.words);
  ASSERT_TRUE(hashes) << hashes.error().ToString();
  EXPECT_EQ(*FindClasses(*hashes, rows.searched), (std::vector<uint64_t>{0, 1, 0, 3, 3, 5}));
  EXPECT_EQ(*ClassHashes(rows.hashes, {}), rows.hashes);
  EXPECT_FALSE(ClassHashes(rows.hashes, std::vector<uint64_t>(7)));
}

TEST(Engine, DocumentsThatMustBeTheSameShareNoFeature) {
  Options options = WordOptions();
  options.same = {"lang"};
  const Engine engine = Make(options);
  EXPECT_EQ(engine.words(), 0U);
  const std::vector<std::string> texts(3, "some words of a text");
  const Extracted rows = ExtractGuarded(engine, texts, {"de", "fr", "de"});
  const std::vector<uint64_t> a = {0, 0}, d = {1, 2};
  const auto edges = engine.Verify(a, d, rows);
  ASSERT_TRUE(edges) << edges.error().ToString();
  EXPECT_EQ(edges->d, std::vector<uint64_t>{2});
  EXPECT_EQ(edges->common, std::vector<uint32_t>{5});
  EXPECT_EQ(*FindClasses(rows.hashes, rows.searched), (std::vector<uint64_t>{0, 1, 0}));
  EXPECT_EQ(rows.text_hashes[0], rows.text_hashes[1]);
}

TEST(Engine, SaysWhatGuardsFoundToTellDocumentsApart) {
  Options options = WordOptions();
  options.differ = {"numbers", "lang", "regex:[A-Z]+"};
  const Engine engine = Make(options);
  const Texts texts = {"pay 12 and 7 and 7", "pay 7", "PAY 7"};
  const std::vector<FieldText> values = {"de", "de", std::nullopt};
  const auto tokens = engine.GuardTokens(texts, values);
  ASSERT_TRUE(tokens) << tokens.error().ToString();
  const auto& all = *tokens;
  const Texts a = {all[0], all[1], all[1]}, d = {all[1], all[2], all[1]};
  const auto found = engine.GuardDifferences(a, d);
  ASSERT_TRUE(found) << found.error().ToString();
  EXPECT_EQ(*found, (std::vector<std::string>{
                        R"({"numbers": [["12", "7"], []]})",
                        R"({"lang": [["de"], []], "regex:[A-Z]+": [[], ["PAY"]]})", "{}"}));
  const std::string cut = all[0].substr(0, all[0].size() - 1), more = all[0] + "x";
  EXPECT_FALSE(engine.GuardDifferences(Texts{cut}, Texts{all[0]}));
  EXPECT_FALSE(engine.GuardDifferences(Texts{all[0]}, Texts{more}));
  EXPECT_FALSE(engine.GuardDifferences(Texts{""}, Texts{all[0]}));
  EXPECT_FALSE(engine.GuardDifferences(a, Texts{}));
}

TEST(Engine, EachTextNeedsTheValuesThatGuardsCompare) {
  Options options = WordOptions();
  options.differ = {"lang"};
  const Engine engine = Make(options);
  EXPECT_FALSE(engine.Extract(Texts{"a", "b"}));
  EXPECT_FALSE(engine.Extract(Texts{"a", "b"}, {}, SetsOf::kAll, std::vector<FieldText>(3)));
  KeyColumns refined;
  EXPECT_FALSE(engine.JoinKeys(0, {}, {}, {}, &refined)) << "words would be missing";
}

}  // namespace
}  // namespace lookalike
