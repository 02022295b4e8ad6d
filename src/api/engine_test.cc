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

}  // namespace
}  // namespace lookalike
