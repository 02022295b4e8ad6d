// A workspace for a test, and runs like those that earlier stages would leave in it.
#ifndef LOOKALIKE_TESTS_ENGINE_SMALL_WORKSPACE_H_
#define LOOKALIKE_TESTS_ENGINE_SMALL_WORKSPACE_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "run/workspace.h"
#include "search/search.h"
#include "spill/record_reader.h"

namespace lookalike {

constexpr uint64_t kAmpleMemory = uint64_t{64} << 20;

/// Returns the value of a result that must have one.
template <class T>
T Got(Result<T> result) {
  if (!result) ADD_FAILURE() << result.error().ToString();
  return std::move(result).value();
}

/// A test with its own folder, and workspaces in it.
class WorkspaceTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    root_ = ::testing::TempDir() + "lookalike_" + test->test_suite_name() + "_" + test->name();
    std::filesystem::remove_all(root_);
    std::filesystem::create_directories(root_);
  }
  void TearDown() override { std::filesystem::remove_all(root_); }

  /// Returns a setup without a journal. `work`: bytes for the current stage; `held`: for finished
  /// runs.
  [[nodiscard]] Workspace::Setup Setup(uint64_t work, uint64_t held) const {
    Workspace::Setup setup;
    setup.scratch = root_ + "/scratch";
    setup.memory.total = work + held;
    setup.memory.batches = 2;
    setup.memory.engine = work + held;
    setup.memory.held = held;
    setup.memory.work = work;
    return setup;
  }

  [[nodiscard]] std::unique_ptr<Workspace> Ample() const {
    return Got(Workspace::Open(Setup(kAmpleMemory, kAmpleMemory)));
  }

  /// Returns a workspace in which nothing is held, and every sorter spills after a few records.
  [[nodiscard]] std::unique_ptr<Workspace> Tiny(uint64_t work = 256) const {
    return Got(Workspace::Open(Setup(work, 0)));
  }

  std::string root_;
};

/// Returns a run of these records in one stream.
template <class T>
RunPointer RunOf(const std::vector<T>& records, Workspace* workspace) {
  const auto writer = workspace->store().Temporary(1, 4096);
  EXPECT_TRUE(writer->Append(0, std::as_bytes(std::span(records))));
  return Got(writer->Finish());
}

/// Returns all records of a stream.
template <class T>
std::vector<T> RecordsOf(const RunPointer& run, uint32_t stream = 0) {
  std::vector<T> records;
  RecordReader<T> reader({run}, stream);
  while (const T* record = reader.Next()) records.push_back(*record);
  EXPECT_TRUE(reader.status());
  return records;
}

/// Adds the sets of a unit's documents.
inline void AddSets(const std::map<DocNumber, std::vector<uint64_t>>& sets, const Unit& unit,
                    Workspace* workspace, StoredSets* stored) {
  constexpr uint32_t kEnds = 0, kFeatures = 1, kStreams = 3;  // as CollectSets writes them
  const auto writer = workspace->store().Temporary(kStreams, 4096);
  const auto end = sets.lower_bound(unit.first + unit.documents);
  for (auto at = sets.lower_bound(unit.first); at != end; ++at) {
    EXPECT_TRUE(writer->Append(kFeatures, std::as_bytes(std::span(at->second))));
    EXPECT_TRUE(writer->AppendRecord(kEnds, writer->bytes(kFeatures)));
  }
  stored->AddPart(Got(writer->Finish()), kEnds, kFeatures, unit);
}

/// Returns stored sets that are still empty, with the flags of the documents that will have a set.
inline StoredSets NoSetsYet(const std::map<DocNumber, std::vector<uint64_t>>& sets,
                            uint64_t documents) {
  Bitmap wanted(documents);
  for (const auto& [doc, set] : sets) wanted.Set(doc);
  return StoredSets(std::move(wanted));
}

/// Returns the feature sets of some of `documents` documents.
inline StoredSets SetsOf(const std::map<DocNumber, std::vector<uint64_t>>& sets, uint64_t documents,
                         Workspace* workspace) {
  StoredSets stored = NoSetsYet(sets, documents);
  Unit unit;
  unit.documents = documents;
  AddSets(sets, unit, workspace, &stored);
  return stored;
}

/// Returns a ranking by the order in which documents are kept.
inline Ranking RankingOf(std::vector<DocNumber> order) {
  Ranking ranking;
  ranking.order = std::move(order);
  ranking.ranks.resize(ranking.order.size());
  for (Rank rank = 0; rank < ranking.order.size(); ++rank) {
    ranking.ranks[ranking.order[rank]] = rank;
  }
  ranking.levels = KeepLevels(std::vector<KeepLevel>(ranking.order.size(), KeepLevel::kInputOrder));
  return ranking;
}

/// Returns edges of a search, sorted by (d, a), cut into `runs` runs.
inline VerifiedEdges EdgesOf(std::vector<Edge> edges, size_t runs, Workspace* workspace) {
  std::sort(edges.begin(), edges.end(),
            [](const Edge& x, const Edge& y) { return x.d != y.d ? x.d < y.d : x.a < y.a; });
  VerifiedEdges verified;
  verified.edges = edges.size();
  for (size_t i = 0; i < runs; ++i) {
    const size_t begin = edges.size() * i / runs, end = edges.size() * (i + 1) / runs;
    verified.runs.push_back(
        RunOf(std::vector<Edge>(edges.begin() + begin, edges.begin() + end), workspace));
  }
  return verified;
}

/// Sets the fields of a job and a search for a reference, the first `reference` documents (0: there
/// is none), and for the inputs.
inline void SetCollections(uint64_t reference, uint64_t documents, Job* job, SearchResult* search) {
  DocumentUnits& units = search->units;
  units.documents = documents;
  if (reference != 0) units.inputs.first_of_source.push_back(0);
  units.inputs.first_of_source.insert(units.inputs.first_of_source.end(), {reference, documents});
  job->reference_inputs = reference != 0 ? 1 : 0;
  std::vector<InputFile> files(units.inputs.first_of_source.size() - 1);
  for (size_t i = 0; i < files.size(); ++i) files[i].name = "in" + std::to_string(i);
  job->inputs = files;
  units.inputs.skipped.resize(job->inputs.size());
  units.rejected.resize(job->inputs.size());
}

}  // namespace lookalike

#endif  // LOOKALIKE_TESTS_ENGINE_SMALL_WORKSPACE_H_
