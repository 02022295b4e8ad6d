#include "search/verify_pass.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "engine/random_corpus.h"
#include "engine/small_workspace.h"

namespace lookalike {
namespace {

/// Verifies candidates with all sets at hand.
Result<VerifiedEdges> VerifyCandidates(const Job& job, const Ranking& ranking,
                                       const PairRuns& pairs, const StoredSets& sets,
                                       const Observer& observer, Workspace* workspace) {
  DocumentUnits units;
  units.documents = sets.wanted().size();
  const Bitmap reps;
  PairVerification verification({job, units, ranking, reps, observer, workspace}, pairs);
  LOOKALIKE_RETURN_IF_ERROR(verification.CheckRest(sets));
  return verification.Take();
}

using VerifyPassTest = WorkspaceTest;

TEST_F(VerifyPassTest, EdgesAreThePairsAtOrAboveTheThresholdWhateverFitsMemory) {
  std::mt19937_64 random(1);
  size_t edges = 0;
  for (int i = 0; i < 100; ++i) {
    const Corpus corpus = RandomCorpus(&random);
    Job job;
    job.rules.all_pairs = i % 2 == 0;
    if (!job.rules.all_pairs) job.choices.cluster = Clustering::kComponents;
    const double thresholds[] = {.1, .3, .5, .8, 1};
    job.options.threshold = thresholds[random() % std::size(thresholds)];
    const auto expected = PlainEdges(corpus, corpus.pairs, job.options.threshold);
    // Memory for a single set, for a few, and for all.
    for (const uint64_t work : {uint64_t{16}, uint64_t{6'000}, kAmpleMemory}) {
      const auto workspace = Tiny(work);
      const StoredSets sets = SetsOf(corpus.sets, corpus.documents, workspace.get());
      const PairRuns pairs = {RunOf(corpus.pairs, workspace.get())};
      std::vector<uint64_t> done;
      Observer observer;
      observer.progress = [&](const Progress& progress) { done.push_back(progress.done); };
      const VerifiedEdges verified =
          Got(VerifyCandidates(job, corpus.ranking, pairs, sets, observer, workspace.get()));
      ASSERT_EQ(RowsOf(verified), expected) << "corpus " << i << ", " << work << " bytes";
      if (!corpus.pairs.empty() && !corpus.ranking.order.empty()) {
        ASSERT_FALSE(done.empty());
        EXPECT_EQ(done.back(), corpus.pairs.size());
      }
    }
    edges += expected.size();
  }
  EXPECT_GT(edges, 1'000u);
}

/// Returns the edges that remove a document, by the definition of the kept set.
std::vector<Row> PlainRemovals(const std::vector<Row>& edges) {
  std::vector<Row> removals;
  std::set<Rank> removed;
  for (const Row& edge : edges) {
    if (removed.contains(std::get<0>(edge)) || !removed.insert(std::get<1>(edge)).second) continue;
    removals.push_back(edge);
  }
  return removals;
}

// If only the kept set is wanted, pairs of removed documents are skipped.
TEST_F(VerifyPassTest, OnlyEdgesThatRemoveADocumentAreKeptWhereNoOthersMatter) {
  std::mt19937_64 random(4);
  size_t edges = 0;
  for (int i = 0; i < 100; ++i) {
    const Corpus corpus = RandomCorpus(&random);
    Job job;
    job.options.threshold = .1 + .1 * static_cast<double>(random() % 7);
    const auto expected = PlainRemovals(PlainEdges(corpus, corpus.pairs, job.options.threshold));
    for (const uint64_t work : {uint64_t{16}, uint64_t{6'000}, kAmpleMemory}) {
      const auto workspace = Tiny(work);
      const StoredSets sets = SetsOf(corpus.sets, corpus.documents, workspace.get());
      const PairRuns pairs = {RunOf(corpus.pairs, workspace.get())};
      ASSERT_EQ(
          RowsOf(Got(VerifyCandidates(job, corpus.ranking, pairs, sets, {}, workspace.get()))),
          expected)
          << "corpus " << i << ", " << work << " bytes";
    }
    edges += expected.size();
  }
  EXPECT_GT(edges, 500u);
}

// Pairs are checked as soon as the later document is read, and sets are freed when no pair needs
// them any more: the edges equal those of checking all pairs at the end.
TEST_F(VerifyPassTest, UnitByUnitFindsTheSame) {
  std::mt19937_64 random(6);
  size_t edges = 0;
  for (int i = 0; i < 200; ++i) {
    Corpus corpus = RandomCorpus(&random);
    corpus.ranking = {};
    Job job;
    job.options.threshold = .1 + .1 * static_cast<double>(random() % 7);
    job.rules.all_pairs = i % 3 == 0;
    auto expected = PlainEdges(corpus, corpus.pairs, job.options.threshold);
    if (!job.rules.all_pairs) expected = PlainRemovals(expected);
    const auto workspace = i % 2 == 0 ? Ample() : Tiny();
    DocumentUnits units;
    units.documents = corpus.documents;
    for (DocNumber first = 0; first < corpus.documents;) {
      Unit& unit = units.units.emplace_back();
      unit.first = first;
      unit.documents = std::min(random() % 9, corpus.documents - first);  // perhaps none
      first += unit.documents;
    }
    const PairRuns pairs = {RunOf(corpus.pairs, workspace.get())};
    const Observer observer;
    const Bitmap reps;
    PairVerification verification({job, units, corpus.ranking, reps, observer, workspace.get()},
                                  pairs);
    ASSERT_TRUE(verification.InReadingOrder());
    StoredSets sets = NoSetsYet(corpus.sets, corpus.documents);
    const uint64_t held_before = workspace->store().held_bytes();
    uint64_t held = 0;
    for (const Unit& unit : units.units) {
      AddSets(corpus.sets, unit, workspace.get(), &sets);
      ASSERT_TRUE(verification.CheckUnit(unit, &sets));
      held = workspace->store().held_bytes();
    }
    if (i % 2 == 0 && !job.rules.all_pairs) {
      EXPECT_LE(held - held_before, 30 * corpus.documents + 16 * 1024)
          << "the sets are still there";
    }
    ASSERT_EQ(RowsOf(verification.Take()), expected) << "corpus " << i;
    edges += expected.size();
  }
  EXPECT_GT(edges, 1'000u);
}

TEST_F(VerifyPassTest, OtherOrdersWaitForAllSets) {
  std::mt19937_64 random(7);
  const auto workspace = Ample();
  const PairRuns pairs = {RunOf(std::vector<CandidatePair>{{0, 1}}, workspace.get())};
  const DocumentUnits units;
  const Observer observer;
  const Ranking in_order, reversed = RankingOf({1, 0});
  const Job job;
  const Bitmap reps;
  EXPECT_FALSE(PairVerification({job, units, reversed, reps, observer, workspace.get()}, pairs)
                   .InReadingOrder());
  EXPECT_FALSE(PairVerification({job, units, in_order, reps, observer, workspace.get()}, {})
                   .InReadingOrder());
}

// With more pairs than a unit takes, decisions of an earlier attempt in the first hold in the
// second.
TEST_F(VerifyPassTest, AResumedRunDecidesTheSame) {
  std::mt19937_64 random(5);
  Corpus corpus;
  corpus.documents = 1'500;
  for (DocNumber doc = 0; doc < corpus.documents; ++doc) {
    const uint64_t first = random() % 400;
    corpus.sets[doc] = {first, first + 1, first + 2};
  }
  for (Rank d = 0; d < corpus.documents; ++d) {
    for (Rank a = 0; a < d; ++a) corpus.pairs.push_back({a, d});
  }
  Job job;
  job.options.threshold = .5;
  const auto expected = PlainRemovals(PlainEdges(corpus, corpus.pairs, .5));
  Workspace::Setup setup = Setup(kAmpleMemory, 0);
  setup.journal = root_ + "/journal";
  for (const bool resume : {false, true}) {
    setup.resume = resume;
    setup.stress.stop_after = resume ? 0 : 1;
    const auto workspace = Got(Workspace::Open(setup));
    const StoredSets sets = SetsOf(corpus.sets, corpus.documents, workspace.get());
    const PairRuns pairs = {RunOf(corpus.pairs, workspace.get())};
    const auto verified = VerifyCandidates(job, corpus.ranking, pairs, sets, {}, workspace.get());
    ASSERT_EQ(verified.has_value(), resume);
    if (!resume) continue;
    EXPECT_EQ(workspace->resumed_units(), 1u);
    EXPECT_EQ(verified->runs.size(), 2u);
    EXPECT_TRUE(RowsOf(*verified) == expected);
    EXPECT_GT(expected.size(), 100u);
  }
}

}  // namespace
}  // namespace lookalike
