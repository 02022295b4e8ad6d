#include "search/shingle_merge.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "engine/small_workspace.h"
#include "kernels/splitmix.h"
#include "measures/threshold.h"

namespace lookalike {
namespace {

using Pairs = std::set<std::pair<Rank, Rank>>;  // (d, a)

struct Corpus {
  Job job;
  DocumentUnits units;
  Ranking ranking;
  std::map<DocNumber, std::vector<uint64_t>> sets;

  [[nodiscard]] const std::vector<uint64_t>& Set(Rank rank) const {
    return sets.at(ranking.DocOf(rank));
  }
};

Corpus RandomCorpus(std::mt19937_64* random) {
  Corpus corpus;
  const uint64_t documents = 2 + (*random)() % 50, values = 5 + (*random)() % 40;
  corpus.units.documents = documents;
  corpus.units.inputs.first_of_source = {0, documents};
  corpus.job.choices.method = *ParseMethodOption("shingle-merge:unlimited");
  corpus.job.options.threshold = std::vector{.2, .5, .8, 1.}[(*random)() % 4];
  corpus.job.rules.all_pairs = true;
  for (DocNumber doc = 0; doc < documents; ++doc) {
    std::set<uint64_t> set;
    for (uint64_t i = 1 + (*random)() % 20; i > 0; --i) set.insert((*random)() % values);
    if ((*random)() % 8 != 0) corpus.sets[doc] = {set.begin(), set.end()};
  }
  if ((*random)() % 2 == 0) {
    std::vector<DocNumber> order(documents);
    std::iota(order.begin(), order.end(), DocNumber{0});
    std::shuffle(order.begin(), order.end(), *random);
    corpus.ranking = RankingOf(order);
  }
  return corpus;
}

MergedCandidates Merge(const Corpus& corpus, Workspace* workspace) {
  const StoredSets sets = SetsOf(corpus.sets, corpus.units.documents, workspace);
  return Got(
      MergeShingles({corpus.job, corpus.units, corpus.ranking, sets.wanted().bits(), {}, workspace},
                    sets, [](const char*) {}));
}

Pairs PairsOf(const RunPointer& run) {
  Pairs pairs;
  CandidatePair last = {0, 0};
  for (const CandidatePair& pair : RecordsOf<CandidatePair>(run)) {
    EXPECT_LT(last, pair) << "sorted by (d, a)";
    last = pair;
    pairs.emplace(pair.d, pair.a);
  }
  return pairs;
}

size_t Common(const std::vector<uint64_t>& x, const std::vector<uint64_t>& y) {
  return static_cast<size_t>(std::count_if(
      x.begin(), x.end(), [&](uint64_t f) { return std::binary_search(y.begin(), y.end(), f); }));
}

bool IsAlike(const Corpus& corpus, Rank a, Rank d) {
  const auto &x = corpus.Set(a), &y = corpus.Set(d);
  return MeetsThreshold(Common(x, y), x.size(), y.size(), corpus.job.options.threshold);
}

Pairs AlikePairs(const Corpus& corpus) {
  Pairs pairs;
  for (Rank d = 0; d < corpus.units.documents; ++d) {
    if (!corpus.sets.contains(corpus.ranking.DocOf(d))) continue;
    for (Rank a = 0; a < d; ++a) {
      if (corpus.sets.contains(corpus.ranking.DocOf(a)) && IsAlike(corpus, a, d)) {
        pairs.emplace(d, a);
      }
    }
  }
  return pairs;
}

using ShingleMergeTest = WorkspaceTest;

// Counts of all shingles are exact, so the candidates are precisely the alike pairs.
TEST_F(ShingleMergeTest, OfAllShinglesTheCandidatesAreTheAlikePairsWhateverFitsMemory) {
  std::mt19937_64 random(1);
  size_t found = 0;
  for (int i = 0; i < 60; ++i) {
    const Corpus corpus = RandomCorpus(&random);
    const Pairs expected = AlikePairs(corpus);
    std::vector<MergeCounts> counts;
    for (const uint64_t work : {uint64_t{2'000}, uint64_t{20'000}, kAmpleMemory}) {
      const auto workspace = Tiny(work);
      const MergedCandidates merged = Merge(corpus, workspace.get());
      ASSERT_EQ(PairsOf(merged.pairs), expected) << "corpus " << i << ", " << work << " bytes";
      counts.push_back(merged.counts);
      EXPECT_EQ(counts.back(), counts.front());
    }
    EXPECT_EQ(counts[0].candidates, expected.size());
    EXPECT_EQ(counts[0].documents, corpus.sets.size());
    EXPECT_EQ(counts[0].left_out + counts[0].hidden_documents, 0u);
    found += expected.size();
  }
  EXPECT_GT(found, 1000u);
}

TEST_F(ShingleMergeTest, BesideAReferenceOnlyPairsInScopeAreMade) {
  std::mt19937_64 random(7);
  size_t found = 0, others = 0;
  for (int i = 0; i < 40; ++i) {
    Corpus corpus = RandomCorpus(&random);
    const uint64_t documents = corpus.units.documents;
    corpus.ranking = {};
    corpus.units.inputs.first_of_source = {0, documents / 2, documents};
    corpus.job.reference_inputs = 1;
    corpus.job.rules.all_pairs = i % 2 == 0;
    const PairScope scope = corpus.job.Scope(corpus.units.inputs);
    Pairs expected = AlikePairs(corpus);
    others +=
        std::erase_if(expected, [&](const auto& p) { return !scope.Counts(p.second, p.first); });
    const auto workspace = Ample();
    const MergedCandidates merged = Merge(corpus, workspace.get());
    ASSERT_EQ(PairsOf(merged.pairs), expected) << "corpus " << i;
    found += expected.size();
  }
  EXPECT_GT(found, 100u);
  EXPECT_GT(others, 100u);
}

// Leaving shingles out loses only pairs of two documents that are counted as hidden, and makes no
// candidate of two documents that cannot be alike even if all of these shingles were common.
TEST_F(ShingleMergeTest, CommonShinglesLoseOnlyPairsOfHiddenDocuments) {
  std::mt19937_64 random(2);
  size_t lost = 0, kept = 0;
  for (int i = 0; i < 200; ++i) {
    Corpus corpus = RandomCorpus(&random);
    const uint64_t most = 2 + random() % 12;
    corpus.job.choices.method.most_sharing = most;
    std::map<uint64_t, uint64_t> sharing;
    uint64_t records = 0;
    for (const auto& [doc, set] : corpus.sets) {
      for (const uint64_t f : set) ++sharing[f], ++records;
    }
    const auto is_left_out = [&](uint64_t f) { return sharing[f] > most; };
    std::set<Rank> hidden;
    for (Rank rank = 0; rank < corpus.units.documents; ++rank) {
      if (!corpus.sets.contains(corpus.ranking.DocOf(rank))) continue;
      const auto& set = corpus.Set(rank);
      const auto out = static_cast<double>(std::count_if(set.begin(), set.end(), is_left_out));
      if (out > 0 && out / static_cast<double>(set.size()) >= corpus.job.options.threshold) {
        hidden.insert(rank);
      }
    }
    const auto workspace = Tiny(4'000);
    const MergedCandidates merged = Merge(corpus, workspace.get());
    const Pairs candidates = PairsOf(merged.pairs);
    for (const auto& [d, a] : candidates) {
      const auto &x = corpus.Set(a), &y = corpus.Set(d);
      const auto out = [&](const auto& set) {
        return std::count_if(set.begin(), set.end(), is_left_out);
      };
      const auto common = std::count_if(x.begin(), x.end(), [&](uint64_t f) {
        return !is_left_out(f) && std::binary_search(y.begin(), y.end(), f);
      });
      EXPECT_GE(static_cast<uint64_t>(common + std::min(out(x), out(y))),
                NeededCommon(x.size(), y.size(), corpus.job.options.threshold))
          << "corpus " << i;
    }
    for (const auto& [d, a] : AlikePairs(corpus)) {
      if (candidates.contains({d, a})) {
        ++kept;
        continue;
      }
      ++lost;
      EXPECT_TRUE(hidden.contains(a) && hidden.contains(d)) << "corpus " << i;
    }
    EXPECT_EQ(merged.counts.hidden_documents, hidden.size()) << "corpus " << i;
    EXPECT_EQ(merged.counts.shingles, sharing.size());
    EXPECT_EQ(merged.counts.records, records);
    EXPECT_EQ(merged.counts.left_out,
              std::count_if(sharing.begin(), sharing.end(),
                            [&](const auto& entry) { return entry.second > most; }));
  }
  EXPECT_GT(lost, 20u);
  EXPECT_GT(kept, 1000u);
}

// A shingle of exactly as many documents as may share one makes pairs; with one more it does not.
TEST_F(ShingleMergeTest, TheLimitIsTheLastThatMakesPairs) {
  Corpus corpus;
  corpus.units.documents = 5;
  corpus.units.inputs.first_of_source = {0, 5};
  corpus.job.rules.all_pairs = true;
  corpus.job.options.threshold = .5;
  for (DocNumber doc = 0; doc < 5; ++doc) corpus.sets[doc] = {7};
  const auto workspace = Ample();
  corpus.job.choices.method = *ParseMethodOption("shingle-merge:5");
  EXPECT_EQ(Merge(corpus, workspace.get()).counts.id_pairs, 10u);
  corpus.job.choices.method = *ParseMethodOption("shingle-merge:4");
  const MergeCounts counts = Merge(corpus, workspace.get()).counts;
  EXPECT_EQ(counts.id_pairs, 0u);
  EXPECT_EQ(counts.left_out_records, 5u);
  EXPECT_EQ(counts.hidden_documents, 5u);
}

/// Returns pairs of documents with so many features and such a resemblance, unlike all others.
Corpus PlantedPairs(int pairs, uint64_t all, uint64_t common, std::mt19937_64* random) {
  Corpus corpus;
  corpus.units.documents = 2 * static_cast<uint64_t>(pairs);
  corpus.units.inputs.first_of_source = {0, corpus.units.documents};
  corpus.job.rules.all_pairs = true;
  for (DocNumber doc = 0; doc < corpus.units.documents; doc += 2) {
    std::vector<uint64_t> features(all);
    for (uint64_t& feature : features) feature = (*random)();
    const auto middle = features.begin() + static_cast<std::ptrdiff_t>(common + (all - common) / 2);
    corpus.sets[doc] = {features.begin(), middle};
    corpus.sets[doc + 1] = {middle, features.end()};
    corpus.sets[doc + 1].insert(corpus.sets[doc + 1].end(), features.begin(),
                                features.begin() + static_cast<std::ptrdiff_t>(common));
    for (const DocNumber one : {doc, doc + 1})
      std::sort(corpus.sets[one].begin(), corpus.sets[one].end());
  }
  return corpus;
}

// With samples, the requested share is found at the threshold.
TEST_F(ShingleMergeTest, SamplesFindTheShareAskedForAtTheThreshold) {
  std::mt19937_64 random(3);
  constexpr int kPairs = 1500;
  Corpus corpus = PlantedPairs(kPairs, 1000, 800, &random);
  corpus.job.choices.method = *ParseMethodOption("shingle-merge");
  corpus.job.options.threshold = .8;
  for (const char* sample : {"mod-m:25", "bottom-k:84", "fracminhash:40"}) {
    corpus.job.sample = *ParseSetSketch(sample);
    for (const double recall : {.5, .9, .99}) {
      corpus.job.options.recall = recall;
      const auto workspace = Ample();
      const MergedCandidates merged = Merge(corpus, workspace.get());
      ASSERT_TRUE(IsAlike(corpus, 0, 1));
      size_t found = 0;
      for (const auto& [d, a] : PairsOf(merged.pairs)) found += a % 2 == 0 && d == a + 1 ? 1 : 0;
      const double error = std::sqrt(recall * (1 - recall) / kPairs);
      EXPECT_GE(found, kPairs * (recall - 4 * error)) << sample << " at " << recall;
      EXPECT_EQ(merged.counts.unsampled_documents, 0u);
    }
  }
}

// The samples hold a union of at most K features in full: nothing is left to chance. For a larger
// union, the samples have fewer common features than the sets.
TEST_F(ShingleMergeTest, BottomSamplesOfSmallUnionsAreTheSets) {
  std::mt19937_64 random(8);
  const auto found = [&](uint64_t all, uint64_t common) {
    Corpus corpus = PlantedPairs(100, all, common, &random);
    corpus.job.choices.method = *ParseMethodOption("shingle-merge");
    corpus.job.sample = *ParseSetSketch("bottom-k:84");
    corpus.job.options.threshold = .8;
    const auto workspace = Ample();
    return Merge(corpus, workspace.get()).counts.candidates;
  };
  EXPECT_EQ(found(84, 68), 100u);
  EXPECT_EQ(found(84, 67), 0u) << "below .8";
  EXPECT_EQ(found(85, 67), 0u) << "two of as many features need 68";
  EXPECT_EQ(found(10, 8), 100u);
  EXPECT_GT(found(120, 96), 90u);
}

// Samples meet fewer unlike pairs than all shingles would.
TEST_F(ShingleMergeTest, SamplesRejectWhatIsClearlyUnlike) {
  std::mt19937_64 random(4);
  Corpus corpus = PlantedPairs(300, 1000, 100, &random);
  corpus.job.choices.method = *ParseMethodOption("shingle-merge");
  corpus.job.options.threshold = .8;
  for (const char* sample : {"mod-m:25", "bottom-k:84"}) {
    corpus.job.sample = *ParseSetSketch(sample);
    const auto workspace = Ample();
    const MergeCounts counts = Merge(corpus, workspace.get()).counts;
    EXPECT_GT(counts.distinct_pairs, 280u);
    EXPECT_LT(counts.candidates, 10u) << sample;
  }
}

TEST_F(ShingleMergeTest, DocumentsWithoutASampleAreCounted) {
  std::mt19937_64 random(5);
  Corpus corpus = PlantedPairs(50, 10, 9, &random);
  corpus.job.choices.method = *ParseMethodOption("shingle-merge");
  corpus.job.sample = *ParseSetSketch("mod-m:1000000");
  const auto workspace = Ample();
  const MergeCounts counts = Merge(corpus, workspace.get()).counts;
  EXPECT_EQ(counts.unsampled_documents, 100u);
  EXPECT_NE(LeftOutMessage(corpus.job, counts).find("100 documents have no shingle"),
            std::string::npos);
  EXPECT_EQ(LeftOutMessage(corpus.job, {}), "");
}

TEST_F(ShingleMergeTest, EvenOneThatIsLeftOutIsSaid) {
  MergeCounts shingle, document;
  shingle.left_out = document.unsampled_documents = 1;
  EXPECT_NE(LeftOutMessage(Job(), shingle).find("1 of 0 shingles"), std::string::npos);
  EXPECT_NE(LeftOutMessage(Job(), document).find("1 documents have no"), std::string::npos);
}

TEST_F(ShingleMergeTest, WhatAPairNeedsDoesNotDependOnThoseBeforeIt) {
  Job job;
  job.options.threshold = .5;
  job.options.recall = .9;
  job.sample = *ParseSetSketch("bottom-k:20");
  NeededShingles used(job);
  for (uint64_t size = 15; size < 60; ++size) {
    for (uint64_t other = size; other < 2 * size; ++other) {
      EXPECT_EQ(used.OfPair(size, other), NeededShingles(job).OfPair(size, other))
          << size << " and " << other;
    }
  }
}

TEST_F(ShingleMergeTest, ADocumentNeedsWhatItsEasiestPartnerNeeds) {
  Job job;
  for (const double threshold : {.1, .5, .77, .8, 1.}) {
    job.options.threshold = threshold;
    NeededShingles needed(job);
    for (uint64_t size = 1; size < 60; ++size) {
      uint64_t least = UINT64_MAX;
      for (uint64_t other = 1; other <= 20 * size; ++other) {
        const uint64_t common = needed.OfPair(size, other);
        if (common <= std::min(size, other)) least = std::min(least, common);
      }
      EXPECT_EQ(needed.OfDocument(size), least) << size << " at " << threshold;
    }
  }
}

TEST_F(ShingleMergeTest, StopsWhenCancelledAndNeedsMemoryForItsNumbers) {
  std::mt19937_64 random(6);
  const Corpus corpus = PlantedPairs(50, 10, 9, &random);
  const auto workspace = Tiny(1'000);
  const StoredSets sets = SetsOf(corpus.sets, corpus.units.documents, workspace.get());
  const auto merge = [&](Workspace* in, const Observer& observer) {
    return MergeShingles(
        {corpus.job, corpus.units, corpus.ranking, sets.wanted().bits(), observer, in}, sets,
        [](const char*) {});
  };
  const auto small = merge(workspace.get(), {});
  ASSERT_FALSE(small.has_value());
  EXPECT_NE(small.error().what.find("$<memory"), std::string::npos) << small.error().what;
  Observer observer;
  observer.cancelled = [] { return true; };
  const auto ample = Tiny(100'000);
  const auto stopped = merge(ample.get(), observer);
  ASSERT_FALSE(stopped.has_value());
  EXPECT_EQ(stopped.error().what, "interrupted");
}

/// Returns a corpus of families: members share three quarters of their shingles.
Corpus FamilyCorpus(uint64_t documents, uint64_t family, std::mt19937_64* random) {
  Corpus corpus;
  corpus.units.documents = documents;
  corpus.units.inputs.first_of_source = {0, documents};
  corpus.job.choices.method = *ParseMethodOption("shingle-merge:unlimited");
  corpus.job.rules.all_pairs = true;
  for (DocNumber doc = 0; doc < documents; ++doc) {
    std::set<uint64_t> set;
    for (uint64_t i = 0; i < 60; ++i) set.insert(Mix64(doc / family * 60 + i));
    for (uint64_t i = 0; i < 20; ++i) set.insert((*random)());
    corpus.sets[doc] = {set.begin(), set.end()};
  }
  return corpus;
}

// Costs are predicted from these: records and pairs, of all shingles, of a sample of the documents,
// and with a bound on the documents of a shingle.
TEST_F(ShingleMergeTest, ExpectedRecordsAndPairsAreNearThoseOfTheMerge) {
  std::mt19937_64 random(7);
  for (const uint64_t family : {2U, 10U, 40U}) {
    const Corpus corpus = FamilyCorpus(800, family, &random);
    const auto workspace = Tiny(kAmpleMemory);
    const MergeCounts counts = Merge(corpus, workspace.get()).counts;
    for (const uint64_t every : {1U, 4U}) {
      std::vector<std::vector<uint64_t>> sample;
      for (const auto& [doc, set] : corpus.sets) {
        if (every == 1 || random() % every == 0) sample.push_back(set);
      }
      const MergeWork expected = ExpectMerge(corpus.job, sample, corpus.sets.size());
      EXPECT_NEAR(expected.records / static_cast<double>(counts.records), 1, .01);
      EXPECT_NEAR(expected.id_pairs / static_cast<double>(counts.id_pairs), 1,
                  every == 1 ? 1e-9 : .5)
          << family << " " << every;
    }
  }
}

TEST_F(ShingleMergeTest, ExpectedPairsLeaveOutShinglesOfTooManyDocuments) {
  std::mt19937_64 random(8);
  Corpus corpus = FamilyCorpus(800, 40, &random);
  corpus.job.choices.method = *ParseMethodOption("shingle-merge:20");
  const auto workspace = Tiny(kAmpleMemory);
  std::vector<std::vector<uint64_t>> sample;
  for (const auto& [doc, set] : corpus.sets) sample.push_back(set);
  EXPECT_EQ(Merge(corpus, workspace.get()).counts.id_pairs, 0u);
  EXPECT_EQ(ExpectMerge(corpus.job, sample, 800).id_pairs, 0);
  EXPECT_EQ(ExpectMerge(corpus.job, {}, 800).records, 0);
}

}  // namespace
}  // namespace lookalike
