#include "search/classes_pass.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/small_workspace.h"

namespace lookalike {
namespace {

/// Documents of four inputs, one of which turned out unreadable in the middle of a unit.
struct Corpus {
  Job job;
  KnownInputs inputs;
  Ranking ranking;
  std::vector<ClassRecord> records;  ///< By document; `doc` is its number.
  std::set<DocNumber> alive;
};

Corpus RandomCorpus(std::mt19937_64* random) {
  Corpus corpus;
  corpus.inputs.first_of_source = {0};
  for (int source = 0; source < 4; ++source) {
    corpus.inputs.first_of_source.push_back(corpus.inputs.first_of_source.back() +
                                            (*random)() % 40);
    corpus.inputs.skipped.push_back(source == 2 && (*random)() % 2 == 0);
  }
  corpus.job.inputs = std::vector<InputFile>(4);
  corpus.job.reference_inputs = static_cast<uint32_t>((*random)() % 2);
  corpus.job.rules.all_pairs = (*random)() % 2 == 0;
  const DocNumber documents = corpus.inputs.first_of_source.back();
  for (uint32_t doc = 0; doc < documents; ++doc) {
    const uint64_t value = (*random)() % 50;
    // Documents without features take no part in a search, and have their own hash.
    const Searched searched = value < 5   ? Searched::kNot
                              : value < 9 ? Searched::kByFeatures
                                          : Searched::kByKeys;
    corpus.records.push_back({{value % 7, value / 7}, (*random)() % 2, doc, searched});
    const bool skipped = corpus.inputs.skipped[2] && doc >= corpus.inputs.first_of_source[2] &&
                         doc < corpus.inputs.first_of_source[3];
    if (!skipped) corpus.alive.insert(doc);
  }
  std::vector<DocNumber> order(documents);
  std::iota(order.begin(), order.end(), DocNumber{0});
  const auto own = corpus.inputs.first_of_source[corpus.job.reference_inputs];
  if ((*random)() % 2 == 0) {
    std::shuffle(order.begin() + static_cast<ptrdiff_t>(own), order.end(), *random);
    corpus.ranking = RankingOf(order);
  }
  return corpus;
}

class FindClassesTest : public WorkspaceTest {
 protected:
  static DocumentUnits UnitsOf(const Corpus& corpus, Workspace* workspace) {
    DocumentUnits units;
    units.inputs = corpus.inputs;
    units.documents = corpus.records.size();
    if (corpus.inputs.skipped[2]) units.skip_reasons[2] = "torn";
    for (DocNumber first = 0; first < units.documents; first += 17) {
      const DocNumber end = std::min<DocNumber>(first + 17, units.documents);
      const auto writer = workspace->store().Temporary(kUnitKeys, 4096);
      for (DocNumber doc = first; doc < end; ++doc) {
        ClassRecord record = corpus.records[doc];
        record.doc -= static_cast<uint32_t>(first);
        EXPECT_TRUE(writer->AppendRecord(kUnitClasses, record));
      }
      units.units.push_back({Got(writer->Finish()), first, end - first, 0, {}});
    }
    return units;
  }
};

TEST_F(FindClassesTest, EqualTheDefinition) {
  std::mt19937_64 random(1);
  size_t copies = 0, skipped = 0;
  for (int i = 0; i < 200; ++i) {
    const Corpus corpus = RandomCorpus(&random);
    const bool sides = corpus.job.rules.all_pairs && corpus.job.reference_inputs != 0;
    const Rank split = corpus.inputs.first_of_source[corpus.job.reference_inputs];
    std::map<std::pair<StreamHash, bool>, Rank> reps;  // by class, and side where it matters
    std::vector<ExactCopy> expected;
    std::set<DocNumber> expected_reps;
    std::map<StreamHash, Rank> first;
    for (Rank rank = 0; rank < corpus.records.size(); ++rank) {
      const DocNumber doc = corpus.ranking.DocOf(rank);
      const ClassRecord& record = corpus.records[doc];
      if (!corpus.alive.contains(doc)) continue;
      first.try_emplace(record.stream, rank);
      const auto [rep, is_new] = reps.try_emplace({record.stream, sides && rank < split}, rank);
      if (is_new) {
        if (record.searched != Searched::kNot) expected_reps.insert(doc);
        continue;
      }
      const ClassRecord& of_rep = corpus.records[corpus.ranking.DocOf(rep->second)];
      expected.push_back({rep->second, rank, of_rep.text_hash == record.text_hash ? 1U : 0U});
    }
    std::sort(expected.begin(), expected.end());
    std::vector<StreamHash> sample;
    std::vector<Rank> sampled;
    for (const auto& [stream, rank] : first) {
      if (random() % 3 != 0) continue;
      sample.push_back(stream);
      sampled.push_back(rank);
    }
    const auto workspace = i % 2 == 0 ? Ample() : Tiny();
    const DocumentUnits units = UnitsOf(corpus, workspace.get());
    const DocumentClasses classes =
        Got(FindClasses(corpus.job, units, corpus.ranking, sample, workspace.get()));
    ASSERT_EQ(classes.copies.size(), 1u);
    ASSERT_TRUE(RecordsOf<ExactCopy>(classes.copies[0]) == expected) << "corpus " << i;
    EXPECT_EQ(classes.copy_count, expected.size());
    EXPECT_EQ(classes.sampled, sampled);
    for (DocNumber doc = 0; doc < corpus.records.size(); ++doc) {
      ASSERT_EQ(classes.reps.Test(doc), expected_reps.contains(doc)) << "document " << doc;
    }
    copies += expected.size();
    skipped += corpus.records.size() - corpus.alive.size();
  }
  EXPECT_GT(copies, 2'000u);
  EXPECT_GT(skipped, 500u);
}

// Tasks divide the classes by their hashes: together they find what one process finds.
TEST_F(FindClassesTest, UnitsTogetherFindTheSame) {
  std::mt19937_64 random(2);
  size_t copies = 0;
  for (int i = 0; i < 50; ++i) {
    Corpus corpus = RandomCorpus(&random);
    for (ClassRecord& record : corpus.records) record.stream.low *= uint64_t{1} << 61;
    const std::vector<StreamHash> sample = {corpus.records.front().stream};
    const auto workspace = i % 2 == 0 ? Ample() : Tiny();
    const DocumentUnits units = UnitsOf(corpus, workspace.get());
    const DocumentClasses whole =
        Got(FindClasses(corpus.job, units, corpus.ranking, sample, workspace.get()));
    for (const uint32_t count : {1U, 4U, 16U}) {
      DocumentClasses classes;
      std::set<size_t> taken;
      // The tasks I/3 of three.
      for (size_t task = 0; task < 3; ++task) {
        ClassUnits which = {count, {}};
        for (size_t unit = task; unit < count; unit += 3) which.to_do.push_back(unit);
        std::vector<RunPointer> runs;
        const auto take = [&](size_t unit, const DocumentFlags&,
                              Sorted<ExactCopy>* some) -> Status {
          EXPECT_TRUE(taken.insert(unit).second);
          auto writer = workspace->store().Temporary(1);
          LOOKALIKE_RETURN_IF_ERROR(AppendSorted(some, 0, writer.get()));
          runs.push_back(Got(writer->Finish()));
          return {};
        };
        const DocumentFlags flags = Got(
            FindCopies(corpus.job, units, corpus.ranking, sample, which, workspace.get(), take));
        EXPECT_EQ(runs.size(), which.to_do.size());
        if (task == 0) classes.reps = flags.searched;
        EXPECT_EQ(flags.keyed.words(), whole.keyed.words());
        EXPECT_EQ(flags.sampled, whole.sampled);
        for (const RunPointer& run : runs) ASSERT_TRUE(classes.AddCopies(run, corpus.ranking));
      }
      EXPECT_EQ(taken.size(), count);
      std::vector<ExactCopy> found;
      CopyReader reader(classes);
      while (const ExactCopy* copy = reader.Next()) found.push_back(*copy);
      ASSERT_TRUE(found == RecordsOf<ExactCopy>(whole.copies[0])) << count << " units";
      EXPECT_EQ(classes.copy_count, whole.copy_count);
      EXPECT_EQ(classes.reps.words(), whole.reps.words());
      if (count == 16) {
        const auto has_some = [](const RunPointer& run) { return run->bytes(0) != 0; };
        copies += std::count_if(classes.copies.begin(), classes.copies.end(), has_some);
      }
    }
  }
  EXPECT_GT(copies, 150u) << "copies in several units";
}

}  // namespace
}  // namespace lookalike
