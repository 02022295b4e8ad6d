#include "search/recall.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <random>
#include <vector>

#include "engine/small_workspace.h"

namespace lookalike {
namespace {

using Draw = std::function<SampleCount(std::mt19937_64*)>;

double Uniform(std::mt19937_64* random) { return static_cast<double>((*random)() >> 11) * 0x1p-53; }

/// Returns `pairs` pairs, each of which was found with probability `recall`.
SampleCount Independent(uint64_t pairs, double recall, std::mt19937_64* random) {
  SampleCount count;
  for (uint64_t i = 0; i < pairs; ++i) {
    count.pairs += 1;
    count.found += Uniform(random) < recall ? 1 : 0;
  }
  return count;
}

/// Returns `pairs` pairs that were all found or all missed.
SampleCount AllOrNothing(uint64_t pairs, double recall, std::mt19937_64* random) {
  const auto all = static_cast<double>(pairs);
  return {all, Uniform(random) < recall ? all : 0};
}

/// Returns 1, 2, 3, ... with halving probability.
uint64_t Geometric(std::mt19937_64* random) {
  uint64_t value = 1;
  while ((*random)() % 2 == 0) ++value;
  return value;
}

/// Returns the share of simulated audits of `documents` samples whose interval holds `truth`.
double Coverage(const Draw& draw, size_t documents, double truth) {
  constexpr int kAudits = 2000;
  std::mt19937_64 random(documents);
  int holds = 0;
  std::vector<SampleCount> counts(documents);
  for (int audit = 0; audit < kAudits; ++audit) {
    for (SampleCount& count : counts) count = draw(&random);
    const RecallAudit result = EstimateRecall(counts, .95);
    if (!result.low || !result.high) {
      ++holds;  // no pair in the sample: nothing was claimed
      continue;
    }
    holds += *result.low <= truth && truth <= *result.high;
  }
  return static_cast<double>(holds) / kAudits;
}

struct Scenario {
  const char* name;
  Draw draw;
  double truth;
};

std::vector<Scenario> Scenarios() {
  std::vector<Scenario> all;
  for (const double recall : {.5, .8, .9, .95, .99, .999, 1.}) {
    all.push_back({"one pair each", [=](auto* r) { return Independent(1, recall, r); }, recall});
    all.push_back({"several independent pairs",
                   [=](auto* r) { return Independent(Geometric(r), recall, r); }, recall});
    all.push_back({"several pairs found or missed together",
                   [=](auto* r) { return AllOrNothing(Geometric(r), recall, r); }, recall});
    all.push_back({"clusters of 1 to 40, found or missed together",
                   [=](auto* r) { return AllOrNothing(1 + (*r)() % 40, recall, r); }, recall});
    all.push_back({"nine in ten documents have no pair",
                   [=](auto* r) { return Independent((*r)() % 10 == 0 ? 2 : 0, recall, r); },
                   recall});
  }
  return all;
}

// 2000 audits measure a coverage of .95 to .005; four such errors are allowed below it.
constexpr double kLeastCoverage = .95 - 4 * .005;

TEST(EstimateRecallTest, IntervalsHoldTheTruthNineteenTimesOfTwenty) {
  for (const Scenario& scenario : Scenarios()) {
    for (const size_t documents : {30, 200, 1000}) {
      EXPECT_GE(Coverage(scenario.draw, documents, scenario.truth), kLeastCoverage)
          << scenario.name << ", recall " << scenario.truth << ", " << documents << " documents";
    }
  }
}

// A few documents have most pairs: cluster sizes as on the web, where 1/n of the clusters have more
// than n members.
TEST(EstimateRecallTest, IntervalsHoldWhereFewDocumentsHaveMostPairs) {
  const Draw power_law = [](std::mt19937_64* random) {
    const double size = std::min(200., 1 / (Uniform(random) + 1e-9));
    return AllOrNothing(static_cast<uint64_t>(size), .95, random);
  };
  const Draw giants = [](std::mt19937_64* random) {
    if ((*random)() % 100 == 0) return AllOrNothing(500, .8, random);
    return Independent(1, .99, random);
  };
  const double truth_of_giants = (.01 * 500 * .8 + .99 * .99) / (.01 * 500 + .99);
  for (const size_t documents : {200, 1000, 5000}) {
    EXPECT_GE(Coverage(power_law, documents, .95), kLeastCoverage) << documents;
    if (documents < 1000) continue;  // most samples of 200 hold one giant or none
    EXPECT_GE(Coverage(giants, documents, truth_of_giants), kLeastCoverage) << documents;
  }
}

TEST(EstimateRecallTest, NothingSampledClaimsNothing) {
  for (const std::vector<SampleCount>& counts :
       {std::vector<SampleCount>{}, std::vector<SampleCount>(100)}) {
    const RecallAudit audit = EstimateRecall(counts, .99);
    EXPECT_FALSE(audit.estimate || audit.low || audit.high);
    EXPECT_EQ(audit.sampled_documents, counts.size());
    EXPECT_EQ(audit.sampled_pairs, 0u);
  }
}

TEST(EstimateRecallTest, AllFoundIsNotCertainty) {
  const RecallAudit few = EstimateRecall(std::vector<SampleCount>(3, {1, 1}), .99);
  const RecallAudit many = EstimateRecall(std::vector<SampleCount>(3000, {1, 1}), .99);
  EXPECT_EQ(*few.estimate, 1);
  EXPECT_EQ(*few.high, 1);
  EXPECT_LT(*few.low, .6);
  EXPECT_GT(*many.low, .998);
  EXPECT_TRUE(many.met);
}

TEST(EstimateRecallTest, MetIsFalseOnlyWhereEvenTheUpperEndIsBelow) {
  std::vector<SampleCount> counts(1000, {1, 1});
  for (size_t i = 0; i < 100; ++i) counts[i].found = 0;
  const RecallAudit below = EstimateRecall(counts, .99);
  EXPECT_DOUBLE_EQ(*below.estimate, .9);
  EXPECT_FALSE(below.met);
  EXPECT_EQ(below.sampled_pairs, 1000u);
  EXPECT_TRUE(EstimateRecall(counts, .91).met) << "within the interval";
}

TEST(EstimateRecallTest, MetAtTheUpperEndItself) {
  std::vector<SampleCount> counts(100, {1, 1});
  for (size_t i = 0; i < 10; ++i) counts[i].found = 0;
  const double high = *EstimateRecall(counts, .5).high;
  EXPECT_TRUE(EstimateRecall(counts, high).met);
  EXPECT_FALSE(EstimateRecall(counts, std::nextafter(high, 1.)).met);
}

// If all missed pairs belong to documents with many pairs, the estimate varies more than the sizes
// of the samples alone suggest.
TEST(EstimateRecallTest, MissesOfLargeClustersWidenBothEnds) {
  std::vector<SampleCount> counts(1000, {1, 1});
  counts.insert(counts.end(), 20, {10, 0});
  const RecallAudit audit = EstimateRecall(counts, .99);
  EXPECT_DOUBLE_EQ(*audit.estimate, 1000. / 1200);
  EXPECT_NEAR(*audit.low, .833 - 1.96 * .0314, .003);
  EXPECT_NEAR(*audit.high, .833 + 1.96 * .0314, .003);
}

// --- MeasureRecall ------------------------------------------------------------------------------

class MeasureRecallTest : public WorkspaceTest {
 protected:
  void SetUp() override {
    WorkspaceTest::SetUp();
    workspace_ = Ample();
    job_.options.threshold = .8;
    job_.options.recall = .99;
    SetCollections(0, 6, &job_, &search_);
    // Six documents in reverse keep order (rank = 5 - document), of which 4, 0 and 1 are sampled.
    search_.ranking = RankingOf({5, 4, 3, 2, 1, 0});
    search_.classes.sampled = {1, 5, 4};
    // Found: (0, 2) and (4, 5). Missed: (1, 3), and (0, 3).
    search_.edges = EdgesOf({{0, 1, 8, 9, 9}, {3, 5, 8, 9, 9}}, 2, workspace_.get());
    search_.sample = {All({Hit(0, 5)}), All({Hit(1, 2), Hit(1, 3)}), All({{0, 3, 2, 10, 10, 10}})};
  }

  static AuditHit Hit(uint32_t sample, DocNumber doc) { return {0, doc, sample, 8, 9, 9}; }

  /// Returns a sampled document all of whose partners were kept.
  static AuditHits::OfSample All(std::vector<AuditHit> hits) {
    AuditHits::OfSample all;
    all.hits = std::move(hits);
    return all;
  }

  MeasuredRecall Measure(const Decisions* decisions = nullptr) const {
    return Got(MeasureRecall(job_, search_, decisions));
  }

  /// Returns decisions that remove these documents.
  static Decisions Removing(const std::vector<DocNumber>& docs) {
    Decisions decisions;
    decisions.removed = Bitmap(6);
    for (const DocNumber doc : docs) decisions.removed.Set(doc);
    return decisions;
  }

  std::unique_ptr<Workspace> workspace_;
  Job job_;
  SearchResult search_;
};

TEST_F(MeasureRecallTest, AnEdgeIsAFoundPair) {
  const MeasuredRecall measured = Measure();
  EXPECT_EQ(measured.audit.sampled_documents, 3u);
  EXPECT_EQ(measured.audit.sampled_pairs, 4u);
  EXPECT_DOUBLE_EQ(*measured.audit.estimate, .5);
  EXPECT_DOUBLE_EQ(*measured.audit.matched, .5);
  EXPECT_DOUBLE_EQ(measured.audit.asked, .99);
  ASSERT_EQ(measured.points.size(), 10u);
  EXPECT_EQ(measured.points[0].pairs, 3u) << "8 of 10 is in the first range";
  EXPECT_EQ(measured.points[0].found, 2u);
  EXPECT_EQ(measured.points[9].pairs, 1u) << "1.0 is in the last range";
  EXPECT_EQ(measured.points[9].found, 0u);
  EXPECT_DOUBLE_EQ(measured.points[9].to, 1);
}

// .82 - .8 is a little less than the width of a range.
TEST_F(MeasureRecallTest, AResemblanceOnABoundIsInTheRangeThatBeginsThere) {
  search_.sample = {All({{0, 5, 0, 41, 45, 46}}), {}, {}};
  const MeasuredRecall measured = Measure();
  EXPECT_EQ(measured.points.at(0).pairs, 0u);
  EXPECT_EQ(measured.points.at(1).pairs, 1u);
}

TEST_F(MeasureRecallTest, APairOfWhichADocumentWentCountsAsFound) {
  const Decisions all = Removing({0, 3, 4});
  EXPECT_DOUBLE_EQ(*Measure(&all).audit.estimate, 1) << "(1, 3) too: 3 went for something else";
  EXPECT_DOUBLE_EQ(*Measure(&all).audit.matched, .5) << "two of them by luck";
  EXPECT_EQ(Measure(&all).audit.left_over, 0u);
  const Decisions some = Removing({0, 4});
  EXPECT_DOUBLE_EQ(*Measure(&some).audit.estimate, .75);
  EXPECT_EQ(Measure(&some).audit.left_over, 1u) << "1 and 3 both stay";
}

// Most candidates of a removed document are never checked; they still count as found.
TEST_F(MeasureRecallTest, WhereThereAreCandidatesTheyAreWhatWasFound) {
  search_.candidates = {RunOf<CandidatePair>({{0, 1}, {3, 5}}, workspace_.get()),
                        RunOf<CandidatePair>({{2, 5}, {3, 5}}, workspace_.get())};
  const MeasuredRecall measured = Measure();
  EXPECT_DOUBLE_EQ(*measured.audit.matched, .75) << "(0, 3) too";
  EXPECT_DOUBLE_EQ(*measured.audit.estimate, .75);
  EXPECT_EQ(measured.points[0].found, 3u);
  EXPECT_EQ(measured.points[9].found, 0u);
}

// A sampled document has more partners than kept hits.
TEST_F(MeasureRecallTest, KeptHitsStandForAllPartners) {
  search_.sample[1].weight = 1000;
  const MeasuredRecall measured = Measure();
  EXPECT_DOUBLE_EQ(*measured.audit.estimate, (1 + 1000.) / (1 + 2000 + 1));
  EXPECT_EQ(measured.audit.sampled_pairs, 4u) << "those that were looked at";
  EXPECT_EQ(measured.points[0].pairs, 3u);
  const Decisions decisions = Removing({2, 4});
  EXPECT_EQ(Measure(&decisions).audit.left_over, 1000u + 1) << "(0, 3) stands for a thousand";
}

// Among documents that only share a template, some stand for all.
TEST_F(MeasureRecallTest, HitsOnATemplateHaveAWeightOfTheirOwn) {
  search_.sample[1].hits[1].on_template = 1;  // the missed hit of the two
  search_.sample[1].template_weight = 97;
  EXPECT_DOUBLE_EQ(*Measure().audit.estimate, (1 + 1.) / (1 + 1 + 97 + 1));
}

// Weights that are not whole numbers round differently in another order.
TEST_F(MeasureRecallTest, WhereAllWasFoundTheShareIsOne) {
  search_.sample = {All({Hit(0, 5)}), All({Hit(1, 2)}), {}};
  for (int i = 0; i < 100; ++i) {
    search_.sample[0].weight = 1 + i / 7.;
    search_.sample[1].weight = 3 + i / 3.;
    EXPECT_EQ(*Measure().audit.matched, 1.0) << i;
  }
}

TEST_F(MeasureRecallTest, APairOfTwoSampledDocumentsIsCountedOnce) {
  search_.sample = {{}, All({Hit(1, 1)}), All({Hit(2, 0)})};  // 0 and 1, from both
  const Decisions none = Removing({});
  const MeasuredRecall measured = Measure(&none);
  EXPECT_EQ(measured.audit.sampled_pairs, 1u);
  EXPECT_EQ(measured.audit.left_over, 1u);
  EXPECT_DOUBLE_EQ(*measured.audit.estimate, 0);
}

TEST_F(MeasureRecallTest, PairsThatAreNotAskedForDoNotCount) {
  // Documents 0 to 2, by rank and by number, are now the reference's; 1, 5 and 4 are sampled.
  search_ = SearchResult();
  job_.rules.all_pairs = true;
  SetCollections(3, 6, &job_, &search_);
  search_.classes.sampled = {1, 5, 4};
  search_.edges = EdgesOf({{1, 3, 8, 9, 9}}, 1, workspace_.get());
  search_.sample = {All({Hit(0, 0), Hit(0, 3)}), All({Hit(1, 4)}), All({Hit(2, 2), Hit(2, 5)})};
  const MeasuredRecall across = Measure();
  EXPECT_EQ(across.audit.sampled_pairs, 2u) << "(1, 3) and (2, 4) alone are across";
  EXPECT_DOUBLE_EQ(*across.audit.estimate, .5);
  job_.rules.all_pairs = false;
  const Decisions decisions = Removing({3});
  const MeasuredRecall dedup = Measure(&decisions);
  EXPECT_EQ(dedup.audit.sampled_pairs, 3u) << "(0, 1) is within the reference";
  EXPECT_DOUBLE_EQ(*dedup.audit.estimate, .25) << "(4, 5) is met from both ends";
  EXPECT_EQ(dedup.audit.left_over, 2u);
}

TEST_F(MeasureRecallTest, NoPairsClaimNothing) {
  search_.sample = {{}, {}, {}};
  const MeasuredRecall measured = Measure();
  EXPECT_FALSE(measured.audit.estimate || measured.audit.matched);
  EXPECT_EQ(measured.audit.sampled_documents, 3u);
}

TEST(SayCovered, NothingIsMetOfWhatWasNotSearched) {
  const auto say = [](const RecordCounts& records) {
    RecallAudit audit;
    SayCovered(records, 20, &audit);
    return audit;
  };
  const RecallAudit some = say({.in = 10, .rejected = 2, .too_short = 3, .reference = 4});
  EXPECT_EQ(some.covers.documents, 9u);
  EXPECT_EQ(some.covers.left_out, 3u);
  EXPECT_EQ(some.covers.min_features, 20u);
  EXPECT_TRUE(some.met);
  EXPECT_TRUE(say({}).met);
  EXPECT_TRUE(say({.in = 3, .rejected = 3}).met);
  EXPECT_FALSE(say({.in = 3, .rejected = 1, .too_short = 2, .reference = 9}).met);
  EXPECT_FALSE(say({.in = 3, .too_short_reference = 9, .reference = 9}).met);
  EXPECT_TRUE(say({.in = 3, .too_short_reference = 8, .reference = 9}).met);
}

}  // namespace
}  // namespace lookalike
