#include "lookalike/shuffle.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <random>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/must.h"
#include "stages/cluster/rank_set.h"

namespace lookalike {
namespace {

using Pair = std::pair<uint64_t, uint64_t>;

// Documents have numbers with gaps, above what 40 bits hold.
uint64_t NumberOf(size_t row) { return (uint64_t{1} << 60) + row * 1000; }
size_t RowOf(uint64_t document) { return (document - NumberOf(0)) / 1000; }

Engine MakeEngine(EngineGoal goal, double threshold, const std::string& shingle,
                  uint64_t reference_end = 0) {
  Options options;
  options.shingle = shingle;
  options.threshold = threshold;
  options.threads = 1;
  return Must(Engine::Create(options, 100'000, goal, reference_end));
}

// Texts of a template with some words of their own, so that keys have many members; short texts of
// few words; and copies.
std::vector<std::string> SkewedTexts() {
  std::mt19937 random(11);
  std::vector<std::string> texts;
  for (int i = 0; i < 500; ++i) {
    std::string text;
    for (int word = 0; word < 60; ++word) text += "template" + std::to_string(word) + " ";
    for (size_t word = random() % 14; word > 0; --word) {
      text += "own" + std::to_string(random() % 3000) + " ";
    }
    texts.push_back(text);
  }
  for (int i = 0; i < 2500; ++i) {
    std::string text = i % 2 == 0 ? "often " : "";
    for (size_t word = 1 + random() % 18; word > 0; --word) {
      text += "w" + std::to_string(random() % 40) + " ";
    }
    texts.push_back(text);
  }
  for (int i = 0; i < 100; ++i) texts.push_back(texts[static_cast<size_t>(i) * 7]);
  texts.emplace_back();
  std::shuffle(texts.begin(), texts.end(), random);
  return texts;
}

// Sends the rows of columns to parts by the hash of a column.
class Parts {
 public:
  explicit Parts(size_t count) : rows_(count) {}
  void Add(uint64_t by, std::vector<uint64_t> row) {
    rows_[(by * 0x9E3779B97F4A7C15 >> 32) % rows_.size()].push_back(std::move(row));
  }
  size_t size() const { return rows_.size(); }
  std::vector<uint64_t> Column(size_t part, size_t column) const {
    std::vector<uint64_t> values;
    for (const auto& row : rows_[part]) values.push_back(row[column]);
    return values;
  }

 private:
  std::vector<std::vector<std::vector<uint64_t>>> rows_;
};

// The search as a job on several machines runs it.
class ShuffledSearch {
 public:
  ShuffledSearch(const Engine& engine, const std::vector<std::string>& texts, size_t parts,
                 size_t records, const std::vector<FieldText>& values = {})
      : engine_(engine),
        parts_(parts),
        records_(records),
        rows_(Must(engine.Extract(std::vector<std::string_view>(texts.begin(), texts.end()), {},
                                  SetsOf::kFew, values))),
        hashes_(Must(ClassHashes(rows_.hashes, rows_.words))) {}

  std::vector<Pair> Run() {
    FindRepresentatives();
    JoinByKeys();
    JoinByFeatures();
    std::sort(pairs_.begin(), pairs_.end());
    pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
    return Possible();
  }

  bool saw_large = false, saw_groups = false;

 private:
  uint64_t ClassOf(size_t row) const {
    uint64_t value = 0;
    std::memcpy(&value, hashes_.data() + 16 * row, sizeof(value));
    return value;
  }

  void FindRepresentatives() {
    std::vector<uint64_t> documents, texts;
    std::vector<uint8_t> hashes;
    for (size_t row = 0; row < rows_.searched.size(); ++row) {
      if (rows_.searched[row] == SearchedBy::kNothing) continue;
      documents.push_back(NumberOf(row));
      texts.push_back(rows_.text_hashes[row]);
      hashes.insert(hashes.end(), &hashes_[16 * row], &hashes_[16 * row] + 16);
    }
    for (const uint64_t copy : Must(FindCopies(documents, hashes, texts)).copy) {
      copies_.insert(copy);
    }
  }

  /// Appends the guard of a document, if there are guards.
  void AddGuard(uint64_t document, std::vector<uint64_t>* guards) const {
    if (engine_.words() != 0) guards->push_back(rows_.words[RowOf(document) * engine_.words()]);
  }

  std::vector<uint64_t> GuardsOf(const std::vector<uint64_t>& documents) const {
    std::vector<uint64_t> guards;
    for (const uint64_t document : documents) AddGuard(document, &guards);
    return guards;
  }

  void JoinByKeys() {
    Parts keys(parts_);
    for (size_t row = 0; row < rows_.searched.size(); ++row) {
      if (rows_.searched[row] != SearchedBy::kKeys) continue;
      for (uint32_t i = 0; i < engine_.keys(); ++i) {
        const uint64_t key = rows_.keys[row * engine_.keys() + i];
        keys.Add(key, {key, NumberOf(row), ClassOf(row)});
      }
    }
    for (uint32_t level = 0; level < engine_.levels(); ++level) keys = JoinLevel(level, keys);
  }

  Parts JoinLevel(uint32_t level, const Parts& keys) {
    std::vector<Pair> members;
    for (size_t part = 0; part < keys.size(); ++part) {
      auto small = Must(SmallBuckets::Create(engine_, level, records_));
      const auto key = keys.Column(part, 0), document = keys.Column(part, 1),
                 hash = keys.Column(part, 2);
      for (size_t at = 0; at < key.size(); at += 100) {  // in blocks
        const size_t count = std::min<size_t>(100, key.size() - at);
        EXPECT_TRUE(small.Add(std::span(key).subspan(at, count),
                              std::span(document).subspan(at, count),
                              std::span(hash).subspan(at, count)));
        TakeMembers(&small, &members);
      }
      Add(small.Finish());
      TakeMembers(&small, &members);
    }
    return JoinMembers(level, std::move(members));
  }

  void TakeMembers(SmallBuckets* small, std::vector<Pair>* members) {
    const KeyColumns large = small->TakeLarge();
    for (size_t i = 0; i < large.key.size(); ++i) {
      if (copies_.contains(large.document[i])) {
        EXPECT_TRUE(small->may_hold_copies());
        continue;
      }
      members->emplace_back(large.key[i], large.document[i]);
    }
  }

  Parts JoinMembers(uint32_t level, std::vector<Pair> members) {
    saw_large = saw_large || !members.empty();
    std::sort(members.begin(), members.end());
    auto large = Must(LargeBuckets::Create(engine_, level));
    Parts next(parts_);
    for (size_t at = 0; at < members.size(); at += 64) {
      std::vector<uint64_t> keys, documents;
      std::vector<uint8_t> codes;
      for (size_t i = at; i < std::min(members.size(), at + 64); ++i) {
        keys.push_back(members[i].first);
        documents.push_back(members[i].second);
        const uint8_t* code = &rows_.codes[RowOf(members[i].second) * engine_.code_bytes()];
        codes.insert(codes.end(), code, code + engine_.code_bytes());
      }
      EXPECT_TRUE(large.Add(keys, documents, codes, GuardsOf(documents)));
    }
    EXPECT_TRUE(large.Finish());
    Add(large.TakePairs());
    const KeyColumns refined = large.TakeRefined();
    for (size_t i = 0; i < refined.key.size(); ++i) {
      next.Add(refined.key[i], {refined.key[i], refined.document[i], refined.document[i]});
    }
    return next;
  }

  void JoinByFeatures() {
    std::vector<uint64_t> documents;
    for (size_t row = 0; row < rows_.searched.size(); ++row) documents.push_back(NumberOf(row));
    const FewFeatureColumns few = Must(FewFeaturesOf(documents, rows_));
    Parts features(parts_), shared(parts_), meetings(parts_);
    for (size_t i = 0; i < few.keys.size(); ++i) {
      if (copies_.contains(few.documents[i])) continue;
      features.Add(few.keys[i], {few.keys[i], few.documents[i], few.sizes[i]});
    }
    for (size_t part = 0; part < parts_; ++part) {
      const auto found =
          Must(CountFewFeatures({features.Column(part, 0), features.Column(part, 1),
                                 features.Column(part, 2), GuardsOf(features.Column(part, 1))}));
      EXPECT_EQ(found.guards, GuardsOf(found.documents));
      for (size_t i = 0; i < found.keys.size(); ++i) {
        shared.Add(found.documents[i],
                   {found.keys[i], found.documents[i], found.sizes[i], found.counts[i]});
      }
    }
    const auto columns = [&](size_t part) {
      return SharedFeatureColumns{shared.Column(part, 0), shared.Column(part, 1),
                                  shared.Column(part, 2), shared.Column(part, 3),
                                  GuardsOf(shared.Column(part, 1))};
    };
    std::map<Pair, uint64_t> sums;
    for (size_t part = 0; part < parts_; ++part) {
      const auto groups = Must(CountFeatureGroups(engine_, columns(part)));
      for (size_t i = 0; i < groups.keys.size(); ++i) {
        sums[{groups.keys[i], groups.groups[i]}] += groups.documents[i];
      }
    }
    saw_groups = !sums.empty();
    FeatureGroupColumns groups;
    for (const auto& [group, count] : sums) {
      groups.keys.push_back(group.first);
      groups.groups.push_back(group.second);
      groups.documents.push_back(count);
    }
    for (size_t part = 0; part < parts_; ++part) {
      const auto made = Must(MakeMeetings(engine_, columns(part), groups));
      for (size_t i = 0; i < made.keys.size(); ++i) {
        meetings.Add(made.keys[i],
                     {made.keys[i], made.documents[i], made.signatures[i], made.shapes[i]});
      }
    }
    for (size_t part = 0; part < parts_; ++part) {
      Add(Must(JoinMeetings(engine_, {meetings.Column(part, 0), meetings.Column(part, 1),
                                      meetings.Column(part, 2), meetings.Column(part, 3)})));
    }
  }

  void Add(const PairColumns& found) {
    for (size_t i = 0; i < found.a.size(); ++i) pairs_.emplace_back(found.a[i], found.d[i]);
  }

  std::vector<Pair> Possible() const {
    std::vector<uint64_t> a, d;
    for (const Pair& pair : pairs_) {
      a.push_back(RowOf(pair.first));
      d.push_back(RowOf(pair.second));
    }
    const PairColumns possible = Must(engine_.MayBeAlike(a, d, rows_));
    std::vector<Pair> pairs;
    for (size_t i = 0; i < possible.a.size(); ++i) {
      pairs.emplace_back(possible.a[i], possible.d[i]);
    }
    return pairs;
  }

  const Engine& engine_;
  size_t parts_, records_;
  Extracted rows_;
  std::vector<uint8_t> hashes_;  // of classes
  std::set<uint64_t> copies_;
  std::vector<Pair> pairs_;
};

// The pairs that the engine finds in memory.
std::vector<Pair> JoinInMemory(const Engine& engine, const std::vector<std::string>& texts,
                               const std::vector<FieldText>& values = {}) {
  const Extracted rows = Must(engine.Extract(
      std::vector<std::string_view>(texts.begin(), texts.end()), {}, SetsOf::kAll, values));
  const auto classes = Must(FindClasses(Must(ClassHashes(rows.hashes, rows.words)), rows.searched));
  std::vector<uint64_t> representatives;
  for (size_t row = 0; row < classes.size(); ++row) {
    if (classes[row] == row) representatives.push_back(row);
  }
  const PairColumns found = Must(engine.Join(rows, representatives));
  std::vector<Pair> pairs;
  for (size_t i = 0; i < found.a.size(); ++i) pairs.emplace_back(found.a[i], found.d[i]);
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

TEST(Shuffle, GivesThePairsOfTheJoinInMemory) {
  const auto texts = SkewedTexts();
  for (const EngineGoal goal : {EngineGoal::kKeep, EngineGoal::kPairs}) {
    for (const auto& [threshold, shingle] : {std::pair{.8, "word:1"}, std::pair{.5, "word:1"}}) {
      const Engine engine = MakeEngine(goal, threshold, shingle);
      const auto expected = JoinInMemory(engine, texts);
      ASSERT_GT(expected.size(), 1000U);
      for (const size_t records : {size_t{64}, size_t{1} << 20}) {
        ShuffledSearch search(engine, texts, 3, records);
        EXPECT_EQ(search.Run(), expected) << threshold << ", " << records << " records";
        EXPECT_TRUE(search.saw_large);
        // Among the rarest features of a text, by which it is looked up, are frequent ones.
        EXPECT_EQ(search.saw_groups, threshold == .5);
      }
    }
  }
}

Engine MakeGuardedEngine(EngineGoal goal, double threshold) {
  Options options;
  options.shingle = "word:1";
  options.threshold = threshold;
  options.threads = 1;
  options.differ = {"lang"};
  return Must(Engine::Create(options, 100'000, goal));
}

// A text of one of so many languages, or of none.
std::vector<FieldText> RandomLanguages(size_t texts, uint64_t languages) {
  std::mt19937_64 random(5);
  std::vector<FieldText> values(texts);
  for (FieldText& value : values) {
    if (const uint64_t language = random() % (languages + 1); language != 0) {
      value = std::to_string(language);
    }
  }
  return values;
}

// Guards split large buckets, and give documents with few features further keys.
TEST(Shuffle, GivesThePairsOfTheJoinInMemoryWithGuards) {
  const auto texts = SkewedTexts();
  const auto values = RandomLanguages(texts.size(), 12);
  for (const EngineGoal goal : {EngineGoal::kKeep, EngineGoal::kPairs}) {
    for (const double threshold : {.8, .5}) {
      const Engine engine = MakeGuardedEngine(goal, threshold);
      const auto expected = JoinInMemory(engine, texts, values);
      ASSERT_GT(expected.size(), 1000U);
      ShuffledSearch search(engine, texts, 3, 64, values);
      EXPECT_EQ(search.Run(), expected) << threshold;
      EXPECT_TRUE(search.saw_large);
      const Engine unguarded = MakeEngine(goal, threshold, "word:1");
      EXPECT_NE(JoinInMemory(unguarded, texts), expected) << "guards make no difference";
    }
  }
}

// Pairs of two documents of the reference do not count; all pairs that count are found where all
// are asked for.
TEST(Shuffle, GivesThePairsWithAReference) {
  constexpr size_t kEnd = 900;
  const auto texts = SkewedTexts();
  const auto all = JoinInMemory(MakeEngine(EngineGoal::kPairs, .8, "word:1"), texts);
  for (const EngineGoal goal : {EngineGoal::kKeep, EngineGoal::kPairs}) {
    const auto expected = JoinInMemory(MakeEngine(goal, .8, "word:1", kEnd), texts);
    ASSERT_GT(expected.size(), 1000U);
    const Engine engine = MakeEngine(goal, .8, "word:1", NumberOf(kEnd));
    EXPECT_EQ(ShuffledSearch(engine, texts, 3, 64).Run(), expected);
    for (const auto& [a, d] : expected) EXPECT_GE(d, kEnd) << a;
    if (goal == EngineGoal::kKeep) continue;
    std::vector<Pair> across;
    for (const auto& [a, d] : all) {
      if (a < kEnd && d >= kEnd) across.emplace_back(a, d);
    }
    EXPECT_EQ(expected, across);
  }
}

TEST(Shuffle, CopiesOfAClassAreFoundInAnyOrder) {
  const std::vector<uint64_t> documents = {30, 10, 40, 20};
  const std::vector<uint64_t> texts = {7, 7, 8, 9};
  std::vector<uint8_t> hashes(64, 0);
  hashes[3 * 16 + 15] = 1;  // 20 differs in the last byte
  const auto copies = Must(FindCopies(documents, hashes, texts));
  EXPECT_EQ(copies.representative, (std::vector<uint64_t>{10, 10}));
  EXPECT_EQ(copies.copy, (std::vector<uint64_t>{30, 40}));
  EXPECT_EQ(copies.same_text, (std::vector<uint8_t>{1, 0}));
}

TEST(Shuffle, KeepScanDecidesAsKeepGreedyInBlocksOfAnySize) {
  std::mt19937 random(3);
  constexpr uint64_t kDocuments = 300;
  std::set<Pair> edges;  // (d, a)
  while (edges.size() < 900) {
    const uint64_t d = 1 + random() % (kDocuments - 1);
    edges.emplace(d, random() % d);
  }
  std::vector<uint64_t> a, d, far_a, far_d;
  for (const auto& [later, earlier] : edges) {
    a.push_back(earlier);
    d.push_back(later);
    far_a.push_back(earlier * 70'000);  // several ranges of the set
    far_d.push_back(later * 70'000);
  }
  const auto expected = Must(KeepGreedy(a, d, kDocuments));
  for (const size_t block : {size_t{1}, size_t{7}, size_t{1000}}) {
    KeepScan scan;
    std::vector<uint64_t> edge;
    for (size_t at = 0; at < a.size(); at += block) {
      const size_t count = std::min(block, a.size() - at);
      const auto taken =
          Must(scan.Take(std::span(far_a).subspan(at, count), std::span(far_d).subspan(at, count)));
      for (const uint64_t i : taken.edge) edge.push_back(at + i);
    }
    EXPECT_EQ(edge, expected.edge) << "blocks of " << block;
  }
}

TEST(Shuffle, RefusesColumnsThatDoNotFit) {
  const Engine engine = MakeEngine(EngineGoal::kKeep, .8, "word:5");
  auto small = Must(SmallBuckets::Create(engine, 0));
  const std::vector<uint64_t> one = {1}, two = {1, 2};
  EXPECT_FALSE(small.Add(one, two, one));
  EXPECT_FALSE(SmallBuckets::Create(engine, engine.levels()));
  EXPECT_FALSE(LargeBuckets::Create(engine, engine.levels()));
  auto large = Must(LargeBuckets::Create(engine, 0));
  const std::vector<uint8_t> codes(2 * engine.code_bytes());
  EXPECT_FALSE(large.Add(two, two, std::vector<uint8_t>(3)));
  const std::vector<uint64_t> falling = {2, 1};
  EXPECT_FALSE(large.Add(falling, two, codes));
  EXPECT_FALSE(MakeMeetings(engine, {{1}, {2}, {200}, {2}}, {}));
  EXPECT_FALSE(CountFewFeatures({{1}, {2}, {}}));
  EXPECT_FALSE(CountFewFeatures({{1, 1}, {2, 3}, {1, 1}, {7}}));
  EXPECT_FALSE(large.Add(two, two, codes, two)) << "the engine has no guards";
  const Engine guarded = MakeGuardedEngine(EngineGoal::kKeep, .8);
  auto of_guarded = Must(LargeBuckets::Create(guarded, 0));
  const std::vector<uint8_t> other_codes(2 * guarded.code_bytes());
  EXPECT_FALSE(of_guarded.Add(two, two, other_codes)) << "guards are missing";
  EXPECT_TRUE(of_guarded.Add(two, two, other_codes, two));
  EXPECT_FALSE(MakeMeetings(guarded, {{1}, {2}, {3}, {2}}, {})) << "guards are missing";
  KeepScan scan;
  EXPECT_TRUE(scan.Take(one, std::vector<uint64_t>{5}));
  EXPECT_FALSE(scan.Take(one, std::vector<uint64_t>{4}));
  EXPECT_FALSE(KeepScan().Take(two, std::vector<uint64_t>{2, 2}));
}

TEST(RankSet, HoldsWhatWasAddedAndNothingElse) {
  RankSet set;
  EXPECT_FALSE(set.Contains(0));
  const std::vector<uint64_t> ranks = {
      0, 1, 65'535, 65'536, uint64_t{1} << 40, (uint64_t{1} << 40) + 9};
  for (const uint64_t rank : ranks) set.Add(rank);
  for (const uint64_t rank : ranks) EXPECT_TRUE(set.Contains(rank)) << rank;
  for (const uint64_t rank : {2UL, 65'534UL, 65'537UL, 131'072UL, (1UL << 40) + 1, ~0UL}) {
    EXPECT_FALSE(set.Contains(rank)) << rank;
  }
}

}  // namespace
}  // namespace lookalike
