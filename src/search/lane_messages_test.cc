#include "search/lane_messages.h"

#include <gtest/gtest.h>

namespace lookalike {
namespace {

TEST(LaneMessages, ComeInTheOrderOfLanesWithTheRowsOfTheInput) {
  Job job;
  InputFile file;
  file.path = "in.jsonl";
  job.inputs.Add(file);
  std::vector<std::string> told;
  Observer observer;
  observer.message = [&](std::string_view line) { told.emplace_back(line); };
  LaneMessages messages(job, observer);
  messages.Add(2, {0, 1, "third"});
  messages.Add(1, {0, 5, "second"});
  messages.Add(1, {0, 0, "in.jsonl: is damaged; input skipped"});
  EXPECT_TRUE(told.empty());
  messages.Add(0, {0, 7, "first"});
  EXPECT_EQ(told, (std::vector<std::string>{"in.jsonl:7: first"}));
  messages.GoOn(10);
  messages.Add(1, {0, 6, "later"});
  messages.GoOn(30);
  messages.Add(2, {0, 0, "in.jsonl: is damaged; input skipped"});
  EXPECT_EQ(told, (std::vector<std::string>{"in.jsonl:7: first", "in.jsonl:15: second",
                                            "in.jsonl: is damaged; input skipped",
                                            "in.jsonl:16: later", "in.jsonl:31: third"}))
      << "an input is skipped once";
}

}  // namespace
}  // namespace lookalike
