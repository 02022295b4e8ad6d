#include "batch/members.h"

#include <gtest/gtest.h>

#include <iterator>
#include <string>
#include <vector>

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
  job.inputs.resize(1);
  job.inputs[0].name = "in.jsonl";
  return job;
}

/// The excerpt of a text of which at most so many bytes are shown.
Member ExcerptOf(const std::string& text, size_t bytes) {
  MemberTable members({0}, {0}, bytes);
  const std::vector<std::string> texts = {text};
  members.Take(JobOfOneInput(), BatchOf(texts, 1), 0);
  return members.Of(0);
}

TEST(MemberTableTest, ExcerptsEndBetweenCodePoints) {
  const std::string text = "a\u00e9\u20ac\U0001F600";  // 1, 2, 3 and 4 bytes
  const size_t ends[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 10};
  for (size_t bytes = 0; bytes < std::size(ends); ++bytes) {
    const Member member = ExcerptOf(text, bytes);
    EXPECT_EQ(member.excerpt, text.substr(0, ends[bytes])) << bytes;
    EXPECT_EQ(member.cut, ends[bytes] < text.size()) << bytes;
  }
}

TEST(MemberTableTest, TakesWhatIsWantedBatchByBatch) {
  const std::vector<std::string> first = {"zero", "one", "two"}, second = {"three", "four"};
  const Job job = JobOfOneInput();
  MemberTable members({1, 2, 4}, {2}, 100);
  members.Take(job, BatchOf(first, 11), 0);
  EXPECT_FALSE(members.complete());
  DocumentBatch batch = BatchOf(second, 21);
  batch.documents[1].has_id = true;
  batch.documents[1].id = "fourth";
  members.Take(job, batch, 3);
  EXPECT_TRUE(members.complete());
  EXPECT_EQ(members.Of(1).id, "in.jsonl:12") << "where there is no id, the place is";
  EXPECT_EQ(members.Of(4).id, "fourth");
  EXPECT_EQ(members.Of(4).row, 22u);
  EXPECT_EQ(members.Of(1).excerpt, "");
  EXPECT_EQ(members.Of(2).excerpt, "two");
}

}  // namespace
}  // namespace lookalike
