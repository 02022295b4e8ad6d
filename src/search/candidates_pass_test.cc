#include "search/candidates_pass.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/small_workspace.h"
#include "oracle/memory_join.h"

namespace lookalike {
namespace {

constexpr uint32_t kSketch = 64;

/// Documents with keys and codes, as pass one leaves them.
struct Corpus {
  Job job;
  Ranking ranking;
  uint64_t documents = 0, reference = 0;
  std::vector<uint8_t> codes;               ///< By document.
  std::vector<std::vector<uint64_t>> keys;  ///< By document.
  std::vector<bool> reps;                   ///< By document.
};

Corpus RandomCorpus(std::mt19937_64* random) {
  Corpus corpus;
  corpus.documents = 20 + (*random)() % 300;
  corpus.job.sketch.coordinates = kSketch;
  corpus.job.design = *ParseDesign("bands:4x4");
  corpus.job.partition_bits = static_cast<uint32_t>((*random)() % 4) + 1;
  BucketRules& rules = corpus.job.rules;
  rules.small = 1 + (*random)() % 10;
  rules.small_at_last = 1 + (*random)() % 10;
  rules.leaders = 1 + (*random)() % 3;
  rules.all_pairs = (*random)() % 3 == 0;
  const uint32_t width = CodeCount(kSketch);
  rules.agreement_floor = static_cast<uint32_t>((*random)() % (width / 2));
  if ((*random)() % 3 != 0) rules.extensions.push_back(PlanExtension(.6, .7, width, 0));
  if ((*random)() % 3 == 0) corpus.reference = 1 + (*random)() % (corpus.documents - 1);
  const uint64_t values = 1 + (*random)() % 100;
  for (DocNumber doc = 0; doc < corpus.documents; ++doc) {
    for (uint32_t i = 0; i < width; ++i) {
      corpus.codes.push_back(static_cast<uint8_t>((*random)() % 3));
    }
    std::set<uint64_t> keys;
    for (int i = 0; i < 4; ++i) keys.insert((*random)() % values * 0x9e3779b97f4a7c15ULL);
    corpus.keys.emplace_back(keys.begin(), keys.end());
    corpus.reps.push_back((*random)() % 8 != 0);
  }
  if ((*random)() % 2 == 0) {
    std::vector<DocNumber> order(corpus.documents);
    std::iota(order.begin(), order.end(), DocNumber{0});
    std::shuffle(order.begin() + static_cast<ptrdiff_t>(corpus.reference), order.end(), *random);
    corpus.ranking = RankingOf(order);
  }
  return corpus;
}

class FindCandidatesTest : public WorkspaceTest {
 protected:
  /// Makes three units.
  static DocumentUnits UnitsOf(const Corpus& corpus, Workspace* workspace) {
    DocumentUnits units;
    units.documents = corpus.documents;
    const uint32_t width = CodeCount(kSketch);
    units.codes = DocumentCodes(width);
    const Job& job = corpus.job;
    for (int unit = 0; unit < 3; ++unit) {
      const DocNumber first = corpus.documents * unit / 3, end = corpus.documents * (unit + 1) / 3;
      const auto writer = workspace->store().Temporary(kUnitKeys + job.partitions(), 4096);
      const auto codes = std::span(corpus.codes).subspan(first * width, (end - first) * width);
      EXPECT_TRUE(writer->Append(kUnitCodes, std::as_bytes(codes)));
      for (DocNumber doc = first; doc < end; ++doc) {
        for (const uint64_t key : corpus.keys[doc]) {
          const bool collide = workspace->stress().collide;
          const uint64_t partition = collide ? 0 : key >> (64 - job.partition_bits);
          EXPECT_TRUE(writer->AppendRecord(
              kUnitKeys + static_cast<uint32_t>(partition),
              PackedKey{static_cast<uint32_t>(key), static_cast<uint32_t>(key >> 32),
                        static_cast<uint32_t>(doc - first)}));
        }
      }
      const RunPointer run = Got(writer->Finish());
      units.units.push_back({run, first, end - first, 0, {}});
      units.codes.AddPart(run, kUnitCodes);
    }
    Bitmap all(corpus.documents);
    for (DocNumber doc = 0; doc < corpus.documents; ++doc) all.Set(doc);
    units.codes.SetDocuments(std::move(all));
    return units;
  }

  /// Joins all levels at once, in memory.
  static MemoryJoined Expected(const Corpus& corpus) {
    std::vector<KeyRecord> records;
    for (DocNumber doc = 0; doc < corpus.documents; ++doc) {
      if (!corpus.reps[doc]) continue;
      for (const uint64_t key : corpus.keys[doc]) {
        records.push_back({corpus.ranking.RankOf(doc), key});
      }
    }
    const auto& order = corpus.ranking.order;
    const MemoryCodes codes(corpus.codes.data(), CodeCount(kSketch),
                            order.empty() ? nullptr : order.data());
    const PairScope scope = {corpus.reference, corpus.job.rules.all_pairs && corpus.reference != 0};
    return Got(JoinInMemory(std::move(records), codes, corpus.job.rules, scope));
  }

  static auto Counts(const BucketCounts& c) {
    return std::tuple(c.buckets, c.refined, c.keys_added, c.pairs_met, c.pairs_left_out,
                      c.pairs_passed);
  }

  static std::vector<CandidatePair> PairsOf(const PairRuns& runs) {
    std::vector<CandidatePair> pairs;
    PairReader reader(runs);
    while (const CandidatePair* pair = reader.Next()) pairs.push_back(*pair);
    EXPECT_TRUE(reader.status());
    return pairs;
  }

  static Result<Candidates> Find(Corpus corpus, Workspace* workspace,
                                 const Observer& observer = {}) {
    SearchResult search;
    SetCollections(corpus.reference, corpus.documents, &corpus.job, &search);
    DocumentUnits units = UnitsOf(corpus, workspace);
    units.inputs = search.units.inputs;
    Bitmap reps(corpus.documents);
    for (DocNumber doc = 0; doc < corpus.documents; ++doc) {
      if (corpus.reps[doc]) reps.Set(doc);
    }
    return FindCandidates({corpus.job, units, corpus.ranking, reps, observer, workspace}, {});
  }

  static void ExpectEqual(const Corpus& corpus, const MemoryJoined& expected,
                          const Candidates& candidates) {
    EXPECT_EQ(PairsOf(candidates.pairs), expected.pairs);
    EXPECT_EQ(Counts(candidates.counts), Counts(expected.counts));
    std::set<DocNumber> wanted;
    for (const CandidatePair& pair : expected.pairs) {
      wanted.insert({corpus.ranking.DocOf(pair.a), corpus.ranking.DocOf(pair.d)});
    }
    for (DocNumber doc = 0; doc < corpus.documents; ++doc) {
      EXPECT_EQ(candidates.wanted.Test(doc), wanted.contains(doc)) << doc;
    }
  }
};

TEST_F(FindCandidatesTest, EqualsTheJoinInMemoryUnderStress) {
  std::mt19937_64 random(1);
  size_t pairs = 0;
  for (int i = 0; i < 30; ++i) {
    const Corpus corpus = RandomCorpus(&random);
    const MemoryJoined expected = Expected(corpus);
    pairs += expected.pairs.size();
    for (const uint64_t work : {uint64_t{256}, uint64_t{20'000}, kAmpleMemory}) {
      SCOPED_TRACE("corpus " + std::to_string(i) + ", " + std::to_string(work) + " bytes");
      Workspace::Setup setup = Setup(work, work == kAmpleMemory ? work : 0);
      setup.stress.collide = i % 3 == 0;
      setup.memory.threads = 1 + i % 2;
      const auto workspace = Got(Workspace::Open(setup));
      ExpectEqual(corpus, expected, Got(Find(corpus, workspace.get())));
      ASSERT_FALSE(HasFailure());
    }
  }
  EXPECT_GT(pairs, 10'000u);
}

// A bucket that is split stays in its unit, so units never need one another; what several of them
// find counts once.
TEST_F(FindCandidatesTest, TasksTogetherFindThePairsOfOneProcess) {
  std::mt19937_64 random(4);
  size_t refined = 0, repeated = 0;
  for (int i = 0; i < 24; ++i) {
    Corpus corpus = RandomCorpus(&random);
    corpus.job.partition_bits = 4;
    corpus.job.rules.extensions.resize(1);
    if (corpus.job.rules.extensions.front().keys == 0) {
      corpus.job.rules.extensions.front() = PlanExtension(.6, .7, CodeCount(kSketch), 0);
    }
    corpus.job.rules.extensions.push_back(PlanExtension(.6, .7, CodeCount(kSketch), 1));
    const MemoryJoined expected = Expected(corpus);
    refined += expected.counts.refined;
    for (const uint64_t tasks : {1, 3, 17}) {
      SCOPED_TRACE("corpus " + std::to_string(i) + ", " + std::to_string(tasks) + " tasks");
      std::filesystem::remove_all(root_);
      std::filesystem::create_directories(root_ + "/records");
      std::filesystem::create_directories(root_ + "/units");
      const auto open = [&](std::string_view stage, uint64_t index, uint64_t count) {
        const uint64_t work = random() % 2 == 0 ? 20'000 : kAmpleMemory;
        Workspace::Setup setup = Setup(work, 0);
        setup.stress.collide = i % 4 == 0;
        setup.lane_bytes = 1;  // so that there are marks
        setup.share = TaskShare{std::string(stage), index, count};
        setup.records = root_ + "/records";
        setup.units = root_ + "/units";
        return Got(Workspace::Open(setup));
      };
      for (uint64_t task = 0; task < tasks; ++task) {
        const auto made = Find(corpus, open(kJoinStage, task, tasks).get());
        ASSERT_FALSE(made);
        ASSERT_TRUE(IsTaskDone(made.error())) << made.error().ToString();
      }
      const auto last = open(kNoStage, 0, 1);
      const Candidates candidates = Got(Find(corpus, last.get()));
      EXPECT_EQ(candidates.pairs.size(), 4u);
      ExpectEqual(corpus, expected, candidates);
      repeated += MostPairs(candidates.pairs) - expected.pairs.size();
      const std::vector<Rank> bounds = Got(VerifyBounds(candidates.pairs, 5));
      ASSERT_EQ(bounds.size(), 5u);
      EXPECT_EQ(bounds.front(), 0u);
      EXPECT_TRUE(std::is_sorted(bounds.begin(), bounds.end()));
      if (MostPairs(candidates.pairs) > 500) {
        EXPECT_GT(bounds[1], 0u);
      }
      ASSERT_FALSE(HasFailure());
    }
  }
  EXPECT_GT(refined, 500u);
  EXPECT_GT(repeated, 500u);
}

// The join is one unit: once finished, it is not done again.
TEST_F(FindCandidatesTest, ResumesAfterTheUnit) {
  std::mt19937_64 random(2);
  Corpus corpus = RandomCorpus(&random);
  corpus.job.partition_bits = 2;
  const MemoryJoined expected = Expected(corpus);
  ASSERT_FALSE(expected.pairs.empty());
  Workspace::Setup setup = Setup(1000, 0);
  setup.journal = root_ + "/journal";
  setup.stress.stop_after = 1;
  {
    const auto workspace = Got(Workspace::Open(setup));
    const auto stopped = Find(corpus, workspace.get());
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().what, kStoppedOnPurpose);
  }
  setup.stress.stop_after = 0;
  setup.resume = true;
  const auto workspace = Got(Workspace::Open(setup));
  ExpectEqual(corpus, expected, Got(Find(corpus, workspace.get())));
  EXPECT_EQ(workspace->resumed_units(), 1);
}

// At most a quarter of a second of comparing passes without a check for a stop.
TEST_F(FindCandidatesTest, StopsInTheMiddleOfOneBucket) {
  Corpus corpus;
  corpus.documents = 12'000;
  corpus.job.sketch.coordinates = kSketch;
  corpus.job.design = *ParseDesign("bands:4x4");
  corpus.job.partition_bits = 1;
  corpus.job.rules.all_pairs = true;
  corpus.job.rules.agreement_floor = 1000;  // no pair is passed on
  corpus.codes.assign(corpus.documents * CodeCount(kSketch), 0);
  corpus.keys.assign(corpus.documents, {1});
  corpus.reps.assign(corpus.documents, true);
  const auto workspace = Ample();
  int asked = 0;
  // It asks some 230 times while the corpus is written, and as often again while it is compared.
  workspace->store().StopWhere([&asked] { return ++asked > 320; });
  const auto found = Find(corpus, workspace.get());
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().what, "interrupted");
}

TEST_F(FindCandidatesTest, ManyMorePairsThanPredictedAreAnError) {
  EXPECT_EQ(CandidateLimit().most(), CandidateLimit::kLeast);
  EXPECT_EQ((CandidateLimit{uint64_t{1} << 30, false}).most(), uint64_t{16} << 30);
  EXPECT_EQ((CandidateLimit{5, true}).most(), UINT64_MAX);
}

TEST_F(FindCandidatesTest, ACancelledRunIsAnError) {
  std::mt19937_64 random(3);
  const auto workspace = Ample();
  Observer observer;
  observer.cancelled = [] { return true; };
  const auto found = Find(RandomCorpus(&random), workspace.get(), observer);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().what, "interrupted");
}

}  // namespace
}  // namespace lookalike
