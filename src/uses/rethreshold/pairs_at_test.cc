#include "uses/rethreshold/pairs_at.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "engine/small_workspace.h"
#include "search/compare_pairs.h"
#include "stages/cluster/keep.h"

namespace lookalike {
namespace {

using Witnesses = std::map<Rank, Rank>;

/// Candidate pairs of a few documents, all with their scores.
struct Corpus {
  uint64_t documents = 0;
  std::vector<Edge> pairs;  // by (d, a); of 10 features each, so that scores are 1/19 to 1
  std::vector<ExactCopy> copies;
};

Corpus RandomCorpus(std::mt19937_64* random) {
  Corpus corpus;
  corpus.documents = 2 + (*random)() % 14;
  for (Rank d = 1; d < corpus.documents; ++d) {
    for (Rank a = 0; a < d; ++a) {
      if ((*random)() % 2 == 0) continue;
      corpus.pairs.push_back({a, d, static_cast<uint32_t>(1 + (*random)() % 10), 10, 10});
    }
  }
  return corpus;
}

/// Applies the greedy rule to all pairs that reach a threshold.
Witnesses Greedy(const std::vector<Edge>& pairs, double threshold, uint64_t documents) {
  GreedyKeep keep(documents);
  Witnesses witnesses;
  for (const Edge& edge : pairs) {
    if (edge.resemblance() < threshold) continue;
    if (const auto removal = keep.Take(edge)) witnesses[removal->removed] = removal->witness;
  }
  return witnesses;
}

class PairsAtTest : public WorkspaceTest {
 protected:
  [[nodiscard]] std::string Path() const { return root_ + "/scores.bin"; }

  /// Returns what a run that only decides would leave of these pairs.
  static SearchResult RunAt(const Corpus& corpus, double threshold, Workspace* workspace) {
    SearchResult search;
    Job job;
    SetCollections(0, corpus.documents, &job, &search);
    std::vector<CandidatePair> candidates;
    std::vector<Edge> removing;
    GreedyKeep keep(corpus.documents);
    for (const Edge& edge : corpus.pairs) {
      candidates.push_back({edge.a, edge.d});
      if (edge.resemblance() >= threshold && keep.Take(edge)) removing.push_back(edge);
    }
    search.candidates = {RunOf(candidates, workspace)};
    search.edges = EdgesOf(removing, 1, workspace);
    search.classes.copies = {RunOf(corpus.copies, workspace)};
    search.classes.copy_count = corpus.copies.size();
    return search;
  }

  /// Returns the edges among pairs that were not compared.
  static VerifiedEdges Compare(const Corpus& corpus, const PairRuns& pairs, double threshold,
                               Workspace* workspace) {
    std::vector<Edge> edges;
    for (const CandidatePair& pair : RecordsOf<CandidatePair>(pairs.front())) {
      for (const Edge& edge : corpus.pairs) {
        if (edge.a != pair.a || edge.d != pair.d || edge.resemblance() < threshold) continue;
        edges.push_back(edge);
      }
    }
    return EdgesOf(edges, 1, workspace);
  }

  /// Makes the result of the written scores at a threshold.
  SortedScores Sort(double threshold, uint64_t documents, bool all, Workspace* workspace,
                    PairGuards* guards = nullptr) {
    ScoresReader reader = Got(ScoresReader::Open(Path()));
    ExactCopy copy;
    while (reader.Next(&copy)) {
    }
    const Bitmap apart(documents);
    const uint32_t streams = guards == nullptr ? 1 : EdgeStreams(*guards);
    SortedScores sorted =
        Got(SortScores({.test = threshold, .apart = apart, .all_matter = all, .streams = streams},
                       documents, &reader, workspace));
    if (guards != nullptr) {
      EXPECT_TRUE(reader.CheckGuards(*guards));
      EXPECT_TRUE(reader.TakeWords(documents, {}, guards));
    }
    return sorted;
  }

  /// Returns edges in one stream, and pairs that guards keep apart in the other.
  static VerifiedEdges Guarded(const std::vector<Edge>& edges, const std::vector<Edge>& guarded,
                               Workspace* workspace) {
    const auto writer = workspace->store().Temporary(2, 4096);
    EXPECT_TRUE(writer->AppendRecords(kEdgeStream, edges));
    EXPECT_TRUE(writer->AppendRecords(kGuardedStream, guarded));
    return {{Got(writer->Finish())}, edges.size()};
  }
};

/// Guards of one word and one field.
GuardSpec SomeGuards() {
  GuardSpec spec;
  spec.differ.emplace_back().name = "numbers";
  spec.fields = {"year"};
  spec.not_same = {0};
  return spec;
}

/// Returns a few words for each document, among which equal ones are frequent.
PairGuards RandomWords(uint64_t documents, std::mt19937_64* random) {
  PairGuards guards(SomeGuards());
  guards.Resize(documents);
  for (DocNumber doc = 0; doc < documents; ++doc) {
    guards.Set(doc, 0, (*random)() % 2 == 0 ? UINT64_MAX : 7);
    guards.Set(doc, 1, (*random)() % 4);
  }
  return guards;
}

TEST_F(PairsAtTest, GuardsStayWhatTheyAreAtEveryThreshold) {
  std::mt19937_64 random(6);
  uint64_t apart = 0, found_later = 0;
  for (int round = 0; round < 300; ++round) {
    const auto workspace = Ample();
    const Corpus corpus = RandomCorpus(&random);
    const PairGuards guards = RandomWords(corpus.documents, &random);
    // These are the edges and guarded pairs of a run at .2.
    SearchResult search = RunAt(corpus, .2, workspace.get());
    search.units.guards = guards;
    std::vector<Edge> removing, guarded, all_edges, all_guarded;
    GreedyKeep keep(corpus.documents);
    for (const Edge& edge : corpus.pairs) {
      if (edge.resemblance() < .2 || !guards.Allows(edge.a, edge.d)) continue;
      const bool is_apart = guards.Guards(edge.a, edge.d);
      (is_apart ? all_guarded : all_edges).push_back(edge);
      if (is_apart && keep.IsOpen(edge.a, edge.d)) guarded.push_back(edge);
      if (!is_apart && keep.Take(edge)) removing.push_back(edge);
    }
    search.edges = Guarded(removing, guarded, workspace.get());
    Job job;
    ASSERT_TRUE(WriteScores(job, search, ScoresOf(job, search), Path()));
    for (const double threshold : {.2, .4, .6, .9}) {
      PairGuards read(SomeGuards());
      SortedScores sorted = Sort(threshold, corpus.documents, false, workspace.get(), &read);
      std::vector<Edge> edges, others;
      for (const CandidatePair& pair : RecordsOf<CandidatePair>(sorted.doubtful.front())) {
        EXPECT_EQ(read.Guards(pair.a, pair.d), guards.Guards(pair.a, pair.d));
        EXPECT_TRUE(read.Allows(pair.a, pair.d));
        for (const Edge& edge : corpus.pairs) {
          if (edge.a != pair.a || edge.d != pair.d || edge.resemblance() < threshold) continue;
          (guards.Guards(pair.a, pair.d) ? others : edges).push_back(edge);
        }
      }
      found_later += others.size();
      const VerifiedEdges merged =
          Got(MergeEdges(sorted.known, Guarded(edges, others, workspace.get()), threshold, guards,
                         workspace.get()));
      const Witnesses kept = Greedy(all_edges, threshold, corpus.documents);
      const auto known = RecordsOf<Edge>(merged.runs.front(), kEdgeStream);
      EXPECT_EQ(Greedy(known, threshold, corpus.documents), kept);
      EXPECT_EQ(merged.edges, known.size());
      // All pairs of documents that stay are known to be guarded.
      const auto stay = [&](const Edge& edge) {
        return edge.resemblance() >= threshold && !kept.contains(edge.a) && !kept.contains(edge.d);
      };
      const auto listed = RecordsOf<Edge>(merged.runs.front(), kGuardedStream);
      EXPECT_EQ(std::ranges::count_if(listed, stay), std::ranges::count_if(all_guarded, stay));
      apart += std::ranges::count_if(listed, stay);
      PairRuns open = sorted.idle;
      open.push_back(sorted.doubtful.front());
      SearchResult next = RunAt(corpus, .2, workspace.get());
      next.units.guards = guards;
      ASSERT_TRUE(WriteScores(
          job, next, ScoresFrom(merged, std::move(open), guards, corpus.documents), Path()));
    }
  }
  EXPECT_GT(apart, 100U);
  EXPECT_GT(found_later, 20U);
}

TEST_F(PairsAtTest, ScoresWithoutWordsAreNotThoseOfGuards) {
  const auto workspace = Ample();
  std::mt19937_64 random(7);
  SearchResult search = RunAt(RandomCorpus(&random), .2, workspace.get());
  Job job;
  ASSERT_TRUE(WriteScores(job, search, ScoresOf(job, search), Path()));
  const PairGuards guards(SomeGuards());
  EXPECT_FALSE(Got(ScoresReader::Open(Path())).CheckGuards(guards));
  EXPECT_TRUE(Got(ScoresReader::Open(Path())).CheckGuards({}));
}

TEST_F(PairsAtTest, FollowTheGreedyRuleAtEveryThreshold) {
  std::mt19937_64 random(3);
  uint64_t idle = 0, doubtful = 0;
  for (int round = 0; round < 300; ++round) {
    const auto workspace = Ample();
    const Corpus corpus = RandomCorpus(&random);
    SearchResult search = RunAt(corpus, .2, workspace.get());
    Job job;
    ASSERT_TRUE(WriteScores(job, search, ScoresOf(job, search), Path()));
    for (const double threshold : {.2, .4, .6, .9, 1.0}) {
      const SortedScores sorted = Sort(threshold, corpus.documents, false, workspace.get());
      const auto compared = Compare(corpus, sorted.doubtful, threshold, workspace.get());
      const VerifiedEdges merged =
          Got(MergeEdges(sorted.known, compared, threshold, {}, workspace.get()));
      const auto edges = RecordsOf<Edge>(merged.runs.front());
      EXPECT_EQ(Greedy(edges, threshold, corpus.documents),
                Greedy(corpus.pairs, threshold, corpus.documents));
      if (threshold == .2) {
        EXPECT_EQ(sorted.doubtful_pairs, 0U);
      }
      doubtful += sorted.doubtful_pairs;
      idle += RecordsOf<CandidatePair>(sorted.idle.front()).size();
    }
  }
  EXPECT_GT(doubtful, 100U);
  EXPECT_GT(idle, 100U);
}

TEST_F(PairsAtTest, ScoresOfANewResultServeTheNextOne) {
  std::mt19937_64 random(4);
  for (int round = 0; round < 200; ++round) {
    const auto workspace = Ample();
    const Corpus corpus = RandomCorpus(&random);
    SearchResult search = RunAt(corpus, .2, workspace.get());
    Job job;
    ASSERT_TRUE(WriteScores(job, search, ScoresOf(job, search), Path()));
    for (const double threshold : {.3, .5, .8}) {
      SortedScores sorted = Sort(threshold, corpus.documents, false, workspace.get());
      // As the verification does, only pairs are compared that are open at their turn.
      const auto compared = Compare(corpus, sorted.doubtful, threshold, workspace.get());
      const VerifiedEdges all =
          Got(MergeEdges(sorted.known, compared, threshold, {}, workspace.get()));
      PairRuns open = sorted.idle;
      open.push_back(sorted.doubtful.front());
      EXPECT_EQ(Greedy(RecordsOf<Edge>(all.runs.front()), threshold, corpus.documents),
                Greedy(corpus.pairs, threshold, corpus.documents));
      ASSERT_TRUE(WriteScores(
          job, search, ScoresFrom(all, open, search.units.guards, corpus.documents), Path()));
    }
  }
}

TEST_F(PairsAtTest, ReadsCopiesRanksAndCounts) {
  const auto workspace = Ample();
  Corpus corpus;
  corpus.documents = 6;
  corpus.pairs = {{0, 4, 9, 10, 12}};
  corpus.copies = {{0, 3, 1}, {0, 5, 0}, {1, 2, 1}};
  SearchResult search = RunAt(corpus, .5, workspace.get());
  search.ranking = RankingOf({5, 3, 0, 1, 4, 2});
  search.units.records.in = 7;
  search.buckets.pairs_passed = 123;
  search.units.inputs.skipped = {true};
  search.units.skip_reasons[0] = "no bytes";
  search.units.lanes.resize(2);
  search.units.lanes[1].lane = {.first = 1, .end = 2, .from = 100};
  Job job;
  job.options.output_shard = 1;
  ASSERT_TRUE(WriteScores(job, search, ScoresOf(job, search), Path()));
  ScoresReader reader = Got(ScoresReader::Open(Path()));
  const SearchResult facts = reader.TakeFacts();
  EXPECT_EQ(facts.ranking.order, search.ranking.order);
  EXPECT_EQ(facts.ranking.ranks, search.ranking.ranks);
  EXPECT_EQ(facts.units.documents, 6U);
  EXPECT_EQ(facts.units.records.in, 7U);
  EXPECT_EQ(facts.buckets.pairs_passed, 123U);
  EXPECT_EQ(facts.classes.copy_count, 3U);
  EXPECT_EQ(facts.units.skip_reasons, search.units.skip_reasons);
  ASSERT_EQ(facts.units.lanes.size(), 2U);
  EXPECT_EQ(facts.units.lanes[0].lane.until, UINT64_MAX);
  EXPECT_EQ(facts.units.lanes[1].lane.from, 100U);
  std::vector<ExactCopy> copies;
  for (ExactCopy copy; reader.Next(&copy);) copies.push_back(copy);
  EXPECT_EQ(copies, corpus.copies);
  ScoredPair pair;
  ASSERT_TRUE(reader.Next(&pair));
  EXPECT_TRUE(pair.compared);
  EXPECT_EQ(pair.edge.a, 0U);
  EXPECT_EQ(pair.edge.d, 4U);
  EXPECT_EQ(pair.edge.common, 9U);
  EXPECT_EQ(pair.edge.size_d, 12U);
  EXPECT_FALSE(reader.Next(&pair));
  EXPECT_TRUE(reader.status());
}

TEST_F(PairsAtTest, DamagedScoresAreAnError) {
  const auto workspace = Ample();
  std::mt19937_64 random(5);
  SearchResult search = RunAt(RandomCorpus(&random), .2, workspace.get());
  Job job;
  ASSERT_TRUE(WriteScores(job, search, ScoresOf(job, search), Path()));
  ASSERT_TRUE(ScoresReader::Open(Path()));
  std::filesystem::resize_file(Path(), std::filesystem::file_size(Path()) - 1);
  EXPECT_FALSE(ScoresReader::Open(Path()));
  std::filesystem::resize_file(Path(), 3);
  EXPECT_FALSE(ScoresReader::Open(Path()));
}

}  // namespace
}  // namespace lookalike
