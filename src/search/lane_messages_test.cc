#include "search/lane_messages.h"

#include <gtest/gtest.h>

namespace lookalike {
namespace {

class LaneMessagesTest : public ::testing::Test {
 protected:
  LaneMessagesTest() {
    for (const char* path : {"a.jsonl", "b.jsonl"}) {
      InputFile file;
      file.path = path;
      job_.inputs.Add(file);
    }
    observer_.message = [&](std::string_view line) { told_.emplace_back(line); };
  }

  Job job_;
  Observer observer_;
  std::vector<std::string> told_;
};

TEST_F(LaneMessagesTest, ComeInTheOrderOfLanesWithTheRowsOfTheInput) {
  LaneMessages messages(job_, observer_);
  EXPECT_TRUE(messages.Add(2, {0, 1, "third"}));
  EXPECT_TRUE(messages.Add(1, {0, 5, "second"}));
  EXPECT_TRUE(messages.Add(1, {0, 0, "a.jsonl: is damaged; input skipped"}));
  EXPECT_TRUE(told_.empty());
  EXPECT_TRUE(messages.Add(0, {0, 7, "first"}));
  EXPECT_EQ(told_, (std::vector<std::string>{"a.jsonl:7: first"}));
  EXPECT_TRUE(messages.GoOn(10));
  EXPECT_TRUE(messages.Add(1, {0, 6, "later"}));
  EXPECT_TRUE(messages.GoOn(30));
  EXPECT_TRUE(messages.Add(2, {0, 0, "a.jsonl: is damaged; input skipped"}));
  EXPECT_EQ(told_, (std::vector<std::string>{"a.jsonl:7: first", "a.jsonl:15: second",
                                             "a.jsonl: is damaged; input skipped",
                                             "a.jsonl:16: later", "a.jsonl:31: third"}))
      << "an input is skipped once";
}

// A later lane that is read first neither ends the run nor hides a message.
TEST_F(LaneMessagesTest, TheLimitEndsTheRunAfterTheSameMessages) {
  job_.options.max_errors = 2;
  LaneMessages messages(job_, observer_);
  for (uint64_t row = 1; row < 9; ++row) {
    EXPECT_TRUE(messages.Add(1, {0, row, std::to_string(row)}));
  }
  EXPECT_TRUE(messages.Add(0, {0, 3, "x"}));
  EXPECT_TRUE(told_.size() == 1);
  const Status status = messages.GoOn(10);
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().what.find("more than 2 records"), std::string::npos);
  EXPECT_EQ(told_, (std::vector<std::string>{"a.jsonl:3: x", "a.jsonl:11: 1", "a.jsonl:12: 2"}));
}

TEST_F(LaneMessagesTest, RecordsOfASkippedInputDoNotCount) {
  job_.options.max_errors = 2;
  LaneMessages messages(job_, observer_);
  EXPECT_TRUE(messages.Add(0, {0, 1, "x"}));
  EXPECT_TRUE(messages.Add(0, {0, 2, "x"}));
  EXPECT_TRUE(messages.Add(0, {0, 0, "a.jsonl: is damaged; input skipped"}));
  EXPECT_TRUE(messages.Add(0, {0, 9, "of another lane of it"}));
  EXPECT_TRUE(messages.Add(0, {1, 1, "x"}));
  EXPECT_TRUE(messages.Add(0, {1, 2, "x"}));
  EXPECT_FALSE(messages.Add(0, {1, 3, "x"}));
}

}  // namespace
}  // namespace lookalike
