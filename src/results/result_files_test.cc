#include "results/result_files.h"

#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/small_workspace.h"
#include "results/result_rows.h"

namespace lookalike {
namespace {

std::vector<std::string> LinesOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

class ResultFilesTest : public WorkspaceTest {
 protected:
  void SetUp() override {
    WorkspaceTest::SetUp();
    workspace_ = Ample();
  }

  /// Returns members for all documents; their ids are d0, d1, ...
  StoredMembers MembersOf(const SearchResult& search) {
    const uint64_t documents = search.units.documents;
    const auto& first = search.units.inputs.first_of_source;
    Bitmap named(documents);
    for (DocNumber doc = 0; doc < documents; ++doc) named.Set(doc);
    StoredMembers members(std::move(named), {}, 0);
    const auto writer = workspace_->store().Temporary(StoredMembers::kStreams, 1 << 16);
    for (uint32_t source = 0; source + 1 < first.size(); ++source) {
      for (DocNumber doc = first[source]; doc < first[source + 1]; ++doc) {
        const std::string id = "d" + std::to_string(doc);
        DocumentBatch batch;
        batch.source = source;
        batch.documents.emplace_back();
        batch.documents[0].id = id;
        batch.documents[0].has_id = true;
        batch.documents[0].row = doc - first[source] + 1;
        EXPECT_TRUE(members.Append(batch, doc, 0, writer.get()));
      }
    }
    EXPECT_TRUE(members.AddPart(Got(writer->Finish()), 0, documents));
    return members;
  }

  /// Writes the files of a result below the test's folder.
  Status Write(const Job& job, const Decisions& decisions, const StoredMembers& members) {
    ResultFiles files(root_);
    LOOKALIKE_RETURN_IF_ERROR(files.Begin(RemovalLayout(job)));
    LOOKALIKE_RETURN_IF_ERROR(GiveRemovals(job, decisions, members, {}, {&files, nullptr}));
    LOOKALIKE_RETURN_IF_ERROR(GiveClusters(job, decisions, members, {&files, nullptr}));
    return files.End();
  }

  std::unique_ptr<Workspace> workspace_;
};

// 3 and 4 are like 0, which is from another input, and 2 is a copy of 1. With --keep, 4 ranks
// before 3.
TEST_F(ResultFilesTest, ALineForEachRemovedDocumentAndForEachCluster) {
  Job job;
  SearchResult search;
  SetCollections(3, 5, &job, &search);
  job.reference_inputs = 0;
  search.ranking = RankingOf({0, 1, 2, 4, 3});
  search.classes.copies = {RunOf<ExactCopy>({{1, 2, 1}}, workspace_.get())};
  search.edges = EdgesOf({{0, 3, 9, 10, 10}, {0, 4, 8, 8, 10}}, 1, workspace_.get());
  const Decisions decisions = Got(Decide(job, search, workspace_.get()));
  const StoredMembers members = MembersOf(search);
  ASSERT_TRUE(Write(job, decisions, members));
  EXPECT_EQ(LinesOf(root_ + "/removed.jsonl"),
            (std::vector<std::string>{
                R"({"id": "d2", "source": "in0", "row": 3, "kind": "identical", )"
                R"("duplicate_of": "d1", "duplicate_of_source": null, "duplicate_of_row": 2, )"
                R"("resemblance": 1.0, "cluster": 2})",
                R"({"id": "d3", "source": "in1", "row": 1, "kind": "near", )"
                R"("duplicate_of": "d0", "duplicate_of_source": "in0", "duplicate_of_row": 1, )"
                R"("resemblance": 0.8, "cluster": 1})",
                R"({"id": "d4", "source": "in1", "row": 2, "kind": "near", )"
                R"("duplicate_of": "d0", "duplicate_of_source": "in0", "duplicate_of_row": 1, )"
                R"("resemblance": 0.8181818181818182, "cluster": 1})"}));
  EXPECT_EQ(LinesOf(root_ + "/clusters.jsonl"),
            (std::vector<std::string>{
                R"({"cluster": 1, "size": 3, "kept": ["d0"], "members": ["d0", "d3", "d4"]})",
                R"({"cluster": 2, "size": 2, "kept": ["d1"], "members": ["d1", "d2"]})"}));
}

TEST_F(ResultFilesTest, NothingRemovedIsAnEmptyFile) {
  Job job;
  SearchResult search;
  SetCollections(0, 2, &job, &search);
  search.classes.copies = {RunOf<ExactCopy>({}, workspace_.get())};
  const Decisions decisions = Got(Decide(job, search, workspace_.get()));
  const StoredMembers members;
  ASSERT_TRUE(Write(job, decisions, members));
  EXPECT_TRUE(LinesOf(root_ + "/removed.jsonl").empty());
  EXPECT_TRUE(LinesOf(root_ + "/clusters.jsonl").empty());
}

TEST_F(ResultFilesTest, AListThatEndsTooEarlyIsAnError) {
  Job job;
  SearchResult search;
  SetCollections(0, 4, &job, &search);
  search.classes.copies = {RunOf<ExactCopy>({{0, 1, 1}, {2, 3, 1}}, workspace_.get())};
  const Decisions decisions = Got(Decide(job, search, workspace_.get()));
  const StoredMembers members = MembersOf(search);
  const auto said = [](const auto& done) { return done ? "" : done.error().what; };
  {
    Decisions short_one = decisions;
    const auto writer = workspace_->store().Temporary(2, 4096);
    for (const DocNumber doc : {0, 1}) ASSERT_TRUE(writer->AppendRecord(0, doc));
    ASSERT_TRUE(writer->AppendRecord(1, uint64_t{2}));
    short_one.clusters.members = Got(writer->Finish());
    EXPECT_NE(said(Write(job, short_one, members)).find("ended too early"), std::string::npos);
  }
  {
    Decisions short_one = decisions;
    short_one.clusters.by_doc = RunOf<ClusterOfDoc>({}, workspace_.get());
    EXPECT_NE(said(Write(job, short_one, members)).find("ended too early"), std::string::npos);
  }
  {
    Decisions short_one = decisions;
    short_one.removals = RunOf<DocRemoval>({}, workspace_.get());
    EXPECT_NE(said(Write(job, short_one, members)).find("ended too early"), std::string::npos);
  }
}

// The cluster has more members than fit in memory at a time.
TEST_F(ResultFilesTest, AGiantClusterIsWrittenInPieces) {
  constexpr uint64_t kDocuments = 40'000;
  Job job;
  SearchResult search;
  SetCollections(0, kDocuments, &job, &search);
  std::vector<ExactCopy> copies;
  for (Rank rank = 1; rank < kDocuments; ++rank) copies.push_back({0, rank, 1});
  search.classes.copies = {RunOf(copies, workspace_.get())};
  const Decisions decisions = Got(Decide(job, search, workspace_.get()));
  const StoredMembers members = MembersOf(search);
  ASSERT_TRUE(Write(job, decisions, members));
  std::string expected = R"({"cluster": 1, "size": 40000, "kept": ["d0"], "members": ["d0")";
  for (uint64_t doc = 1; doc < kDocuments; ++doc) expected += ", \"d" + std::to_string(doc) + "\"";
  const auto lines = LinesOf(root_ + "/clusters.jsonl");
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_TRUE(lines[0] == expected + "]}");
  EXPECT_EQ(LinesOf(root_ + "/removed.jsonl").size(), kDocuments - 1);
}

}  // namespace
}  // namespace lookalike
