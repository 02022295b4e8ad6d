#include "uses/group/grouping.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "engine/small_workspace.h"

namespace lookalike {
namespace {

using List = std::pair<std::string, std::vector<std::string>>;  // items with "=weight"

class GroupingTest : public WorkspaceTest {
 protected:
  void SetUp() override {
    WorkspaceTest::SetUp();
    job_.fields = {"item", "by", "", TextForm::kValue};
  }

  void AddInput(const std::string& name, const std::string& lines) {
    InputFile file;
    file.name = name;
    file.path = root_ + "/" + name;
    std::ofstream(file.path) << lines;
    file.size = lines.size();
    struct stat facts = {};
    EXPECT_EQ(stat(file.path.c_str(), &facts), 0);
    file.mtime_ns = facts.st_mtim.tv_sec * 1'000'000'000 + facts.st_mtim.tv_nsec;
    job_.inputs.Add(file);
  }

  std::vector<List> Lists(std::unique_ptr<Workspace> workspace) {
    std::vector<List> lists;
    summary_ = {};
    Observer observer;
    const auto changes = [&](const Progress& progress) {
      if (changed_) changed_(progress);
    };
    observer.progress = changes;
    observer.message = [&](std::string_view line) { messages_.emplace_back(line); };
    const Status status = GroupRows(
        job_, observer, workspace.get(),
        [&](const GroupedRow& row) -> Status {
          if (row.begins_group) lists.push_back({std::string(row.group), {}});
          EXPECT_EQ(row.begins_group, !row.group.empty());
          std::string item(row.item);
          if (!job_.fields.keep.empty()) item += "=" + std::string(row.weight);
          lists.back().second.push_back(item);
          return {};
        },
        &summary_);
    error_ = status ? "" : status.error().ToString();
    return lists;
  }

  Job job_;
  GroupSummary summary_;
  std::vector<std::string> messages_;
  std::string error_;
  std::function<void(const Progress&)> changed_;
};

std::string Line(const std::string& by, const std::string& item) {
  return "{\"by\": \"" + by + "\", \"item\": \"" + item + "\"}\n";
}

TEST_F(GroupingTest, GroupsAndItemsAreInTheOrderOfTheTable) {
  AddInput("a.jsonl", Line("bob", "tea") + Line("ann", "milk") + Line("bob", "bread"));
  AddInput("b.jsonl", Line("ann", "tea") + Line("cyd", "tea") + Line("bob", "tea"));
  const std::vector<List> expected = {
      {"bob", {"tea", "bread", "tea"}}, {"ann", {"milk", "tea"}}, {"cyd", {"tea"}}};
  EXPECT_EQ(Lists(Ample()), expected);
  EXPECT_EQ(Lists(Tiny()), expected);
  EXPECT_EQ(summary_.groups, 3U);
  EXPECT_EQ(summary_.items, 6U);
  EXPECT_EQ(summary_.records.in, 6U);
}

TEST_F(GroupingTest, AnySizeOfValuesAndMemory) {
  std::mt19937_64 random(3);
  std::vector<List> expected;
  std::map<std::string, size_t> at;
  std::string lines;
  for (int row = 0; row < 3000; ++row) {
    const std::string by = std::string(random() % 90, 'g') + std::to_string(random() % 40);
    const std::string item = std::to_string(random()) + std::string(random() % 120, 'i');
    lines += Line(by, item);
    if (at.emplace(by, expected.size()).second) expected.push_back({by, {}});
    expected[at[by]].second.push_back(item);
  }
  AddInput("a.jsonl", lines);
  EXPECT_EQ(Lists(Ample()), expected);
  for (const uint64_t work : {1, 1000, 200'000}) {
    EXPECT_EQ(Lists(Tiny(work)), expected) << work;
    EXPECT_EQ(error_, "");
  }
}

TEST_F(GroupingTest, PiecesOfEveryLength) {
  std::string lines;
  std::vector<List> expected = {{"g", {}}};
  for (size_t length = 1; length < 130; ++length) {
    lines += Line("g", std::string(length, 'x'));
    expected[0].second.emplace_back(length, 'x');
  }
  AddInput("a.jsonl", lines);
  EXPECT_EQ(Lists(Ample()), expected);
}

TEST_F(GroupingTest, Weights) {
  job_.fields.keep = "w";
  AddInput("a.jsonl",
           "{\"by\":1,\"item\":true,\"w\":4.50}\n{\"by\":1.0,\"item\":2e0,\"w\":-3}\n"
           "{\"by\":\"1\",\"item\":\"x\",\"w\":\"4\"}\n{\"by\":1,\"item\":\"x\"}\n"
           "{\"by\":1,\"item\":\"y\",\"w\":1e999}\n");
  EXPECT_EQ(Lists(Ample()), (std::vector<List>{{"1", {"true=4.5", "2=-3"}}}));
  ASSERT_EQ(messages_.size(), 3U);
  EXPECT_NE(messages_[0].find("a.jsonl:3: field \"w\" has no number"), std::string::npos);
  EXPECT_EQ(summary_.records.in, 5U);
  EXPECT_EQ(summary_.records.rejected, 3U);
}

TEST_F(GroupingTest, RowsWithoutAFieldAreRejectedInOrder) {
  AddInput("a.jsonl", "{\"by\":\"g\"}\n{\"item\":\"i\"}\n" + Line("", "i") + Line("g", "") +
                          "{\"by\":\"g\",\"item\":null}\nnonsense\n{\"by\":[1],\"item\":\"i\"}\n" +
                          "{\"by\":\"g\",\"item\":[1]}\n" + Line("g", "good"));
  EXPECT_EQ(Lists(Ample()), (std::vector<List>{{"g", {"good"}}}));
  ASSERT_EQ(messages_.size(), 8U);
  for (size_t i = 0; i < messages_.size(); ++i) {
    EXPECT_NE(messages_[i].find("a.jsonl:" + std::to_string(i + 1) + ": "), std::string::npos);
  }
  EXPECT_NE(messages_[1].find("a value to group by"), std::string::npos);
  EXPECT_NE(messages_[4].find("null or empty, expected an item"), std::string::npos);
  EXPECT_EQ(summary_.records.rejected, 8U);
}

TEST_F(GroupingTest, MaxErrors) {
  AddInput("a.jsonl", "x\n" + Line("g", "i"));
  AddInput("b.jsonl", "x\n" + Line("g", "i"));
  job_.options.max_errors = 2;
  EXPECT_EQ(Lists(Ample()).size(), 1U);
  job_.options.max_errors = 1;
  EXPECT_TRUE(Lists(Ample()).empty());
  EXPECT_NE(error_.find("more than 1 records"), std::string::npos) << error_;
}

TEST_F(GroupingTest, ASkippedInputLeavesNoTrace) {
  AddInput("a.jsonl", Line("a", "1"));
  AddInput("bad.jsonl", Line("b", "2") + Line("a", "3") + "nonsense\n");
  AddInput("c.jsonl", Line("c", "4") + Line("b", "5") + Line("a", "6"));
  const std::string bad = job_.inputs[1].path;
  const auto before = std::filesystem::last_write_time(bad);
  // Somebody writes to it once its rows have been read.
  changed_ = [&](const Progress& progress) {
    const bool read = progress.done > job_.inputs.SizeOf(0);
    std::filesystem::last_write_time(bad, before + std::chrono::seconds(read ? 5 : 0));
  };
  EXPECT_TRUE(Lists(Ample()).empty());
  EXPECT_NE(error_.find("changed while it was read"), std::string::npos) << error_;
  job_.options.skip_bad_inputs = true;
  job_.options.max_errors = 1;
  const std::vector<List> expected = {{"a", {"1", "6"}}, {"c", {"4"}}, {"b", {"5"}}};
  for (const bool tiny : {false, true}) {
    std::filesystem::last_write_time(bad, before);
    EXPECT_EQ(Lists(tiny ? Tiny() : Ample()), expected);
    EXPECT_EQ(error_, "");
    EXPECT_EQ(summary_.records.in, 4U);
    EXPECT_EQ(summary_.records.rejected, 0U);
    EXPECT_EQ(summary_.records.skipped_inputs, 1U);
  }
}

TEST_F(GroupingTest, NothingIsNoList) {
  AddInput("a.jsonl", "");
  EXPECT_TRUE(Lists(Ample()).empty());
  EXPECT_EQ(error_, "");
  EXPECT_EQ(summary_.groups, 0U);
}

}  // namespace
}  // namespace lookalike
