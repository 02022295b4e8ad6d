// Compares a run's predictions, which are in its summary, with its findings.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "lookalike/lookalike.h"

namespace lookalike {
namespace {

class PredictionTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* const info = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = ::testing::TempDir() + "prediction-" + info->name();
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    ASSERT_TRUE(Synthesize(folder_ + "/in.jsonl", 1500, 5, 0.4, "").has_value());
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  PairsSummary FindPairs(const Options& options) {
    auto summary = Pairs({folder_ + "/in.jsonl"}, folder_ + "/pairs.jsonl", options);
    EXPECT_TRUE(summary.has_value()) << summary.error().ToString();
    return *std::move(summary);
  }

  std::string folder_;
};

TEST_F(PredictionTest, PairsAndRecallAreNearTheTruth) {
  const PairsSummary found = FindPairs(Options());
  const RunPrediction& predicted = found.predicted;
  ASSERT_TRUE(predicted.pairs && predicted.candidates && predicted.recall);
  const double pairs = static_cast<double>(*predicted.pairs) * *predicted.recall;
  EXPECT_NEAR(pairs / static_cast<double>(found.pairs), 1, .25);
  EXPECT_GE(*predicted.recall, .98);
  EXPECT_LE(*predicted.recall, 1);
  EXPECT_GE(*predicted.candidates, found.pairs / 2);
  EXPECT_GT(predicted.cpu_seconds.value(), 0);
  EXPECT_GT(found.cpu_seconds, 0);
  EXPECT_GT(predicted.memory_bytes.value(), 10'000'000u);
}

TEST_F(PredictionTest, IsTheSameForAnyNumberOfThreads) {
  Options one, four;
  one.threads = 1;
  four.threads = 4;
  const RunPrediction a = FindPairs(one).predicted, b = FindPairs(four).predicted;
  EXPECT_EQ(a.pairs, b.pairs);
  EXPECT_EQ(a.candidates, b.candidates);
  EXPECT_EQ(a.recall, b.recall);
}

TEST_F(PredictionTest, WithoutCodesOrASampleThereAreNoPairs) {
  Options exact;
  exact.method = "exact";
  EXPECT_FALSE(FindPairs(exact).predicted.pairs.has_value());
  Options unaudited;
  unaudited.audit_documents = 0;
  const RunPrediction predicted = FindPairs(unaudited).predicted;
  EXPECT_FALSE(predicted.pairs.has_value());
  EXPECT_FALSE(predicted.recall.has_value());
  EXPECT_GT(predicted.cpu_seconds.value(), 0);
}

TEST_F(PredictionTest, AHigherThresholdExpectsFewerPairs) {
  Options low, high;
  low.threshold = .6;
  high.threshold = .95;
  const RunPrediction many = FindPairs(low).predicted, few = FindPairs(high).predicted;
  ASSERT_TRUE(many.pairs && few.pairs);
  EXPECT_GT(*many.pairs, *few.pairs);
}

}  // namespace
}  // namespace lookalike
