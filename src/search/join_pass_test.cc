#include "search/join_pass.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "engine/random_corpus.h"
#include "engine/small_workspace.h"

namespace lookalike {
namespace {

using JoinPassTest = WorkspaceTest;

TEST_F(JoinPassTest, TheExactJoinFindsAllPairsInScope) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 60; ++i) {
    Corpus corpus = RandomCorpus(&random);
    Job job;
    SearchResult search;
    const uint64_t reference = i % 3 == 0 ? 1 + random() % (corpus.documents - 1) : 0;
    if (reference != 0) corpus.ranking = {};
    SetCollections(reference, corpus.documents, &job, &search);
    job.rules.all_pairs = i % 2 == 0;
    job.options.threshold = .4;
    const PairScope scope = job.Scope(search.units.inputs);
    std::vector<CandidatePair> all;
    for (Rank d = 0; d < corpus.documents; ++d) {
      for (Rank a = 0; a < d; ++a) {
        if (scope.Counts(a, d)) all.push_back({a, d});
      }
    }
    const auto workspace = Ample();
    const StoredSets sets = SetsOf(corpus.sets, corpus.documents, workspace.get());
    const VerifiedEdges verified = Got(JoinSets(
        {job, search.units, corpus.ranking, sets.wanted().bits(), {}, workspace.get()}, sets));
    ASSERT_EQ(RowsOf(verified), PlainEdges(corpus, all, .4)) << "corpus " << i;
  }
}

TEST_F(JoinPassTest, AnExactJoinThatDoesNotFitIsAnErrorThatSaysWhatToGive) {
  std::mt19937_64 random(3);
  const Corpus corpus = RandomCorpus(&random);
  Job job;
  SearchResult search;
  SetCollections(0, corpus.documents, &job, &search);
  const auto workspace = Tiny();
  const StoredSets sets = SetsOf(corpus.sets, corpus.documents, workspace.get());
  const auto verified = JoinSets(
      {job, search.units, corpus.ranking, sets.wanted().bits(), {}, workspace.get()}, sets);
  ASSERT_FALSE(verified);
  EXPECT_NE(verified.error().what.find("$<memory"), std::string::npos) << verified.error().what;
}

TEST_F(JoinPassTest, AnExactJoinCanBeInterrupted) {
  std::mt19937_64 random(3);
  const Corpus corpus = RandomCorpus(&random);
  Job job;
  SearchResult search;
  SetCollections(0, corpus.documents, &job, &search);
  const auto workspace = Ample();
  const StoredSets sets = SetsOf(corpus.sets, corpus.documents, workspace.get());
  Observer observer;
  observer.cancelled = [] { return true; };
  const auto verified = JoinSets(
      {job, search.units, corpus.ranking, sets.wanted().bits(), observer, workspace.get()}, sets);
  ASSERT_FALSE(verified);
  EXPECT_EQ(verified.error().what, "interrupted");
}

}  // namespace
}  // namespace lookalike
