#include "stages/candidates/containment.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <random>
#include <set>
#include <utility>

#include "measures/threshold.h"

namespace lookalike {
namespace {

using Set = std::set<uint64_t>;
using Pairs = std::set<std::pair<DocNumber, DocNumber>>;

constexpr PairScope kAll;

/// Makes `count` order values that no other set has.
Set Fresh(std::mt19937_64* random, size_t count) {
  Set set;
  while (set.size() < count) set.insert((*random)());
  return set;
}

/// Returns a random part of a set.
Set Some(const Set& of, size_t count, std::mt19937_64* random) {
  Set some;
  std::sample(of.begin(), of.end(), std::inserter(some, some.end()), count, *random);
  return some;
}

/// Returns the least number that is this share of `of`.
size_t Share(double threshold, size_t of) {
  return static_cast<size_t>(std::ceil(threshold * static_cast<double>(of)));
}

void Add(const Set& more, Set* set) { set->insert(more.begin(), more.end()); }

/// Runs the three steps in memory, over sets of order values.
Pairs Candidates(const ContainmentDesign& design, const std::vector<Set>& sets,
                 const PairScope& scope, uint64_t* met = nullptr) {
  std::vector<KeyRecord> keys;
  std::vector<SampleSizes> sizes;
  for (DocNumber doc = 0; doc < sets.size(); ++doc) {
    SampleSizes of_doc = {static_cast<uint32_t>(sets[doc].size()), 0};
    for (const uint64_t order : sets[doc]) {
      if (std::countl_zero(order) < static_cast<int>(design.base())) continue;
      const bool may_look =
          design.LevelOfKey(design.KeyOf(order, false)) >= design.LevelOf(of_doc.features);
      of_doc.sampled += may_look;
      keys.push_back({doc, design.KeyOf(order, may_look)});
    }
    sizes.push_back(of_doc);
  }
  std::sort(keys.begin(), keys.end(), ByKey());
  std::vector<SharedFeature> features;
  const auto keep = [&](const SharedFeature& feature) -> Status {
    features.push_back(feature);
    return {};
  };
  SharedFeatures shared(scope);
  for (const KeyRecord& record : keys) EXPECT_TRUE(shared.Add(record, keep));
  EXPECT_TRUE(shared.Finish(keep));
  std::sort(features.begin(), features.end());
  std::vector<MeetingRecord> records;
  for (size_t begin = 0, end; begin < features.size(); begin = end) {
    const DocNumber doc = features[begin].doc();
    std::vector<uint64_t> of_doc;
    for (end = begin; end < features.size() && features[end].doc() == doc; ++end) {
      of_doc.push_back(features[end].key);
    }
    const auto looks = ChooseLooks(design, sizes[doc], of_doc);
    for (size_t i = 0; i < of_doc.size(); ++i) {
      records.push_back({of_doc[i], doc, sizes[doc].features, looks[i]});
    }
  }
  std::sort(records.begin(), records.end());
  Pairs pairs;
  Meetings meetings(scope);
  for (const MeetingRecord& record : records) {
    EXPECT_TRUE(meetings.Add(record, [&](DocNumber x, DocNumber y) -> Status {
      EXPECT_LE(sets[x].size(), sets[y].size());
      pairs.insert(std::minmax(x, y));
      return {};
    }));
  }
  if (met != nullptr) *met = meetings.count();
  return pairs;
}

Pairs BruteForce(const std::vector<Set>& sets, double threshold, const PairScope& scope) {
  Pairs pairs;
  for (DocNumber d = 0; d < sets.size(); ++d) {
    for (DocNumber a = 0; a < d; ++a) {
      std::vector<uint64_t> common;
      std::ranges::set_intersection(sets[a], sets[d], std::back_inserter(common));
      const AlikeTest test(threshold, Measure::kContainment);
      if (scope.Counts(a, d) && test.Meets(common.size(), sets[a].size(), sets[d].size())) {
        pairs.insert({a, d});
      }
    }
  }
  return pairs;
}

/// Counts the pairs of `some` that are among `others`.
size_t CountIn(const Pairs& some, const Pairs& others) {
  return static_cast<size_t>(
      std::count_if(some.begin(), some.end(), [&](const auto& p) { return others.contains(p); }));
}

/// Makes sets of all sizes below 128, many of which are contained in others, some by exactly the
/// threshold; one value is in all, and one in half of them.
std::vector<Set> HostileSets(uint64_t seed, double threshold) {
  std::mt19937_64 random(seed);
  const Set pool = Fresh(&random, 300);
  std::vector<Set> sets;
  for (int i = 0; i < 60; ++i) {
    const size_t size = 1 + random() % 100;
    Set set = random() % 2 == 0 ? Some(pool, size, &random) : Fresh(&random, size);
    if (!sets.empty() && random() % 2 == 0) {
      const Set& other = sets[random() % sets.size()];
      const auto common = Share(threshold, other.size());
      set = Some(other, random() % 3 == 0 ? other.size() : common, &random);
      Add(Fresh(&random, random() % 2 == 0 ? 0 : other.size() - common), &set);
    }
    if (random() % 8 == 0 && !sets.empty()) set = sets[random() % sets.size()];
    if (set.size() > 120) set = Some(set, 120, &random);
    if (random() % 2 == 0) set.insert(7);
    set.insert(5);
    sets.push_back(std::move(set));
  }
  return sets;
}

TEST(ContainmentTest, ShortDocumentsMissNothing) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    for (const double threshold : {.3, .5, .8, 1.}) {
      const auto sets = HostileSets(seed, threshold);
      const ContainmentDesign design(threshold, .9, 1);
      for (const PairScope scope : {kAll, PairScope{20, true}}) {
        const Pairs truth = BruteForce(sets, threshold, scope);
        const Pairs found = Candidates(design, sets, scope);
        EXPECT_EQ(CountIn(truth, found), truth.size()) << seed << " at " << threshold;
        for (const auto& [a, d] : found) ASSERT_TRUE(scope.Counts(a, d)) << a << ", " << d;
      }
    }
  }
}

TEST(ContainmentTest, NeededOfAllFeaturesIsTheTest) {
  const ContainmentDesign design(.8, .99, 1);
  for (uint32_t features = 1; features < 100; ++features) {
    const AlikeTest test(.8, Measure::kContainment);
    const uint64_t needed = design.Needed(features, features);
    EXPECT_TRUE(test.Meets(needed, features, 1000)) << features;
    EXPECT_FALSE(test.Meets(needed - 1, features, 1000)) << features;
  }
}

// Grows by at most one with each sample, both within the table of the usual numbers and beyond it.
TEST(ContainmentTest, NeededOfSamplesGrowsSteadily) {
  const ContainmentDesign design(.8, .99, 1);
  for (uint32_t sampled = 0; sampled < 600; ++sampled) {
    const uint32_t needed = design.Needed(100'000, sampled);
    EXPECT_GE(needed, 1U);
    EXPECT_LE(needed, std::max(1U, sampled));
    const uint32_t next = design.Needed(100'000, sampled + 1);
    EXPECT_TRUE(next == needed || next == needed + 1) << sampled;
  }
}

/// Measures recall with planted pairs: the smaller document has `features`, of which the larger has
/// exactly the threshold's share.
double MeasuredRecall(const ContainmentDesign& design, double threshold, size_t features) {
  constexpr size_t kPairs = 800;
  std::mt19937_64 random(features);
  std::vector<Set> sets;
  for (size_t i = 0; i < kPairs; ++i) {
    sets.push_back(Fresh(&random, features));
    Set larger = Fresh(&random, features / 2);
    Add(Some(sets.back(), Share(threshold, features), &random), &larger);
    sets.push_back(std::move(larger));
    Add(Fresh(&random, features), &sets.back());
  }
  const Pairs found = Candidates(design, sets, kAll);
  size_t count = 0;
  for (DocNumber i = 0; i < kPairs; ++i) count += found.contains({2 * i, 2 * i + 1});
  return static_cast<double>(count) / kPairs;
}

// Four standard errors of 800 pairs at .99 are .014.
TEST(ContainmentTest, RecallIsWhatWasAskedFor) {
  for (const double threshold : {.5, .8, .95}) {
    const ContainmentDesign all(threshold, .99, 1), sampled(threshold, .99, 200);
    EXPECT_EQ(all.base(), 0U);
    EXPECT_GT(sampled.base(), 0U) << "else nothing is spared";
    for (const size_t features : {200, 260}) {
      EXPECT_GE(all.Recall(features), .99);
      EXPECT_GE(sampled.Recall(features), .99);
      EXPECT_GE(MeasuredRecall(all, threshold, features), .976) << features;
      EXPECT_GE(MeasuredRecall(sampled, threshold, features), .976) << features;
    }
  }
}

TEST(ContainmentTest, RecallIsALowerBound) {
  const ContainmentDesign design(.8, .9, 200);
  for (const size_t features : {20, 40, 80, 200, 500}) {
    EXPECT_GE(MeasuredRecall(design, .8, features), design.Recall(features) - .03) << features;
  }
  EXPECT_LT(design.Recall(20), .99) << "a quarter of 20 features is not enough";
}

TEST(ContainmentTest, LowThresholdsTakeLargerSamples) {
  const ContainmentDesign usual(.8, .99, 1), low(.02, .99, 1), sure(.5, .9999, 1);
  EXPECT_GT(usual.LevelOf(100'000), low.LevelOf(100'000));
  EXPECT_GE(low.Recall(100'000), .99);
  EXPECT_GE(sure.Recall(100'000), .9999);
}

// A text that is in all documents makes no candidates if each has enough features of its own: they
// look by their rarest features.
TEST(ContainmentTest, TemplatesMakeNoCandidates) {
  for (const size_t own : {40, 4000}) {
    std::mt19937_64 random(own);
    const Set common = Fresh(&random, own);
    std::vector<Set> sets;
    for (int i = 0; i < 200; ++i) {
      sets.push_back(Fresh(&random, own));
      Add(common, &sets.back());
    }
    sets.push_back(Some(sets[3], sets[3].size() * 9 / 10, &random));
    uint64_t met = 0;
    const Pairs found = Candidates(ContainmentDesign(.8, .99, 1), sets, kAll, &met);
    EXPECT_EQ(found, (Pairs{{3, 200}})) << own;
    EXPECT_LT(met, 100U);
  }
}

TEST(ContainmentTest, PairsOfLongDocumentsMeetSomeDozensOfTimes) {
  std::mt19937_64 random(1);
  const Set one = Fresh(&random, 100'000);
  uint64_t met = 0;
  EXPECT_EQ(Candidates(ContainmentDesign(.8, .99, 1), {one, one}, kAll, &met), (Pairs{{0, 1}}));
  EXPECT_LT(met, 64U);
}

// One key has more documents than are held.
TEST(ContainmentTest, KeysOfVeryManyDocumentsAreGivenForEachOfThem) {
  constexpr uint64_t kDocuments = 3 * SharedFeature::kMostCounted;
  SharedFeatures shared({1, true});
  uint64_t given = 0, next = 0;
  const auto take = [&](const SharedFeature& feature) -> Status {
    EXPECT_EQ(feature.key, 8U) << "without the flag";
    EXPECT_EQ(feature.doc(), next++);
    ++given;
    return {};
  };
  for (DocNumber doc = 0; doc < kDocuments; ++doc) EXPECT_TRUE(shared.Add({doc, 9}, take));
  EXPECT_TRUE(shared.Finish(take));
  EXPECT_EQ(given, kDocuments);
  EXPECT_TRUE(shared.Add({2, 10}, [](const SharedFeature&) { return Status(InputError("none")); }));
  EXPECT_TRUE(
      shared.Finish([](const SharedFeature&) { return Status(InputError("of one side")); }));
}

// It is enough that one of them looks, whichever it is.
TEST(ContainmentTest, OneOfVeryManyThatLooksIsEnough) {
  constexpr uint64_t kDocuments = SharedFeature::kMostCounted + 2;
  SharedFeatures shared({0, false});
  uint64_t given = 0;
  const auto take = [&](const SharedFeature&) -> Status {
    ++given;
    return {};
  };
  for (DocNumber doc = 0; doc + 1 < kDocuments; ++doc) EXPECT_TRUE(shared.Add({doc, 8}, take));
  EXPECT_TRUE(shared.Add({kDocuments - 1, 9}, take));
  EXPECT_TRUE(shared.Finish(take));
  EXPECT_EQ(given, kDocuments);
}

TEST(ContainmentTest, OthersAreThoseThatMakeAPair) {
  std::vector<uint64_t> others;
  const auto take = [&](const SharedFeature& feature) -> Status {
    others.push_back(feature.doc_and_others & SharedFeature::kMostCounted);
    return {};
  };
  SharedFeatures across({2, true});
  for (const DocNumber doc : {0, 1, 2, 3, 4}) EXPECT_TRUE(across.Add({doc, 4U + doc % 2}, take));
  EXPECT_TRUE(across.Finish(take));
  EXPECT_EQ(others, (std::vector<uint64_t>{3, 3, 2, 2, 2}));
  for (const DocNumber doc : {0, 3}) EXPECT_TRUE(across.Add({doc, 6}, take));
  EXPECT_TRUE(across.Finish(take));
  EXPECT_EQ(others.size(), 5U) << "nobody looks by it";
}

// Short texts look by all of their features, longer texts by 64 to 127 of them; the stored sample
// is as small as the promised recall allows.
TEST(ContainmentTest, SamplesFitTheSizeOfTheDocument) {
  const ContainmentDesign all(0.8, 0.99, 1);
  EXPECT_EQ(all.Name(), "fracminhash:1");
  for (const auto& [features, level] :
       {std::pair(20, 0U), {127, 0U}, {128, 1U}, {255, 1U}, {256, 2U}, {100'000, 10U}}) {
    EXPECT_EQ(all.LevelOf(static_cast<uint64_t>(features)), level) << features;
  }
  const ContainmentDesign large(0.8, 0.99, 200);
  EXPECT_EQ(large.Name(), "fracminhash:8");
  EXPECT_EQ(large.LevelOf(20), 3U);
  EXPECT_EQ(ContainmentDesign(0.8, 0.99, 400).Name(), "fracminhash:16");
}

}  // namespace
}  // namespace lookalike
