#include "uses/weights/word_counts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "run/resolve_job.h"

namespace lookalike {
namespace {

struct Counted {
  std::vector<WordCount> words;
  RecordCounts records;
  size_t readings = 0;
};

// `bytes`: the memory that the table may take.
Counted CountPeps(uint64_t bytes) {
  Counted counted;
  const Result<Job> job =
      ResolveJob({LOOKALIKE_TEST_DATA "/peps/peps.jsonl.zst"}, {}, {.all_pairs = true});
  EXPECT_TRUE(job);
  MemoryPlan memory = PlanMemory(uint64_t{1} << 30, 2);
  memory.engine = 2 * bytes;
  const auto take = [&](std::span<const WordCount> words, uint64_t documents) {
    EXPECT_GT(documents, 0u);
    counted.words.insert(counted.words.end(), words.begin(), words.end());
    ++counted.readings;
    return Status();
  };
  const auto records = CountWords(*job, memory, take, {});
  EXPECT_TRUE(records);
  counted.records = *records;
  return counted;
}

TEST(WordCountsTest, AreTheSameInAnyMemory) {
  const Counted at_once = CountPeps(uint64_t{1} << 30), in_parts = CountPeps(400'000);
  EXPECT_EQ(at_once.readings, 1u);
  EXPECT_GT(in_parts.readings, 3u);
  ASSERT_EQ(at_once.words.size(), in_parts.words.size());
  for (size_t i = 0; i < at_once.words.size(); ++i) {
    ASSERT_EQ(at_once.words[i].word, in_parts.words[i].word);
    ASSERT_EQ(at_once.words[i].documents, in_parts.words[i].documents);
  }
  EXPECT_EQ(at_once.records.in, in_parts.records.in);
}

TEST(WordCountsTest, CountDocumentsNotOccurrences) {
  const std::string path = testing::TempDir() + "/words.jsonl";
  std::ofstream(path) << R"({"id": 1, "text": "A rose is a ROSE"})"
                      << "\n"
                      << R"({"id": 2, "text": "rose, thorn"})"
                      << "\n"
                      << R"({"id": 3, "text": ""})"
                      << "\n"
                      << R"({"id": 4, "text": 5})"
                      << "\n";
  const Result<Job> job = ResolveJob({path}, {}, {.all_pairs = true});
  ASSERT_TRUE(job) << job.error().ToString();
  std::map<std::string, uint64_t> counts;
  std::vector<std::string> messages;
  Observer observer;
  observer.message = [&](std::string_view line) { messages.emplace_back(line); };
  const auto records = CountWords(
      *job, PlanMemory(uint64_t{1} << 30, 1),
      [&](std::span<const WordCount> words, uint64_t documents) {
        EXPECT_EQ(documents, 3u);
        for (const WordCount& word : words) counts[word.word] = word.documents;
        return Status();
      },
      observer);
  ASSERT_TRUE(records);
  EXPECT_EQ(counts,
            (std::map<std::string, uint64_t>{{"a", 1}, {"is", 1}, {"rose", 2}, {"thorn", 1}}));
  EXPECT_EQ(records->in, 4u);
  EXPECT_EQ(records->rejected, 1u);
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_NE(messages[0].find("words.jsonl:4: "), std::string::npos);
}

}  // namespace
}  // namespace lookalike
