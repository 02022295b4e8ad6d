#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "lookalike/lookalike.h"

namespace lookalike {
namespace {

/// Writes changed copies of some texts of `words` words.
void WriteCopies(size_t words, size_t documents, std::ofstream* file) {
  std::mt19937 random(static_cast<unsigned>(words));
  std::vector<std::vector<std::string>> texts(documents / 20);
  for (auto& text : texts) {
    for (size_t i = 0; i < words; ++i) text.push_back("w" + std::to_string(random() % 5000));
  }
  for (size_t i = 0; i < documents; ++i) {
    auto text = texts[random() % texts.size()];
    text[random() % words] = "changed";
    *file << R"({"text": ")";
    for (const std::string& word : text) *file << word << ' ';
    *file << "\"}\n";
  }
}

class InterruptionTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    root_ = ::testing::TempDir() + "lookalike_interruption_" + test->name();
    std::filesystem::remove_all(root_);
    std::filesystem::create_directories(root_);
    std::ofstream file(root_ + "/in.jsonl");
    WriteCopies(9, 4000, &file);
    WriteCopies(60, 4000, &file);
  }
  void TearDown() override { std::filesystem::remove_all(root_); }

  /// Returns the stages that a run reports; with `stop`, also how it ended after that stage had
  /// begun.
  template <class Run>
  std::vector<std::string> StagesOf(const Run& run, const std::string& stop) {
    std::vector<std::string> stages;
    std::atomic<bool> stopped = false;
    Observer observer;
    observer.progress = [&](const Progress& progress) {
      if (stages.empty() || stages.back() != progress.stage) {
        stages.emplace_back(progress.stage);
      }
      if (progress.stage == stop) stopped = true;
    };
    observer.cancelled = [&] { return stopped.load(); };
    Options options;
    options.threshold = 0.6;
    options.shingle = "word:1";
    options.memory = uint64_t{64} << 20;
    options.threads = 1;
    options.keep = {"longest"};
    const auto begin = std::chrono::steady_clock::now();
    const Status status = run({{root_ + "/in.jsonl"}}, root_ + "/out", options, observer);
    const auto taken = std::chrono::steady_clock::now() - begin;
    if (stopped && !status) {
      EXPECT_EQ(status.error().what, "interrupted");
      EXPECT_EQ(stages.back(), stop) << "nothing is begun any more";
      EXPECT_FALSE(std::filesystem::exists(root_ + "/out"));
    }
    EXPECT_LT(taken, std::chrono::minutes(2));
    std::filesystem::remove_all(root_ + "/out");
    std::filesystem::remove_all(root_ + "/out.partial");
    interrupted_ += stopped && !status;
    return stages;
  }

  template <class Run>
  void StopEach(const Run& run) {
    const std::vector<std::string> stages = StagesOf(run, "");
    EXPECT_GE(stages.size(), 3u);
    for (const std::string& stage : stages) {
      SCOPED_TRACE(stage);
      StagesOf(run, stage);
    }
    EXPECT_GE(interrupted_ + 1, static_cast<int>(stages.size())) << "the last may have been over";
  }

  std::string root_;
  int interrupted_ = 0;
};

TEST_F(InterruptionTest, EveryStageOfDedupHeedsOne) {
  StopEach([](const Inputs& inputs, const std::string& output, const Options& options,
              const Observer& observer) -> Status {
    const auto done = Dedup(inputs, output, options, observer);
    if (!done) return tl::make_unexpected(done.error());
    return {};
  });
}

TEST_F(InterruptionTest, EveryStageOfPairsHeedsOne) {
  StopEach([](const Inputs& inputs, const std::string& output, Options options,
              const Observer& observer) -> Status {
    options.keep = Options().keep;
    const auto done = Pairs(inputs, output, options, observer);
    if (!done) return tl::make_unexpected(done.error());
    return {};
  });
}

}  // namespace
}  // namespace lookalike
