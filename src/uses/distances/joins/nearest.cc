#include "uses/distances/joins/nearest.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <optional>

#include "threads/parallel.h"
#include "uses/distances/joins/join_costs.h"
#include "uses/distances/joins/point_tables.h"

namespace lookalike {
namespace {

constexpr uint32_t kBlock = 2048;

/// Returns the end of the range of points that may be neighbours.
uint32_t NeighbourEnd(const Metric& metric, const NearestTask& task) {
  const uint32_t reference = task.join.reference;
  return reference == 0 ? static_cast<uint32_t>(metric.size()) : reference;
}

/// The best neighbours found so far for one point.
class BestOf {
 public:
  BestOf(const Metric& metric, const NearestTask& task, uint32_t point, NeighbourLists* lists)
      : metric_(metric), task_(task), point_(point), lists_(*lists) {
    SetBound();
  }

  void Test(uint32_t other, double key) {
    if (!(key <= bound_) || other == point_) return;
    const double distance = metric_.FromKey(key, point_, other);
    // A distance beyond the range of a double is never near, even without a bound.
    if (!(distance <= task_.join.within) || std::isinf(distance)) return;
    if (lists_.Add(point_, {distance, other})) SetBound();
  }

  void TestAll(uint32_t end) {
    std::vector<double> keys(kBlock);
    for (uint32_t first = 0; first < end; first += kBlock) {
      const uint32_t count = std::min(kBlock, end - first);
      metric_.Keys(point_, first, std::span(keys).first(count));
      for (uint32_t i = 0; i < count; ++i) Test(first + i, keys[i]);
    }
  }

 private:
  void SetBound() {
    const bool full = lists_.IsFull(point_);
    bound_ = metric_.KeyBound(full ? lists_.Of(point_).back().distance : task_.join.within);
  }

  const Metric& metric_;
  const NearestTask& task_;
  uint32_t point_;
  NeighbourLists& lists_;
  double bound_ = 0;
};

bool IsCancelled(const NearestTask& task) { return task.join.cancelled && task.join.cancelled(); }

/// Compares the points for which `wanted(point)` is true with all others.
template <class Wanted>
void CompareWithAll(const Metric& metric, const NearestTask& task, Wanted wanted,
                    NeighbourLists* lists) {
  const uint32_t end = NeighbourEnd(metric, task);
  ParallelFor(task.join.reference, static_cast<uint32_t>(metric.size()), [&](uint32_t point) {
    if (!wanted(point) || IsCancelled(task)) return;
    BestOf(metric, task, point, lists).TestAll(end);
  });
}

/// Compares the points that share a key with each other. No two calls share a list.
void CompareUnderKeys(const Metric& metric, const NearestTask& task,
                      std::span<const uint64_t> order, NeighbourLists* lists) {
  const uint32_t end = NeighbourEnd(metric, task);
  ParallelFor(size_t{0}, order.size(), [&](size_t at) {
    const uint32_t point = PointOfEntry(order[at]), key = KeyOfEntry(order[at]);
    if (point < task.join.reference || IsCancelled(task)) return;
    BestOf best(metric, task, point, lists);
    size_t begin = at;
    while (begin > 0 && KeyOfEntry(order[begin - 1]) == key) --begin;
    for (size_t i = begin; i < order.size() && KeyOfEntry(order[i]) == key; ++i) {
      const uint32_t other = PointOfEntry(order[i]);
      if (other >= end) break;  // entries are in the order of points
      if (other != point) best.Test(other, metric.Key(point, other));
    }
  });
}

/// Returns a few distances that represent all neighbours of the sample.
std::vector<double> TypicalDistances(const NearestSample& sample) {
  constexpr size_t kMost = 64;
  std::vector<double> all, typical;
  for (const auto& list : sample.neighbours) {
    for (const Neighbour& neighbour : list) all.push_back(neighbour.distance);
  }
  std::sort(all.begin(), all.end());
  const size_t count = std::min(kMost, all.size());
  for (size_t i = 0; i < count; ++i) typical.push_back(all[(2 * i + 1) * all.size() / (2 * count)]);
  return typical;
}

/// A planner of keys for distances of neighbours.
class KeyPlanner {
 public:
  KeyPlanner(const Metric& metric, const NearestTask& task, const NearestSample& sample)
      : metric_(metric), task_(task), sample_(sample), typical_(TypicalDistances(sample)) {}

  [[nodiscard]] std::optional<JoinPlan> Best() const {
    std::optional<JoinPlan> best;
    for (const double width : Widths()) {
      for (uint32_t rows = 1; rows <= kMostRows; ++rows) {
        const auto plan = PlanRows(rows, width);
        if (!plan) break;
        if (!best || plan->seconds < best->seconds) best = plan;
      }
    }
    return best;
  }

 private:
  [[nodiscard]] std::vector<double> Widths() const {
    if (!IsProjected(metric_.kind())) return {0};
    const auto positive = std::upper_bound(typical_.begin(), typical_.end(), 0.0);
    if (positive == typical_.end()) return {};
    const double usual = *(positive + (typical_.end() - positive) / 2);
    if (!(LargestNumber(metric_.points()) / usual <= kMostKeyed)) return {};
    std::vector<double> widths;
    for (const double factor : kWidthFactors) widths.push_back(factor * usual);
    return widths;
  }

  [[nodiscard]] double Chance(double distance, uint32_t rows, double width) const {
    const uint32_t dimension = metric_.points().dimension;
    return ChanceOfKey(ChanceOfFunction(metric_.kind(), distance, width, dimension), rows);
  }

  [[nodiscard]] std::optional<JoinPlan> PlanRows(uint32_t rows, double width) const {
    std::vector<double> chances;
    for (const double distance : typical_) chances.push_back(Chance(distance, rows, width));
    const auto recall = [&](uint32_t tables) {
      double sum = 0;
      for (const double chance : chances) sum += ChanceOfAny(chance, tables);
      return sum / static_cast<double>(chances.size());
    };
    const double asked = WithMargin(task_.join.recall);
    if (!(recall(kMostTables) >= asked)) return {};
    uint32_t low = 0, tables = kMostTables;  // numbers that are too few, and enough
    while (tables - low > 1) {
      const uint32_t middle = (low + tables) / 2;
      (recall(middle) >= asked ? tables : low) = middle;
    }
    JoinPlan plan;
    plan.method = JoinMethod::kKeys;
    plan.design = {rows, tables, width};
    plan.chance = recall(tables);
    double candidates = 0;
    for (const auto& [distance, weight] : sample_.distances.distances) {
      candidates += 2 * weight * Chance(distance, rows, width);  // counted from both ends
    }
    plan.seconds = SecondsOfKeys(metric_, plan.design, candidates);
    return plan;
  }

  const Metric& metric_;
  const NearestTask& task_;
  const NearestSample& sample_;
  std::vector<double> typical_;
};

/// Returns the share of the sample's true neighbours that the lists contain.
double ShareFound(const NearestSample& sample, const NeighbourLists& lists) {
  uint64_t all = 0, found = 0;
  for (size_t i = 0; i < sample.points.size(); ++i) {
    all += sample.neighbours[i].size();
    found += CountNeighboursFound(sample.neighbours[i], lists.Of(sample.points[i]));
  }
  return all == 0 ? 1 : static_cast<double>(found) / static_cast<double>(all);
}

}  // namespace

bool NeighbourLists::Add(size_t point, const Neighbour& neighbour) {
  Neighbour* const begin = all_.data() + point * top_;
  uint32_t& count = counts_[point];
  Neighbour* const at = std::lower_bound(begin, begin + count, neighbour);
  if (at != begin + count && *at == neighbour) return false;
  if (at == begin + top_) return false;
  if (count < top_) ++count;
  std::move_backward(at, begin + count - 1, begin + count);
  *at = neighbour;
  return true;
}

NearestSample SampleNearest(const Metric& metric, const NearestTask& task) {
  NearestSample sample;
  sample.distances = SampleDistances(metric, task.join);
  for (const SampledPairs& point : sample.distances.points) sample.points.push_back(point.point);
  sample.neighbours.resize(sample.points.size());
  const uint32_t end = NeighbourEnd(metric, task);
  ParallelFor(size_t{0}, sample.points.size(), [&](size_t i) {
    const uint32_t point = sample.points[i];
    std::vector<double> keys(end);
    metric.Keys(point, 0, keys);
    std::vector<Neighbour> all;
    for (uint32_t j = 0; j < end; ++j) {
      if (j != point) all.push_back({metric.FromKey(keys[j], point, j), j});
    }
    std::erase_if(all, [&](const Neighbour& one) { return !(one.distance <= task.join.within); });
    const size_t top = std::min<size_t>(task.top, all.size());
    std::partial_sort(all.begin(), all.begin() + static_cast<ptrdiff_t>(top), all.end());
    all.resize(top);
    sample.neighbours[i] = std::move(all);
  });
  return sample;
}

Result<JoinPlan> PlanNearest(const Metric& metric, const NearestTask& task,
                             const NearestSample& sample) {
  JoinPlan plan;
  const auto n = static_cast<double>(metric.size());
  const double others = NeighbourEnd(metric, task);
  plan.seconds = 1e-9 * (n - task.join.reference) * others * PerPairOfAll(metric);
  if (task.join.ask == JoinTask::Ask::kExact || metric.size() < 2) return plan;
  const auto keys = KeyPlanner(metric, task, sample).Best();
  const bool must = task.join.ask == JoinTask::Ask::kKeys;
  if (!keys && must) {
    return OptionError(
        fmt::format("no keys find the nearest neighbours with probability {}: they are hardly "
                    "nearer than other points; use $<method=exact> or auto",
                    task.join.recall));
  }
  if (keys && (must || keys->seconds < plan.seconds)) plan = *keys;
  return plan;
}

Result<NeighbourLists> FindNearest(const Metric& metric, const NearestTask& task,
                                   const JoinPlan& plan, const NearestSample& sample) {
  NeighbourLists lists(metric.size(), task.top);
  if (plan.method != JoinMethod::kKeys) {
    CompareWithAll(
        metric, task, [](uint32_t) { return true; }, &lists);
  } else {
    const double asked = WithMargin(task.join.recall);
    for (uint32_t table = 0; table < kMostTables && !IsCancelled(task); ++table) {
      if (table >= plan.design.tables && ShareFound(sample, lists) >= asked) break;
      CompareUnderKeys(metric, task, OrderOf(MakeKeys(metric, plan.design, task.join.seed, table)),
                       &lists);
    }
    if (std::isinf(task.join.within)) {
      CompareWithAll(
          metric, task, [&](uint32_t point) { return !lists.IsFull(point); }, &lists);
    }
  }
  if (IsCancelled(task)) return Cancelled();
  return lists;
}

uint64_t NearestBytes(uint64_t points, uint32_t top) {
  return points * (top * sizeof(Neighbour) + JoinPlan::kBytesOfOrder);
}

uint64_t CountNeighboursFound(std::span<const Neighbour> truth, std::span<const Neighbour> list) {
  if (truth.empty()) return 0;
  const double farthest = truth.back().distance;
  return static_cast<uint64_t>(std::count_if(
      list.begin(), list.end(), [&](const Neighbour& one) { return one.distance <= farthest; }));
}

}  // namespace lookalike
