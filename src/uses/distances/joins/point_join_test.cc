// Joins against comparing all pairs in a plain loop.
#include "uses/distances/joins/point_join.h"

#include <gtest/gtest.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "uses/distances/joins/random_points.h"

namespace lookalike {
namespace {

using Pairs = std::vector<PointPair>;

Pairs BruteForce(const Metric& metric, const JoinTask& task) {
  Pairs pairs;
  for (uint32_t a = 0; a < metric.size(); ++a) {
    for (uint32_t b = a + 1; b < metric.size(); ++b) {
      const double distance = metric.Distance(a, b);
      const bool counts = task.reference == 0 || (a < task.reference && b >= task.reference);
      if (counts && distance <= task.within) pairs.push_back({a, b, distance});
    }
  }
  return pairs;
}

/// Returns the pairs sorted, each once.
Pairs Join(const Metric& metric, const JoinTask& task, const JoinPlan& plan,
           DistanceSample* sample = nullptr) {
  Pairs pairs;
  const Status status = JoinPoints(
      metric, task, plan,
      [&](std::span<const PointPair> some) {
        pairs.insert(pairs.end(), some.begin(), some.end());
        return Status();
      },
      sample);
  EXPECT_TRUE(status);
  std::sort(pairs.begin(), pairs.end());
  if (plan.method != JoinMethod::kGrid) {
    EXPECT_EQ(std::adjacent_find(pairs.begin(), pairs.end()), pairs.end()) << "a pair came twice";
  }
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

JoinPlan PlanAsked(const Metric& metric, const JoinTask& task) {
  const auto plan = PlanJoin(metric, task, SampleDistances(metric, task));
  EXPECT_TRUE(plan) << plan.error().what;
  return plan ? *plan : JoinPlan();
}

/// Returns a distance that a given share of all pairs is within, so that it is the distance of one
/// of them.
double Within(const Metric& metric, double share) {
  std::vector<double> all;
  for (const PointPair& pair : BruteForce(metric, {.within = HUGE_VAL})) {
    all.push_back(pair.distance);
  }
  std::sort(all.begin(), all.end());
  return all[static_cast<size_t>(share * static_cast<double>(all.size() - 1))];
}

TEST(JoinPoints, ExactWaysFindEveryPair) {
  for (const DistanceKind kind : kPointKinds) {
    for (const uint32_t dimension : {1U, 2U, 3U, 10U}) {
      const Metric metric(kind, ClusteredPoints(kind, 400, dimension, dimension));
      for (const double share : {0.0, 0.005, 0.05, 0.7}) {
        for (const uint32_t reference : {0U, 150U}) {
          JoinTask task{.within = Within(metric, share), .reference = reference};
          task.ask = JoinTask::Ask::kExact;
          const Pairs expected = BruteForce(metric, task);
          EXPECT_EQ(Join(metric, task, JoinPlan()), expected) << ToString(kind);
          EXPECT_EQ(Join(metric, task, PlanAsked(metric, task)), expected) << ToString(kind);
          if (const auto grid = ParseJoinPlan("grid", metric, task)) {
            EXPECT_EQ(Join(metric, task, *grid), expected)
                << ToString(kind) << " " << dimension << " within " << task.within;
          }
        }
      }
    }
  }
}

/// Returns the points 0, 1, 2 and so on of a line.
Metric Line(uint32_t count) {
  PointSet points{1, std::vector<double>(count)};
  std::iota(points.values.begin(), points.values.end(), 0);
  return {DistanceKind::kL1, std::move(points)};
}

TEST(JoinPoints, OfManyPointsNoPairIsBetweenBlocks) {
  constexpr uint32_t kPoints = 4500;
  const Metric line = Line(kPoints);
  Pairs expected;
  for (uint32_t a = 0; a + 1 < kPoints; ++a) expected.push_back({a, a + 1, 1});
  EXPECT_EQ(Join(line, {.within = 1}, JoinPlan()), expected);
  const JoinTask across{.within = 1, .reference = 2100};
  EXPECT_EQ(Join(line, across, JoinPlan()), (Pairs{{2099, 2100, 1}}));
}

TEST(JoinPoints, ExactWaysFindAllOfTheSample) {
  const Metric line = Line(100);
  JoinTask task{.within = 1};
  task.ask = JoinTask::Ask::kExact;
  DistanceSample sample = SampleDistances(line, task);
  Join(line, task, JoinPlan(), &sample);
  ASSERT_EQ(sample.points.size(), 100U);
  for (const SampledPairs& point : sample.points) {
    EXPECT_EQ(point.pairs.size(), point.point == 0 || point.point == 99 ? 1U : 2U);
    EXPECT_EQ(point.found, point.pairs.size());
  }
}

// -1e-30 is in the cell before 0 and 1 in the cell after it, and as doubles the numbers are 1
// apart.
TEST(JoinPoints, RoundingLosesNoPairOfAGrid) {
  const JoinPlan grid{.method = JoinMethod::kGrid, .axes = {0}, .design = {}};
  for (const DistanceKind kind : {DistanceKind::kL1, DistanceKind::kL2}) {
    EXPECT_EQ(Join(Metric(kind, {1, {-1e-30, 1}}), {.within = 1}, grid), (Pairs{{0, 1, 1}}));
  }
  // Directions that no double can tell apart are at distance 0, though their numbers differ.
  const Metric metric(DistanceKind::kCosine, {2, {1, 0, 1, 9e-9, 1, -9e-9}});
  const JoinTask task{.within = 1e-20};
  const JoinPlan second{.method = JoinMethod::kGrid, .axes = {1}, .design = {}};
  EXPECT_EQ(BruteForce(metric, task).size(), 2U);
  EXPECT_EQ(Join(metric, task, second), BruteForce(metric, task));
}

TEST(JoinPoints, AllAxesOfAGridFindEveryPair) {
  for (const DistanceKind kind :
       {DistanceKind::kL1, DistanceKind::kL2, DistanceKind::kCosine, DistanceKind::kAngular}) {
    const Metric metric(kind, ClusteredPoints(kind, 300, 4, 9));
    const JoinTask task{.within = Within(metric, 0.03)};
    JoinPlan plan{.method = JoinMethod::kGrid, .axes = {}, .design = {}};
    for (uint32_t axis = 0; axis < 4; ++axis) {
      plan.axes.push_back(3 - axis);
      EXPECT_EQ(Join(metric, task, plan), BruteForce(metric, task)) << ToString(kind) << axis;
    }
  }
}

TEST(JoinPoints, KeysFindWhatWasAskedAndNothingElse) {
  for (const DistanceKind kind : kPointKinds) {
    for (const uint32_t dimension : {2U, 16U, 40U}) {
      if (kind == DistanceKind::kHamming && dimension == 2) continue;
      const Metric metric(kind, ClusteredPoints(kind, 1500, dimension, 20 + dimension));
      JoinTask task{.within = Within(metric, 0.002)};
      task.ask = JoinTask::Ask::kKeys;
      DistanceSample sample = SampleDistances(metric, task);
      const auto plan = PlanJoin(metric, task, sample);
      ASSERT_TRUE(plan) << ToString(kind) << " " << dimension;
      ASSERT_EQ(plan->method, JoinMethod::kKeys);
      EXPECT_GE(plan->chance, 0.995);
      const Pairs expected = BruteForce(metric, task), found = Join(metric, task, *plan, &sample);
      EXPECT_TRUE(std::includes(expected.begin(), expected.end(), found.begin(), found.end()));
      EXPECT_GE(static_cast<double>(found.size()), 0.985 * static_cast<double>(expected.size()))
          << ToString(kind) << " " << dimension << " " << plan->Name(kind);
      uint64_t sampled = 0, counted = 0;
      for (const SampledPairs& point : sample.points) {
        for (const PointPair& pair : point.pairs) {
          ++sampled;
          counted += std::binary_search(found.begin(), found.end(), pair) ? 0 : 1;
        }
        counted += point.found;
      }
      EXPECT_EQ(counted, sampled) << "the sample's count is not that of the pairs found";
    }
  }
}

// More than a million pairs, so that one key makes several pieces of work.
TEST(JoinPoints, EqualPointsAreAllPairs) {
  constexpr uint32_t kPoints = 1500;
  const Metric metric(DistanceKind::kL2, {1, std::vector<double>(kPoints, 0.25)});
  const JoinPlan keys{.method = JoinMethod::kKeys, .axes = {}, .design = {2, 1, 0.5}};
  const JoinPlan equal{.method = JoinMethod::kEqual, .axes = {}, .design = {}};
  for (const JoinPlan& plan : {keys, equal}) {
    EXPECT_EQ(Join(metric, {}, plan).size(), kPoints * (kPoints - 1) / 2)
        << plan.Name(metric.kind());
  }
}

TEST(JoinPoints, KeysHeedTheReference) {
  const Metric metric(DistanceKind::kL2, ClusteredPoints(DistanceKind::kL2, 800, 8, 3));
  JoinTask task{.within = Within(metric, 0.01), .reference = 300};
  task.ask = JoinTask::Ask::kKeys;
  const Pairs expected = BruteForce(metric, task);
  const Pairs found = Join(metric, task, PlanAsked(metric, task));
  EXPECT_TRUE(std::includes(expected.begin(), expected.end(), found.begin(), found.end()));
  EXPECT_GE(static_cast<double>(found.size()), 0.98 * static_cast<double>(expected.size()));
}

TEST(JoinPoints, ThreadsDoNotShow) {
  const Metric metric(DistanceKind::kL2, ClusteredPoints(DistanceKind::kL2, 2000, 6, 4));
  JoinTask task{.within = Within(metric, 0.001)};
  for (const auto ask : {JoinTask::Ask::kKeys, JoinTask::Ask::kExact, JoinTask::Ask::kAuto}) {
    task.ask = ask;
    Pairs of_one, of_four;
    std::string names[2];
    tbb::task_arena(1).execute([&] {
      const JoinPlan plan = PlanAsked(metric, task);
      names[0] = plan.Name(metric.kind());
      of_one = Join(metric, task, plan);
    });
    tbb::task_arena(4).execute([&] {
      const JoinPlan plan = PlanAsked(metric, task);
      names[1] = plan.Name(metric.kind());
      of_four = Join(metric, task, plan);
    });
    EXPECT_EQ(names[0], names[1]);
    EXPECT_EQ(of_one, of_four);
  }
}

TEST(JoinPoints, HostilePoints) {
  constexpr double kLeast = std::numeric_limits<double>::denorm_min();
  const std::vector<std::vector<double>> sets = {
      {7},                                               // one point
      {5, 5, 5, 5, 5, 5, 5, 5, 5, 5},                    // all equal
      {1e300, -1e300, 1e300, 1.0000001e300, 0, 1e-300},  // far apart
      {kLeast, 0, -kLeast, 2 * kLeast, 0, 5},            // around 0
      {0.0, -0.0, 0.0, 5},                               // both zeros
      {1e308, -1e308, 1e308, -1e308}};
  for (const std::vector<double>& values : sets) {
    for (const double within : {0.0, kLeast, 1e-300, 1.0, 1e293, 1e300}) {
      for (const DistanceKind kind :
           {DistanceKind::kL1, DistanceKind::kL2, DistanceKind::kHamming}) {
        const Metric metric(kind, {1, values});
        const JoinTask task{.within = within};
        const JoinPlan plan = PlanAsked(metric, task);
        EXPECT_EQ(Join(metric, task, plan), BruteForce(metric, task))
            << ToString(kind) << " within " << within << " by " << plan.Name(kind);
      }
    }
  }
}

TEST(PlanJoin, TakesAGridInThePlaneAndKeysInManyDimensions) {
  const auto name = [](uint32_t dimension, double share) {
    const Metric metric(DistanceKind::kL2, ClusteredPoints(DistanceKind::kL2, 3000, dimension, 5));
    return PlanAsked(metric, {.within = Within(metric, share)}).Name(DistanceKind::kL2);
  };
  EXPECT_EQ(name(2, 0.0005), "grid:2");
  EXPECT_EQ(name(64, 0.0001).substr(0, 12), "projections:");
  EXPECT_EQ(name(64, 0.9), "all");
}

// With this many cells the numbers of the farthest would be rounded.
TEST(PlanJoin, NoGridHasMoreCellsThanCanBeCounted) {
  const JoinTask task{.within = 1};
  const auto grid = [&](double farthest) {
    return ParseJoinPlan("grid", Metric(DistanceKind::kL1, {1, {0, 5, -farthest}}), task);
  };
  EXPECT_TRUE(grid(1e12));
  EXPECT_FALSE(grid(1.2e12));
}

TEST(PlanJoin, SaysWhenNoKeysReachTheRecall) {
  const Metric metric(DistanceKind::kHamming, ClusteredPoints(DistanceKind::kHamming, 100, 4, 6));
  JoinTask task{.within = 4};  // any two points
  task.ask = JoinTask::Ask::kKeys;
  const auto plan = PlanJoin(metric, task, SampleDistances(metric, task));
  ASSERT_FALSE(plan);
  EXPECT_NE(plan.error().what.find("$<method=exact>"), std::string::npos);
}

TEST(SampleDistances, OfFewPointsAreAllThatCount) {
  const Metric line = Line(100);
  for (const uint32_t reference : {0U, 40U}) {
    const JoinTask task{.within = 2, .reference = reference};
    const DistanceSample sample = SampleDistances(line, task);
    ASSERT_EQ(sample.points.size(), 100 - reference);
    Pairs pairs;
    for (const SampledPairs& point : sample.points) {
      EXPECT_GE(point.point, reference);
      pairs.insert(pairs.end(), point.pairs.begin(), point.pairs.end());
    }
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    EXPECT_EQ(pairs, BruteForce(line, task));
    EXPECT_DOUBLE_EQ(sample.pairs, static_cast<double>(pairs.size()));
  }
}

TEST(SampleDistances, ExpectsThePairsThatThereAre) {
  const Metric metric(DistanceKind::kL2, ClusteredPoints(DistanceKind::kL2, 2000, 5, 7));
  const JoinTask task{.within = Within(metric, 0.02)};
  const auto pairs = static_cast<double>(BruteForce(metric, task).size());
  const DistanceSample sample = SampleDistances(metric, task);
  EXPECT_NEAR(sample.pairs, pairs, 0.1 * pairs);
  double weight = 0;
  for (const auto& [distance, of_step] : sample.distances) weight += of_step;
  EXPECT_NEAR(weight, 2000.0 * 1999 / 2, 1);
}

}  // namespace
}  // namespace lookalike
