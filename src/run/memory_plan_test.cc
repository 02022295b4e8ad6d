#include "run/memory_plan.h"

#include <gtest/gtest.h>

#include <string>

#include "lookalike/size.h"

namespace lookalike {
namespace {

constexpr uint64_t kMiB = uint64_t{1} << 20;

// The memory for the process and the batches in flight is subtracted here once more, so that a
// larger estimate of it must be made with care.
TEST(MemoryPlanTest, SharesNeverExceedTheTotal) {
  for (uint64_t memory = 64 * kMiB; memory <= uint64_t{1} << 40; memory += memory / 7) {
    for (size_t threads = 1; threads <= 64; ++threads) {
      const MemoryPlan plan = PlanMemory(memory, threads);
      SCOPED_TRACE(std::to_string(memory) + " bytes, " + std::to_string(threads) + " threads");
      EXPECT_EQ(plan.total, memory);
      EXPECT_GE(plan.batches, 2u) << "reading and working go on at once";
      EXPECT_LE(plan.batches, 2 * threads + 1);
      EXPECT_LE(36 * kMiB + plan.batches * 4 * kMiB + plan.ahead + plan.engine, memory);
      EXPECT_LE(plan.held + plan.work, plan.engine);
      EXPECT_LE(plan.waiting, plan.work / 2);
      EXPECT_GE(plan.threads, 1u);
      EXPECT_LE(plan.threads, threads);
      EXPECT_GT(plan.held, 0u);
      EXPECT_GE(plan.work / plan.threads, 4 * kMiB);
    }
  }
}

TEST(MemoryPlanTest, MoreMemoryIsNeverLessForAnyone) {
  for (const size_t threads : {1, 2, 7, 64}) {
    MemoryPlan last = PlanMemory(64 * kMiB, threads);
    for (uint64_t memory = 65 * kMiB; memory <= 4096 * kMiB; memory += 13 * kMiB) {
      const MemoryPlan plan = PlanMemory(memory, threads);
      EXPECT_GE(plan.batches, last.batches) << memory;
      EXPECT_GE(plan.threads, last.threads) << memory;
      EXPECT_GE(plan.ahead, last.ahead) << memory;
      // One more batch may cost a little of the rest.
      EXPECT_GE(plan.engine + 4 * kMiB * (plan.batches - last.batches), last.engine) << memory;
      last = plan;
    }
    EXPECT_EQ(last.threads, threads) << "four gigabytes are enough for all threads";
  }
}

TEST(MemoryPlanTest, OneThreadDecodesNothingAhead) {
  EXPECT_EQ(PlanMemory(1024 * kMiB, 1).ahead, 0U);
  EXPECT_EQ(PlanMemory(1024 * kMiB, 2).ahead, 32 * kMiB);
  EXPECT_EQ(PlanMemory(4096 * kMiB, 8).ahead, 128 * kMiB);
  EXPECT_EQ(PlanMemory(100 * kMiB, 8).ahead, 8 * kMiB) << "an eighth of what the process leaves";
}

TEST(MemoryPlanTest, OneThreadLetsNoRowsWait) {
  EXPECT_EQ(PlanMemory(4096 * kMiB, 1).waiting, 0U);
  EXPECT_EQ(PlanMemory(4096 * kMiB, 2).waiting, 64 * kMiB);
  EXPECT_EQ(PlanMemory(8192 * kMiB, 8).waiting, 256 * kMiB);
}

TEST(MemoryPlanTest, NoNumberMeansHalfOfTheMachine) {
  EXPECT_GT(DefaultMemory(), 0u);
  EXPECT_EQ(PlanMemory(0, 2).total, DefaultMemory());
}

// The resident columns take some bytes per document if there are ranks, otherwise less than one.
TEST(MemoryPlanTest, DocumentsBeyondWhatStaysInMemoryAreAnErrorThatSaysHowMuchIsNeeded) {
  const MemoryPlan plan = PlanMemory(128 * kMiB, 2);
  EXPECT_TRUE(CheckResident(plan, 0, true));
  EXPECT_TRUE(CheckResident(plan, 500'000, true));
  EXPECT_TRUE(CheckResident(plan, 10'000'000, false));
  EXPECT_FALSE(CheckResident(plan, 10'000'000, false, 8)) << "words of guards stay in memory";
  const Status ranked = CheckResident(plan, 40'000'000, true);
  ASSERT_FALSE(ranked);
  EXPECT_NE(ranked.error().what.find("$<memory"), std::string::npos) << ranked.error().what;
  EXPECT_NE(ranked.error().what.find("40000000 documents"), std::string::npos);
  const std::string asked = "raise it to at least ";
  const size_t at = ranked.error().what.find(asked);
  ASSERT_NE(at, std::string::npos) << ranked.error().what;
  const auto enough = ParseSize(ranked.error().what.substr(at + asked.size()));
  ASSERT_TRUE(enough) << ranked.error().what;
  EXPECT_TRUE(CheckResident(PlanMemory(*enough, 2), 40'000'000, true)) << "as the message says";
}

}  // namespace
}  // namespace lookalike
