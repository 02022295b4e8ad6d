#include "batch/recall.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <vector>

namespace lookalike {
namespace {

using Draw = std::function<SampleCount(std::mt19937_64*)>;

double Uniform(std::mt19937_64* random) { return static_cast<double>((*random)() >> 11) * 0x1p-53; }

/// `pairs` pairs of which each was found with probability `recall`.
SampleCount Independent(uint64_t pairs, double recall, std::mt19937_64* random) {
  SampleCount count;
  for (uint64_t i = 0; i < pairs; ++i) {
    count.pairs += 1;
    count.found += Uniform(random) < recall ? 1 : 0;
  }
  return count;
}

/// `pairs` pairs that were found together or missed together.
SampleCount AllOrNothing(uint64_t pairs, double recall, std::mt19937_64* random) {
  const auto all = static_cast<double>(pairs);
  return {all, Uniform(random) < recall ? all : 0};
}

/// 1, 2, 3, ... with halving probability.
uint64_t Geometric(std::mt19937_64* random) {
  uint64_t value = 1;
  while ((*random)() % 2 == 0) ++value;
  return value;
}

/// Share of simulated audits of `documents` samples whose interval holds `truth`.
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

// A few documents own most pairs: cluster sizes as on the web, where 1/n of the clusters have more
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

// Where all that was missed is of documents with many pairs, the estimate varies more than the
// sizes of the samples alone say.
TEST(EstimateRecallTest, MissesOfLargeClustersWidenBothEnds) {
  std::vector<SampleCount> counts(1000, {1, 1});
  counts.insert(counts.end(), 20, {10, 0});
  const RecallAudit audit = EstimateRecall(counts, .99);
  EXPECT_DOUBLE_EQ(*audit.estimate, 1000. / 1200);
  EXPECT_NEAR(*audit.low, .833 - 1.96 * .0314, .003);
  EXPECT_NEAR(*audit.high, .833 + 1.96 * .0314, .003);
}

// --- MeasureRecall ------------------------------------------------------------------------------

/// Six documents in reverse keep order (rank = 5 - document), of which 0, 1 and 4 are sampled.
SearchResult SixDocuments() {
  SearchResult search;
  search.table.documents = 6;
  AuditReservoir reservoir(3);
  for (DocNumber doc = 0; doc < 6; ++doc) {
    search.order.push_back(5 - doc);
    search.ranks.push_back(5 - doc);
    search.table.streams.push_back({doc == 4 ? 5 : 10 * (doc + 1), 0});
    reservoir.Offer(search.table.streams.back(), {1, 2, 3});
  }
  reservoir.EndSource(0, false);
  search.audit = AuditIndex(reservoir, .8);  // samples by hash: document 4, 0, 1
  // Found: (0, 2) and (4, 5). Missed: (1, 3), and (0, 3).
  search.edges = {{0, 1, 8, 9, 9}, {3, 5, 8, 9, 9}};
  search.hits = {{0, 5, 8, 9, 9}, {1, 2, 8, 9, 9}, {1, 3, 8, 9, 9}, {2, 3, 10, 10, 10}};
  return search;
}

TEST(MeasureRecallTest, AnEdgeIsAFoundPair) {
  const MeasuredRecall measured = MeasureRecall(SixDocuments(), nullptr, .8, .99);
  EXPECT_EQ(measured.audit.sampled_documents, 3u);
  EXPECT_EQ(measured.audit.sampled_pairs, 4u);
  EXPECT_DOUBLE_EQ(*measured.audit.estimate, .5);
  ASSERT_EQ(measured.points.size(), 10u);
  EXPECT_EQ(measured.points[0].pairs, 3u) << "8 of 10 is in the first range";
  EXPECT_EQ(measured.points[0].found, 2u);
  EXPECT_EQ(measured.points[9].pairs, 1u) << "1.0 is in the last range";
  EXPECT_EQ(measured.points[9].found, 0u);
  EXPECT_DOUBLE_EQ(measured.points[9].to, 1);
}

// .82 - .8 is a little less than the width of a range.
TEST(MeasureRecallTest, AResemblanceOnABoundIsInTheRangeThatBeginsThere) {
  SearchResult search = SixDocuments();
  search.hits = {{0, 5, 41, 45, 46}};
  const MeasuredRecall measured = MeasureRecall(search, nullptr, .8, .99);
  EXPECT_EQ(measured.points.at(0).pairs, 0u);
  EXPECT_EQ(measured.points.at(1).pairs, 1u);
}

TEST(MeasureRecallTest, OneWitnessForBothCountsAsFound) {
  Decisions decisions;
  decisions.removed = {true, false, false, true, true, false};
  decisions.removals = {{0, 2, .8, RemovalKind::kNear},
                        {3, 2, .8, RemovalKind::kNear},
                        {4, 5, .8, RemovalKind::kNear}};
  const MeasuredRecall measured = MeasureRecall(SixDocuments(), &decisions, .8, .99);
  EXPECT_DOUBLE_EQ(*measured.audit.estimate, .75) << "(0, 3) went for the same document";
  EXPECT_EQ(measured.audit.left_over, 0u);
  decisions.removed[3] = false;
  decisions.removals.erase(decisions.removals.begin() + 1);
  const MeasuredRecall missed = MeasureRecall(SixDocuments(), &decisions, .8, .99);
  EXPECT_DOUBLE_EQ(*missed.audit.estimate, .5);
  EXPECT_EQ(missed.audit.left_over, 1u) << "1 and 3 both stay";
}

}  // namespace
}  // namespace lookalike
