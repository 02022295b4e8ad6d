#include "run/members.h"

#include <gtest/gtest.h>

#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/small_workspace.h"

namespace lookalike {
namespace {

DocumentBatch BatchOf(const std::vector<std::string>& texts, uint64_t first_row) {
  DocumentBatch batch;
  for (const std::string& text : texts) {
    batch.documents.emplace_back();
    batch.documents.back().text = text;
    batch.documents.back().row = first_row++;
  }
  return batch;
}

Job JobOfOneInput() {
  Job job;
  std::vector<InputFile> files(1);
  files[0].name = "in.jsonl";
  job.inputs = files;
  return job;
}

Bitmap Named(uint64_t documents, const std::vector<DocNumber>& docs) {
  Bitmap named(documents);
  for (const DocNumber doc : docs) named.Set(doc);
  return named;
}

class StoredMembersTest : public WorkspaceTest {
 protected:
  void SetUp() override {
    WorkspaceTest::SetUp();
    workspace_ = Tiny();
    Begin();
  }

  void Begin() {
    writer_ = workspace_->store().Temporary(kFirstStream + StoredMembers::kStreams, 4096);
  }

  /// Ends a part that reaches to document `end`.
  Status EndPart(DocNumber end, StoredMembers* members) {
    const RunPointer run = Got(writer_->Finish());
    Begin();
    return members->AddPart(run, kFirstStream, end);
  }

  static constexpr uint32_t kFirstStream = 2;  // others use the streams before
  std::unique_ptr<Workspace> workspace_;
  std::unique_ptr<RunWriter> writer_;
};

TEST_F(StoredMembersTest, ExcerptsEndBetweenCodePoints) {
  const std::string text = "a\u00e9\u20ac\U0001F600";  // 1, 2, 3 and 4 bytes
  const size_t ends[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 10};
  for (size_t bytes = 0; bytes < std::size(ends); ++bytes) {
    StoredMembers members(Named(1, {0}), {0}, bytes);
    const std::vector<std::string> texts = {text};
    ASSERT_TRUE(members.Append(BatchOf(texts, 1), 0, kFirstStream, writer_.get()));
    ASSERT_TRUE(EndPart(1, &members));
    EXPECT_EQ(members.ExcerptOf(0)->text, text.substr(0, ends[bytes])) << bytes;
    EXPECT_EQ(members.ExcerptOf(0)->cut, ends[bytes] < text.size()) << bytes;
  }
}

// Values before the further texts are of guards.
TEST_F(StoredMembersTest, ExcerptsOfSeveralFieldsHaveLabelsAndEqualParts) {
  const std::vector<std::string> texts = {"oak chair", "", "garden chair"};
  DocumentBatch batch = BatchOf(texts, 1);
  batch.documents[0].values = {"en", "a chair of oak"};
  batch.documents[1].values = {std::nullopt, "a bench"};
  batch.documents[2].values = {"en", std::nullopt};
  StoredMembers members(Named(3, {0, 1, 2}), {0, 1, 2}, 20, HtmlMode::kOff, {{"title", "body"}, 1});
  ASSERT_TRUE(members.Append(batch, 0, kFirstStream, writer_.get()));
  ASSERT_TRUE(EndPart(3, &members));
  EXPECT_EQ(members.ExcerptOf(0)->text, "title: oak chair\nbody: a chair of");
  EXPECT_TRUE(members.ExcerptOf(0)->cut);
  EXPECT_EQ(members.ExcerptOf(1)->text, "body: a bench");
  EXPECT_FALSE(members.ExcerptOf(1)->cut);
  EXPECT_EQ(members.ExcerptOf(2)->text, "title: garden cha");
}

TEST_F(StoredMembersTest, TakesWhatIsNamedBatchByBatchAndPartByPart) {
  const std::vector<std::string> first = {"zero", "one", "two"}, second = {"three", "four"};
  const Job job = JobOfOneInput();
  StoredMembers members(Named(6, {1, 2, 4, 5}), {2, 5}, 100);
  ASSERT_TRUE(members.Append(BatchOf(first, 11), 0, kFirstStream, writer_.get()));
  DocumentBatch batch = BatchOf(second, 21);
  batch.documents[1].has_id = true;
  batch.documents[1].id = "fourth";
  ASSERT_TRUE(members.Append(batch, 3, kFirstStream, writer_.get()));
  ASSERT_TRUE(EndPart(5, &members));
  const std::vector<std::string> third = {"five"};
  batch = BatchOf(third, 1);
  batch.documents[0].has_id = true;  // and it is empty
  ASSERT_TRUE(members.Append(batch, 5, kFirstStream, writer_.get()));
  ASSERT_TRUE(EndPart(6, &members));

  const MemberList list = Got(members.Gather(job, {5, 1, 4, 1, 2}));
  EXPECT_EQ(list.Of(1).id, "in.jsonl:12") << "where there is no id, the place is";
  EXPECT_EQ(list.Of(2).id, "in.jsonl:13");
  EXPECT_EQ(list.Of(4).id, "fourth");
  EXPECT_EQ(list.Of(4).row, 22u);
  EXPECT_EQ(list.Of(5).id, "");
  EXPECT_EQ(list.Of(5).doc, 5u);
  EXPECT_EQ(members.ExcerptOf(2)->text, "two");
  EXPECT_EQ(members.ExcerptOf(5)->text, "five");
  EXPECT_EQ(Got(members.Gather(job, {4})).Of(4).id, "fourth");
  EXPECT_TRUE(members.Gather(job, {}));
}

// Covers parts of documents that nothing names, and members longer than a single read.
TEST_F(StoredMembersTest, AnyPartsOfAnyLength) {
  const Job job = JobOfOneInput();
  constexpr DocNumber kDocuments = 300;
  std::vector<DocNumber> named;
  for (DocNumber doc = 0; doc < kDocuments; ++doc) {
    if (doc % 100 < 20) named.push_back(doc);
  }
  StoredMembers members(Named(kDocuments, named), {}, 0);
  for (DocNumber doc = 0; doc < kDocuments; ++doc) {
    const std::string id(doc * 37, static_cast<char>('a' + doc % 26));
    DocumentBatch batch = BatchOf({""}, doc + 1);
    batch.documents[0].has_id = true;
    batch.documents[0].id = id;
    ASSERT_TRUE(members.Append(batch, doc, kFirstStream, writer_.get()));
    if (doc % 10 == 9) {
      ASSERT_TRUE(EndPart(doc + 1, &members));
    }
  }
  const MemberList list = Got(members.Gather(job, named));
  for (const DocNumber doc : named) {
    EXPECT_EQ(list.Of(doc).id, std::string(doc * 37, static_cast<char>('a' + doc % 26)));
    EXPECT_EQ(list.Of(doc).row, doc + 1);
  }
}

TEST_F(StoredMembersTest, APartThatMissesADocumentIsAnError) {
  const std::vector<std::string> texts = {"zero", "one"};
  StoredMembers members(Named(3, {0, 2}), {}, 0);
  ASSERT_TRUE(members.Append(BatchOf(texts, 1), 0, kFirstStream, writer_.get()));
  const Status status = EndPart(3, &members);
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().what.find("changed"), std::string::npos);
}

}  // namespace
}  // namespace lookalike
