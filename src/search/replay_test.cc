#include "search/replay.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/small_workspace.h"
#include "run/resolve_job.h"
#include "search/measured_search.h"

namespace lookalike {
namespace {

using Json = nlohmann::json;
using Rows = std::vector<Json>;

/// Returns `count` words: the first `common` of a text that others have as well, and own ones.
std::string Words(int common, int count, const std::string& own) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    text += (i < common ? "w" : own) + std::to_string(i) + " ";
  }
  return text;
}

/// Two texts of 10 and 20 words that have 5 in common, so that they are alike by 5 / 25.
Rows TwoTexts() {
  return {{{"id", "short"}, {"text", Words(10, 10, "")}},
          {{"id", "long"}, {"text", Words(5, 20, "x")}}};
}

/// Replays decisions at the end of a run of `dedup`.
class ReplayTest : public WorkspaceTest {
 protected:
  void SetUp() override {
    WorkspaceTest::SetUp();
    std::filesystem::create_directories(root_ + "/old");
    options_.shingle = "word:1";
    options_.threshold = .8;
    options_.method = "exact";
    inputs_ = {root_ + "/in.jsonl"};
  }

  void Write(const std::string& name, const Rows& rows) const {
    std::ofstream file(root_ + "/" + name, std::ios::binary);
    for (const Json& row : rows) file << row.dump() << "\n";
  }

  void Resolve() {
    job_ = Got(ResolveJob({inputs_}, options_, {.spool_dir = root_ + "/spool"}));
    job_.people.hash = "those of the test";
  }

  /// Returns a document of an input as decisions name it.
  ListedDocument At(uint32_t source, uint64_t row, const std::string& id) const {
    return {id, std::string(job_.inputs.NameOf(source)), row, source < job_.reference_inputs};
  }

  void Add(DecisionKind kind, std::vector<ListedDocument> documents) {
    const uint64_t number = job_.people.decisions.size() + 1;
    job_.people.decisions.push_back({number, kind, 1, std::move(documents), ""});
  }

  Result<MeasuredSearch> Run() {
    return SearchAsAsked(Purpose::kDecisions, {}, &job_, &*workspace_);
  }

  std::map<DocNumber, DocRemoval> Removals() {
    std::map<DocNumber, DocRemoval> removals;
    const MeasuredSearch made = Got(Run());
    for (const DocRemoval& removal : RecordsOf<DocRemoval>(made.decisions->removals)) {
      removals.emplace(removal.doc, removal);
    }
    return removals;
  }

  /// Merges the two documents of the only input, and returns why the second one is gone.
  DocRemoval Merged(const Rows& rows) {
    Write("in.jsonl", rows);
    Resolve();
    Add(DecisionKind::kMerge, {At(0, 1, rows[0]["id"]), At(0, 2, rows[1]["id"])});
    const auto removals = Removals();
    EXPECT_EQ(removals.size(), 1u);
    const auto at = removals.find(1);
    if (at == removals.end()) return {};
    EXPECT_EQ(at->second.witness, 0u);
    return at->second;
  }

  std::string WhyRefused() {
    const auto made = Run();
    return made ? "" : made.error().ToString();
  }

  Options options_;
  std::vector<std::string> inputs_;
  Job job_;
  std::unique_ptr<Workspace> workspace_;
};

TEST_F(ReplayTest, SharesAreThoseOfTheRemovedDocumentAndOfItsWitness) {
  workspace_ = Ample();
  const DocRemoval removal = Merged(TwoTexts());
  EXPECT_EQ(removal.resemblance, 5. / 25);
  EXPECT_EQ(removal.in_witness, 5. / 20) << "of the long text, the witness has 5 words";
  EXPECT_EQ(removal.of_witness, 5. / 10);
  EXPECT_EQ(removal.kept_by, KeepLevel::kDecision);
  EXPECT_EQ(removal.kind, RemovalKind::kNear);
}

TEST_F(ReplayTest, TheWitnessMayHaveTheLaterRank) {
  workspace_ = Ample();
  Write("in.jsonl", TwoTexts());
  Resolve();
  Add(DecisionKind::kMerge, {At(0, 1, "short"), At(0, 2, "long")});
  Add(DecisionKind::kKeep, {At(0, 2, "long")});
  const auto removals = Removals();
  ASSERT_EQ(removals.size(), 1u);
  const DocRemoval& removal = removals.at(0);
  EXPECT_EQ(removal.witness, 1u);
  EXPECT_EQ(removal.resemblance, 5. / 25);
  EXPECT_EQ(removal.in_witness, 5. / 10);
  EXPECT_EQ(removal.of_witness, 5. / 20);
}

TEST_F(ReplayTest, AMergeIsScoredWhateverGuardsSay) {
  for (const char* guard : {"same", "not-same", "differ"}) {
    SCOPED_TRACE(guard);
    workspace_ = Ample();
    options_.same = options_.not_same = options_.differ = {};
    (guard[0] == 's'   ? options_.same
     : guard[0] == 'n' ? options_.not_same
                       : options_.differ) = {"lang"};
    Rows rows = TwoTexts();
    rows[0]["lang"] = "en";
    rows[1]["lang"] = guard[0] == 'n' ? "en" : "de";
    EXPECT_EQ(Merged(rows).resemblance, 5. / 25);
  }
}

TEST_F(ReplayTest, AMergeIsScoredByTheFieldInWhichItIsLeastAlike) {
  workspace_ = Ample();
  options_.text_field = {"title", "text"};
  options_.threshold.fields = {{"title", .9}, {"text", .8}};
  Rows rows = TwoTexts();
  rows[0]["title"] = Words(6, 8, "y");
  rows[1]["title"] = Words(6, 7, "z");
  DocRemoval removal = Merged(rows);
  EXPECT_EQ(removal.resemblance, 5. / 25) << "the titles have 6 of 9 words in common";
  EXPECT_EQ(removal.in_witness, 5. / 20);
  rows[1]["text"] = Words(9, 10, "x");
  workspace_ = Ample();
  removal = Merged(rows);
  EXPECT_EQ(removal.resemblance, 6. / 9);
  EXPECT_EQ(removal.in_witness, 6. / 7);
  EXPECT_EQ(removal.of_witness, 6. / 8);
}

TEST_F(ReplayTest, ADocumentOfTheReferenceIsNotOneOfTheInputsOfTheSameName) {
  workspace_ = Ample();
  Rows rows = TwoTexts();
  Write("old/in.jsonl", {rows[0], rows[0]});
  Write("in.jsonl", {rows[1], {{"id", "other"}, {"text", Words(0, 12, "other")}}});
  Write("only.jsonl", {rows[1]});
  options_.against = {root_ + "/old"};
  inputs_ = {root_};
  options_.exclude = {"old"};
  Resolve();
  ASSERT_EQ(job_.reference_inputs, 1u);
  ASSERT_EQ(job_.inputs.size(), 3u);
  ASSERT_EQ(job_.inputs.NameOf(0), job_.inputs.NameOf(1));
  Add(DecisionKind::kMerge, {At(0, 1, "short"), At(1, 2, "other")});
  auto removals = Removals();
  ASSERT_EQ(removals.size(), 2u);
  EXPECT_EQ(removals.at(3).witness, 0u);
  EXPECT_EQ(removals.at(4).witness, 2u) << "a copy in another input";

  job_.people.decisions.clear();
  workspace_ = Ample();
  Add(DecisionKind::kMerge, {At(1, 1, "long"), At(1, 2, "other")});
  removals = Removals();
  ASSERT_EQ(removals.size(), 2u);
  EXPECT_EQ(removals.at(3).witness, 2u) << "the first document of the inputs";

  const auto refusal = [&](const std::string& source, bool in_reference) {
    job_.people.decisions.clear();
    workspace_ = Ample();
    Add(DecisionKind::kKeep, {{"long", source, 1, in_reference}});
    return WhyRefused();
  };
  const std::string unknown = "which the inputs of this result do not have";
  EXPECT_NE(refusal("elsewhere.jsonl", false).find(unknown), std::string::npos);
  EXPECT_NE(refusal("elsewhere.jsonl", true).find(unknown), std::string::npos);
  const std::string only(job_.inputs.NameOf(2));
  EXPECT_EQ(refusal(only, false), "");
  EXPECT_NE(refusal(only, true).find(unknown), std::string::npos) << "no input of the reference";
}

TEST_F(ReplayTest, ARowMustHaveTheDocumentThatWasDecidedAbout) {
  Rows rows = TwoTexts();
  rows.insert(rows.begin() + 1, Json{{"id", "rejected"}, {"text", 7}});
  Write("in.jsonl", rows);
  const auto refusal = [&](uint64_t row, const std::string& id) {
    workspace_ = Ample();
    Resolve();
    Add(DecisionKind::kSplit, {At(0, row, id)});
    return WhyRefused();
  };
  EXPECT_EQ(refusal(3, "long"), "");
  const std::string moved = refusal(1, "long");
  EXPECT_NE(moved.find("names the document \"long\" at "), std::string::npos) << moved;
  EXPECT_NE(moved.find("where \"short\" is now"), std::string::npos) << moved;
  EXPECT_NE(refusal(2, "rejected").find("which the inputs of this result do not have"),
            std::string::npos)
      << "a row that is not a document";
  EXPECT_NE(refusal(4, "long").find("which the inputs of this result do not have"),
            std::string::npos);
}

TEST_F(ReplayTest, InputsThatWereSkippedHaveNoDocuments) {
  Write("in.jsonl", TwoTexts());
  std::ofstream(root_ + "/bad.parquet", std::ios::binary) << "PAR1 and nothing else";
  inputs_.insert(inputs_.begin(), root_ + "/bad.parquet");
  options_.skip_bad_inputs = true;
  workspace_ = Ample();
  Resolve();
  ASSERT_EQ(job_.inputs.size(), 2u);
  Add(DecisionKind::kMerge, {At(1, 1, "short"), At(1, 2, "long")});
  EXPECT_EQ(Removals().size(), 1u);
  workspace_ = Ample();
  Add(DecisionKind::kKeep, {At(0, 1, "short")});
  EXPECT_NE(WhyRefused().find("decision 2 names the document"), std::string::npos);
}

TEST_F(ReplayTest, DecisionsThatWereTakenBackChangeNothing) {
  workspace_ = Ample();
  Write("in.jsonl", TwoTexts());
  Resolve();
  Add(DecisionKind::kNone, {});
  Add(DecisionKind::kMerge, {At(0, 1, "short"), At(0, 2, "long")});
  Add(DecisionKind::kNone, {});
  const SearchResult search = Got(Search(job_, {}, &*workspace_));
  ASSERT_EQ(search.replay->decisions.size(), 1u);
  EXPECT_EQ(search.replay->decisions[0].kind, DecisionKind::kMerge);
  EXPECT_EQ(search.replay->decisions[0].documents, (std::vector<DocNumber>{0, 1}));
}

}  // namespace
}  // namespace lookalike
