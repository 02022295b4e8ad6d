#include "run/steady_observer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace lookalike {
namespace {

TEST(SteadyObserver, PassesTheEdgesOfStagesAndFewReportsBetween) {
  std::vector<std::string> seen;
  Observer loud;
  loud.progress = [&](const Progress& p) {
    seen.push_back(std::string(p.stage) + std::to_string(p.done));
  };
  const Observer steady = MakeSteady(loud);
  for (uint64_t i = 0; i <= 1000; ++i) steady.progress({"a", i, 1000, "bytes"});
  steady.progress({"b", 1, 1000, "bytes"});
  ASSERT_GE(seen.size(), 3U);
  EXPECT_LT(seen.size(), 500U);
  EXPECT_EQ(seen.front(), "a0");
  EXPECT_EQ(seen[seen.size() - 2], "a1000");
  EXPECT_EQ(seen.back(), "b1");
}

TEST(SteadyObserver, TellsHowMuchOfTheRunIsDone) {
  std::vector<double> seen;
  Observer loud;
  loud.progress = [&](const Progress& p) { seen.push_back(p.of_run); };
  const std::vector<StageShare> stages = DedupStages(Choices());
  const Observer steady = MakeSteady(loud, stages);
  steady.progress({"fetch", 5, 10, "bytes"});
  EXPECT_EQ(seen.back(), 0) << "a stage whose time nobody knows";
  double all = 0;
  for (const StageShare& stage : stages) all += stage.weight;
  double before = 0;
  for (const StageShare& stage : stages) {
    steady.progress({stage.stage, 1, 1000, "bytes"});
    EXPECT_NEAR(seen.back(), (before + stage.weight / 1000) / all, 1e-12) << stage.stage;
    steady.progress({stage.stage, 1000, 1000, "bytes"});
    before += stage.weight;
    EXPECT_NEAR(seen.back(), before / all, 1e-12) << stage.stage;
  }
  EXPECT_NEAR(seen.back(), 1, 1e-12);
  steady.progress({"fingerprint", 500, 1000, "bytes"});
  EXPECT_NEAR(seen.back(), 1, 1e-12) << "it never falls";
}

TEST(SteadyObserver, StagesAreThoseOfTheOptions) {
  Choices choices;
  const auto has = [&](std::string_view name) {
    const auto stages = DedupStages(choices);
    return std::any_of(stages.begin(), stages.end(),
                       [&](const StageShare& stage) { return stage.stage == name; });
  };
  EXPECT_TRUE(has("join") && has("write") && !has("merge") && !has("evidence"));
  choices.method.kind = MethodOption::Kind::kExact;
  choices.measure = Measure::kContainment;
  EXPECT_TRUE(!has("join") && has("evidence"));
}

TEST(SteadyObserver, CallsFromOneThreadAtATime) {
  std::atomic<int> inside = 0, most = 0, calls = 0;
  const auto enter = [&] {
    most = std::max(most.load(), ++inside);
    std::this_thread::yield();
    --inside;
    ++calls;
  };
  Observer loud;
  loud.progress = [&](const Progress&) { enter(); };
  loud.message = [&](std::string_view) { enter(); };
  const Observer steady = MakeSteady(loud);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 500; ++i) {
        steady.progress({"a", 1, 1, "bytes"});
        steady.message("m");
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(most, 1);
  EXPECT_EQ(calls, 4000);
}

TEST(SteadyObserver, AsksAtOnceAfterAReport) {
  int asked = 0;
  bool stop = false;
  Observer loud;
  loud.progress = [&](const Progress& p) { stop = p.stage == "b"; };
  loud.cancelled = [&] { return ++asked > 0 && stop; };
  const Observer steady = MakeSteady(loud);
  for (int i = 0; i < 1000; ++i) EXPECT_FALSE(steady.cancelled());
  EXPECT_LT(asked, 500);
  steady.progress({"a", 1, 1, "bytes"});
  EXPECT_FALSE(steady.cancelled());
  steady.progress({"b", 1, 1, "bytes"});
  EXPECT_TRUE(steady.cancelled());
  EXPECT_TRUE(steady.cancelled());
}

TEST(SteadyObserver, LeavesOutWhatIsNotThere) {
  const Observer none;
  const Observer steady = MakeSteady(none);
  EXPECT_FALSE(steady.progress);
  EXPECT_FALSE(steady.message);
}

}  // namespace
}  // namespace lookalike
