#include "uses/distances/joins/nearest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "uses/distances/joins/random_points.h"

namespace lookalike {
namespace {

std::vector<Neighbour> Truth(const Metric& metric, const NearestTask& task, uint32_t point) {
  std::vector<Neighbour> all;
  const uint32_t end =
      task.join.reference == 0 ? static_cast<uint32_t>(metric.size()) : task.join.reference;
  for (uint32_t other = 0; other < end; ++other) {
    const double distance = metric.Distance(point, other);
    if (other != point && distance <= task.join.within) all.push_back({distance, other});
  }
  std::sort(all.begin(), all.end());
  all.resize(std::min<size_t>(all.size(), task.top));
  return all;
}

NearestTask TaskOf(uint32_t top, uint32_t reference, JoinTask::Ask ask) {
  NearestTask task{{}, top};
  task.join.within = HUGE_VAL;
  task.join.reference = reference;
  task.join.ask = ask;
  return task;
}

TEST(FindNearest, ComparingAllFindsTheNearest) {
  for (const DistanceKind kind : kPointKinds) {
    const Metric metric(kind, ClusteredPoints(kind, 300, 5, 2));
    for (const uint32_t reference : {0U, 120U}) {
      for (const uint32_t top : {1U, 7U, 400U}) {
        const NearestTask task = TaskOf(top, reference, JoinTask::Ask::kExact);
        const auto lists = FindNearest(metric, task, JoinPlan());
        ASSERT_TRUE(lists);
        for (uint32_t i = reference; i < metric.size(); ++i) {
          const auto list = lists->Of(i);
          ASSERT_EQ(std::vector<Neighbour>(list.begin(), list.end()), Truth(metric, task, i))
              << ToString(kind) << " " << i;
        }
      }
    }
  }
}

TEST(FindNearest, KeysFindWhatWasAsked) {
  for (const DistanceKind kind : kPointKinds) {
    for (const uint32_t reference : {0U, 500U}) {
      const Metric metric(kind, ClusteredPoints(kind, 1500, 12, 3));
      const NearestTask task = TaskOf(3, reference, JoinTask::Ask::kKeys);
      const NearestSample sample = SampleNearest(metric, task);
      const auto plan = PlanNearest(metric, task, sample);
      if (!plan) continue;  // neighbours are far
      EXPECT_GE(plan->chance, 0.995);
      const auto lists = FindNearest(metric, task, *plan, sample);
      ASSERT_TRUE(lists);
      uint64_t all = 0, found = 0;
      for (uint32_t i = reference; i < metric.size(); ++i) {
        const auto truth = Truth(metric, task, i);
        ASSERT_EQ(lists->Of(i).size(), truth.size());
        for (const Neighbour& one : lists->Of(i)) {
          ASSERT_EQ(one.distance, metric.Distance(i, one.point));
          ASSERT_NE(one.point, i);
          ASSERT_TRUE(reference == 0 || one.point < reference);
        }
        all += truth.size();
        found += CountNeighboursFound(truth, lists->Of(i));
      }
      EXPECT_GE(static_cast<double>(found), 0.985 * static_cast<double>(all)) << ToString(kind);
    }
  }
}

TEST(FindNearest, MakesFurtherKeysUntilTheSampleIsFound) {
  const Metric metric(DistanceKind::kL2, ClusteredPoints(DistanceKind::kL2, 1500, 12, 3));
  NearestTask task = TaskOf(3, 0, JoinTask::Ask::kKeys);
  task.join.within = 100;  // bounded, so that no point is compared with all
  const NearestSample sample = SampleNearest(metric, task);
  auto plan = PlanNearest(metric, task, sample);
  ASSERT_TRUE(plan);
  plan->design.tables = 1;
  const auto lists = FindNearest(metric, task, *plan, sample);
  ASSERT_TRUE(lists);
  uint64_t found = 0, all = 0;
  for (size_t i = 0; i < sample.points.size(); ++i) {
    all += sample.neighbours[i].size();
    found += CountNeighboursFound(sample.neighbours[i], lists->Of(sample.points[i]));
  }
  EXPECT_GE(static_cast<double>(found), .99 * static_cast<double>(all));
}

TEST(FindNearest, LooksNoFartherThanAsked) {
  const Metric metric(DistanceKind::kL2, ClusteredPoints(DistanceKind::kL2, 300, 3, 4));
  NearestTask task = TaskOf(5, 0, JoinTask::Ask::kExact);
  task.join.within = 0.1;
  const auto lists = FindNearest(metric, task, JoinPlan());
  ASSERT_TRUE(lists);
  for (uint32_t i = 0; i < metric.size(); ++i) {
    const auto list = lists->Of(i);
    EXPECT_EQ(std::vector<Neighbour>(list.begin(), list.end()), Truth(metric, task, i));
  }
}

/// Returns the points 0, 1, 2 and so on of a line.
Metric Line(uint32_t count) {
  PointSet points{1, std::vector<double>(count)};
  std::iota(points.values.begin(), points.values.end(), 0);
  return {DistanceKind::kL1, std::move(points)};
}

TEST(FindNearest, ManyPointsHaveThoseBesideThem) {
  constexpr uint32_t kPoints = 4500;  // several blocks of them
  const Metric line = Line(kPoints);
  NearestTask task = TaskOf(3, 0, JoinTask::Ask::kExact);
  task.join.within = 1;
  const auto lists = FindNearest(line, task, JoinPlan());
  ASSERT_TRUE(lists);
  for (uint32_t i = 0; i < kPoints; ++i) {
    std::vector<Neighbour> expected;
    if (i > 0) expected.push_back({1, i - 1});
    if (i + 1 < kPoints) expected.push_back({1, i + 1});
    const auto list = lists->Of(i);
    ASSERT_EQ(std::vector<Neighbour>(list.begin(), list.end()), expected) << i;
  }
}

TEST(FindNearest, BeyondAllNumbersNothingIsNear) {
  const Metric far(DistanceKind::kL1, {1, {1e308, -1e308, 1e308}});
  const auto lists = FindNearest(far, TaskOf(2, 0, JoinTask::Ask::kExact), JoinPlan());
  ASSERT_TRUE(lists);
  EXPECT_EQ(lists->Of(0).size(), 1U);
  EXPECT_TRUE(lists->Of(1).empty());
}

// Points hardly share keys: neighbours that keys do not find are searched for among all.
TEST(FindNearest, PointsThatKeysLeaveAloneHaveNeighbours) {
  PointSet points = Line(60).points();
  points.values.push_back(1e6);
  const Metric metric(DistanceKind::kL2, points);
  const NearestTask task = TaskOf(3, 0, JoinTask::Ask::kKeys);
  const JoinPlan plan{.method = JoinMethod::kKeys, .axes = {}, .design = {4, 2, 0.5}};
  const auto lists = FindNearest(metric, task, plan);
  ASSERT_TRUE(lists);
  for (uint32_t i = 0; i < metric.size(); ++i) EXPECT_EQ(lists->Of(i).size(), 3U) << i;
}

TEST(SampleNearest, HasTheTruth) {
  const Metric line = Line(100);
  for (const uint32_t reference : {0U, 60U}) {
    NearestTask task = TaskOf(4, reference, JoinTask::Ask::kAuto);
    for (const double within : {2.0, 20.0, HUGE_VAL}) {
      task.join.within = within;
      const NearestSample sample = SampleNearest(line, task);
      ASSERT_EQ(sample.points.size(), 100 - reference);
      for (size_t i = 0; i < sample.points.size(); ++i) {
        EXPECT_EQ(sample.neighbours[i], Truth(line, task, sample.points[i])) << within;
      }
    }
  }
}

// The distances of points that are not copies decide the width of cells.
TEST(PlanNearest, CopiesDoNotHideHowFarOthersAre) {
  PointSet points{8, {}};
  const PointSet distinct = ClusteredPoints(DistanceKind::kL2, 300, 8, 5);
  for (int copy = 0; copy < 3; ++copy) {
    points.values.insert(points.values.end(), distinct.values.begin(), distinct.values.end());
  }
  const Metric metric(DistanceKind::kL2, points);
  const NearestTask task = TaskOf(3, 0, JoinTask::Ask::kKeys);
  EXPECT_TRUE(PlanNearest(metric, task, SampleNearest(metric, task)));
}

TEST(NeighbourLists, KeepsTheNearestInOrderEachOnce) {
  NeighbourLists lists(2, 2);
  EXPECT_TRUE(lists.Add(1, {3, 9}));
  EXPECT_FALSE(lists.Add(1, {3, 9}));
  EXPECT_TRUE(lists.Add(1, {3, 8}));
  EXPECT_FALSE(lists.Add(1, {4, 1}));
  EXPECT_TRUE(lists.Add(1, {1, 7}));
  ASSERT_EQ(lists.Of(1).size(), 2U);
  EXPECT_EQ(lists.Of(1)[0].point, 7U);
  EXPECT_EQ(lists.Of(1)[1].point, 8U);
  EXPECT_TRUE(lists.Of(0).empty());
}

}  // namespace
}  // namespace lookalike
