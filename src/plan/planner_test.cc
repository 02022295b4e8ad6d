#include "plan/planner.h"

#include <gtest/gtest.h>

#include <optional>

namespace lookalike {
namespace {

/// Returns a collection in which a third of the documents are near-copies, and unlike documents
/// share little.
CollectionFacts Facts(double documents, double features = 200) {
  CollectionFacts facts;
  facts.records = documents;
  facts.features = features;
  facts.plain_bytes = documents * features * 6;
  Similarity& similarity = facts.similarity;
  similarity.documents = documents;
  similarity.distinct = documents;
  similarity.floor = 0.3;
  similarity.near_pairs[90] = similarity.class_pairs[90] = documents / 3;
  const double all = documents * documents / 2;
  similarity.key_pairs = {all * 1e-2, all * 2e-4, all * 4e-6, all * 1e-7};
  return facts;
}

std::optional<Design> DesignOf(const char* text) { return *ParseDesign(text); }

TEST(PlannerTest, MoreDocumentsCostMoreOfEverything) {
  const auto design = DesignOf("overlapping:128:8:32");
  Prediction last;
  for (double documents = 1000; documents <= 1e8; documents *= 10) {
    const Prediction now = Predict(Facts(documents), {}, {}, design);
    EXPECT_GT(now.cpu_seconds, last.cpu_seconds) << documents;
    EXPECT_GT(now.memory_bytes, last.memory_bytes) << documents;
    EXPECT_GT(now.band_keys, last.band_keys) << documents;
    EXPECT_GT(now.candidates, last.candidates) << documents;
    last = now;
  }
}

TEST(PlannerTest, AHigherRecallNeedsNoLessTime) {
  double last = 0;
  for (const double recall : {.9, .95, .99, .999, .9999}) {
    SearchTerms terms;
    terms.recall = recall;
    const auto designs = CandidateDesigns(terms);
    const auto best = designs[ChooseDesign(Facts(1e6), terms, designs)];
    const Prediction prediction = Predict(Facts(1e6), terms, {}, best);
    EXPECT_GE(prediction.recall_at_threshold, recall);
    EXPECT_GE(prediction.cpu_seconds, last) << recall;
    last = prediction.cpu_seconds;
  }
}

TEST(PlannerTest, EveryCandidateDesignReachesTheRecallAndTheExactJoinIsTheLast) {
  SearchTerms terms;
  const auto designs = CandidateDesigns(terms);
  ASSERT_GE(designs.size(), 5u);
  EXPECT_FALSE(designs.back().has_value());
  for (const auto& design : designs) {
    EXPECT_TRUE(Predict(Facts(1000), terms, {}, design).reaches_recall);
  }
}

TEST(PlannerTest, WhereNoDesignReachesTheRecallTheExactJoinIsLeft) {
  SearchTerms terms;
  terms.threshold = .05;
  terms.recall = .9999;
  terms.coordinates = 16;
  const auto designs = CandidateDesigns(terms);
  ASSERT_EQ(designs.size(), 1u);
  EXPECT_EQ(ChooseDesign(Facts(1000), terms, designs), 0u);
}

TEST(PlannerTest, TheExactJoinIsForFewShortDocumentsAndBandsForMany) {
  const auto bands = DesignOf("overlapping:128:8:32");
  const auto seconds = [](const CollectionFacts& facts, const std::optional<Design>& design) {
    return Predict(facts, {}, {}, design).cpu_seconds;
  };
  EXPECT_LT(seconds(Facts(1000, 5), std::nullopt), seconds(Facts(1000, 5), bands));
  EXPECT_GT(seconds(Facts(1e6), std::nullopt), seconds(Facts(1e6), bands));
}

TEST(PlannerTest, ShortKeysAreDearWhereUnlikeDocumentsShareThem) {
  CollectionFacts facts = Facts(1e6);
  SearchTerms terms;
  const auto designs = CandidateDesigns(terms);
  const auto rows = [&] { return designs[ChooseDesign(facts, terms, designs)]->rows; };
  facts.similarity.key_pairs = {};
  const uint32_t apart = rows();
  const double all = 1e12 / 2;
  facts.similarity.key_pairs = {all * .2, all * .04, all * .008, all * .0016};
  EXPECT_GT(rows(), apart);
}

TEST(PlannerTest, AFewDocumentsMoreChooseTheSame) {
  SearchTerms terms;
  const auto designs = CandidateDesigns(terms);
  EXPECT_EQ(ChooseDesign(Facts(1 << 20), terms, designs),
            ChooseDesign(Facts((1 << 21) - 1), terms, designs));
  EXPECT_NEAR(RoundedDown(Facts(1000)).similarity.documents, 512, 1e-6);
  EXPECT_NEAR(RoundedDown(Facts(1024)).similarity.documents, 1024, 1e-6);
}

TEST(PlannerTest, WhatDoesNotFitGoesToDisk) {
  const auto design = DesignOf("overlapping:128:8:32");
  MemoryBounds bounds{
      .total = 64 << 20, .held = 10 << 20, .engine = 20 << 20, .work = 6 << 20, .batches = 2};
  const Prediction small = Predict(Facts(100), {}, bounds, design);
  EXPECT_EQ(small.disk_bytes, 0);
  const Prediction large = Predict(Facts(1e6), {}, bounds, design);
  EXPECT_GT(large.disk_bytes, 1e6 * 32 * 12) << "the keys alone";
  EXPECT_LE(large.memory_bytes, static_cast<double>(bounds.total));
  EXPECT_GT(large.cpu_seconds, Predict(Facts(1e6), {}, {}, design).cpu_seconds);
  EXPECT_TRUE(large.fits);
  EXPECT_FALSE(Predict(Facts(1e6), {}, bounds, std::nullopt).fits) << "it keeps all features";
}

TEST(PlannerTest, ATemplateMakesFewCandidatesWhereItsBucketsAreLarge) {
  CollectionFacts facts = Facts(1e5);
  const double all = 1e10 / 2;
  facts.similarity.class_pairs[50] = facts.similarity.near_pairs[50] = all;
  facts.similarity.key_pairs = {all * .5, all * .25, all * .125, all * .06};
  SearchTerms terms;
  terms.agreement_floor = 85;
  terms.leaders = 1;
  const auto design = DesignOf("overlapping:128:3:7");
  const double large = Predict(facts, terms, {}, design).candidates;
  terms.small = UINT64_MAX;
  EXPECT_LT(large, Predict(facts, terms, {}, design).candidates);
}

/// Returns documents of one template, of which many are near the threshold.
CollectionFacts TemplateFacts(double documents) {
  CollectionFacts facts = Facts(documents, 36);
  const double all = documents * documents / 2;
  facts.similarity.class_pairs[60] = all;
  facts.similarity.class_pairs[85] = facts.similarity.near_pairs[85] = all / 40;
  facts.similarity.key_pairs = {all * .6, all * .36, all * .22, all * .13};
  return facts;
}

TEST(PlannerTest, SortedPairsGoToFilesEvenIfAllElseFits) {
  const auto design = DesignOf("overlapping:128:6:16");
  const MemoryBounds bounds{
      .total = 256 << 20, .held = 90 << 20, .engine = 180 << 20, .work = 60 << 20, .batches = 2};
  const CollectionFacts facts = TemplateFacts(1e5);
  const Prediction prediction = Predict(facts, {}, bounds, design);
  // Measured: 894 MB of 18.9 million candidates of such a collection, 530 MB of 14.2 million.
  EXPECT_NEAR(prediction.candidates, 1e5 * 16 * 9, 1);
  EXPECT_GT(prediction.disk_bytes, 450e6);
  EXPECT_LT(prediction.disk_bytes, 1000e6);
  EXPECT_EQ(Predict(TemplateFacts(1e4), {}, bounds, design).disk_bytes, 0);
}

TEST(PlannerTest, MergedShinglesAreHeldWhileThereIsRoom) {
  MemoryBounds bounds{
      .total = 1 << 30, .held = 470 << 20, .engine = 940 << 20, .work = 313 << 20, .batches = 5};
  CollectionFacts facts = Facts(1000);
  facts.merge = MergeWork{.records = 2e7, .id_pairs = 1e7};
  const Prediction held = Predict(facts, {}, bounds, std::nullopt);
  EXPECT_EQ(held.disk_bytes, 0);
  // Measured of a merge of this size: 660 MB.
  EXPECT_NEAR(held.memory_bytes, 660e6, 60e6);
  facts.merge->records *= 2;
  EXPECT_NEAR(Predict(facts, {}, bounds, std::nullopt).disk_bytes, 5e7 * 16, 1e6);
}

TEST(PlannerTest, WhereAllPairsAreWantedNoDocumentStandsForOthers) {
  const auto design = DesignOf("overlapping:128:6:16");
  SearchTerms terms;
  terms.all_pairs = true;
  EXPECT_GT(Predict(TemplateFacts(1e5), terms, {}, design).candidates, 1e10 / 2 / 40 * .98);
}

TEST(PlannerTest, ARunThatExpectsTooMuchWritesAllOfItToFiles) {
  const auto design = DesignOf("overlapping:128:8:32");
  MemoryBounds bounds{
      .total = 8ULL << 30, .held = 1U << 30, .engine = 2ULL << 30, .work = 1U << 30, .batches = 2};
  EXPECT_EQ(Predict(Facts(1e4), {}, bounds, design).disk_bytes, 0);
  bounds.size = {1e4, 2e9};  // by the bytes of the inputs alone
  EXPECT_GT(Predict(Facts(1e4), {}, bounds, design).disk_bytes, 1e4 * 32 * 12);
  EXPECT_GT(RunBytes(bounds.size, {}, design), RunBytes(bounds.size, {}, std::nullopt));
}

TEST(PlannerTest, ColumnarInputsTakeTheirLargestRowGroupMore) {
  const auto design = DesignOf("overlapping:128:8:32");
  CollectionFacts facts = Facts(1e4);
  const double lines = Predict(facts, {}, {}, design).memory_bytes;
  facts.columnar = true;
  const double columnar = Predict(facts, {}, {}, design).memory_bytes;
  facts.group_bytes = 3e8;
  EXPECT_GT(columnar, lines);
  EXPECT_NEAR(Predict(facts, {}, {}, design).memory_bytes - columnar, 3e8, 1e6);
}

TEST(PlannerTest, RecallIsThatOfThePairsThereAre) {
  CollectionFacts facts = Facts(1000);
  const auto design = DesignOf("bands:20x5");
  const double at_90 = Predict(facts, {}, {}, design).recall;
  EXPECT_NEAR(at_90, Acceptance(*design, .9), 1e-9);
  facts.similarity.near_pairs[80] = 1000;
  EXPECT_LT(Predict(facts, {}, {}, design).recall, at_90);
  facts.similarity.near_pairs = {};
  EXPECT_NEAR(Predict(facts, {}, {}, design).recall, Acceptance(*design, .8), 1e-9)
      << "without pairs, what a pair at the threshold would have";
}

TEST(PlannerTest, AnEmptyCollectionCostsAStart) {
  const Prediction prediction = Predict(CollectionFacts(), {}, {}, DesignOf("bands:20x5"));
  EXPECT_GT(prediction.cpu_seconds, 0);
  EXPECT_LT(prediction.cpu_seconds, 1);
  EXPECT_EQ(prediction.candidates, 0);
}

}  // namespace
}  // namespace lookalike
