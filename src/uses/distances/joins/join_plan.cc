#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <numeric>
#include <optional>

#include "kernels/splitmix.h"
#include "threads/parallel.h"
#include "uses/distances/joins/join_costs.h"
#include "uses/distances/joins/point_join.h"

namespace lookalike {
namespace {

/// Beyond this many cells from 0 a double has too few digits left to tell them apart.
constexpr double kMostCells = 0x1p40;

constexpr size_t kMostAxes = 6;

/// Because of rounding, a pair at distance 0 may have an angle of up to this.
constexpr double kLeastWithin = 1e-15;

/// Draws a sample of the points: those whose numbers have the least hashes.
std::vector<uint32_t> DrawPoints(uint32_t begin, uint32_t end, size_t count, uint64_t seed) {
  std::vector<uint32_t> points(end - begin);
  std::iota(points.begin(), points.end(), begin);
  const auto hash = [seed](uint32_t i) { return Mix64(Mix64(seed + kGolden) + kGolden * i); };
  if (points.size() > count) {
    std::nth_element(points.begin(), points.begin() + static_cast<ptrdiff_t>(count), points.end(),
                     [&](uint32_t x, uint32_t y) { return hash(x) < hash(y); });
    points.resize(count);
  }
  std::sort(points.begin(), points.end());
  return points;
}

/// A count of distances by size, in steps of a sixteenth of a power of two.
class StepCounter {
 public:
  void Add(double distance) { ++counts_[std::bit_cast<uint64_t>(distance) >> kShift]; }

  void Add(const StepCounter& other) {
    for (size_t step = 0; step < counts_.size(); ++step) counts_[step] += other.counts_[step];
  }

  /// Returns (distance, weight) of each step that is not empty.
  [[nodiscard]] std::vector<std::pair<double, double>> Distances(double weight) const {
    std::vector<std::pair<double, double>> distances;
    for (size_t step = 0; step < counts_.size(); ++step) {
      if (counts_[step] == 0) continue;
      const uint64_t middle = step == 0 ? 0 : step << kShift | uint64_t{1} << (kShift - 1);
      distances.emplace_back(std::bit_cast<double>(middle),
                             static_cast<double>(counts_[step]) * weight);
    }
    return distances;
  }

 private:
  static constexpr int kShift = 48;  ///< Leaves the exponent and four bits after it.

  std::vector<uint32_t> counts_ = std::vector<uint32_t>(size_t{1} << (63 - kShift));
};

/// Compares every kGroups-th sampled point with all other points, which are taken block by block.
class SampleGroup {
 public:
  static constexpr size_t kGroups = 16;  ///< Independent of the number of threads.

  SampleGroup(const Metric& metric, const JoinTask& task) : metric_(metric), task_(task) {}

  void Compare(size_t group, std::vector<SampledPairs>* points) {
    const auto size = static_cast<uint32_t>(metric_.size());
    const uint32_t end = task_.reference == 0 ? size : task_.reference;
    for (uint32_t first = 0; first < end; first += kBlock) {
      for (size_t i = group; i < points->size(); i += kGroups) {
        CompareBlock(first, std::min(end, first + kBlock), &(*points)[i]);
      }
    }
  }

  [[nodiscard]] const StepCounter& steps() const { return steps_; }

 private:
  static constexpr uint32_t kBlock = 1024;

  void CompareBlock(uint32_t first, uint32_t end, SampledPairs* sampled) {
    const uint32_t i = sampled->point;
    keys_.resize(end - first);
    metric_.Keys(i, first, keys_);
    for (uint32_t j = first; j < end; ++j) {
      if (j == i) continue;
      const double distance = metric_.FromKey(keys_[j - first], i, j);
      steps_.Add(distance);
      if (distance <= task_.within && std::isfinite(task_.within)) {
        sampled->pairs.push_back({std::min(i, j), std::max(i, j), distance});
      }
    }
  }

  const Metric& metric_;
  const JoinTask& task_;
  StepCounter steps_;
  std::vector<double> keys_;
};

double PairsInAll(const Metric& metric, const JoinTask& task) {
  const auto n = static_cast<double>(metric.size()), r = static_cast<double>(task.reference);
  return task.reference == 0 ? n * (n - 1) / 2 : r * (n - r);
}

JoinPlan PlanAll(const Metric& metric, const JoinTask& task) {
  JoinPlan plan;
  plan.seconds = 1e-9 * PairsInAll(metric, task) * PerPairOfAll(metric);
  return plan;
}

/// An estimate, from random pairs, of the number of pairs in neighbouring cells.
class GridPlanner {
 public:
  GridPlanner(const PointSet& points, double reach, uint64_t seed)
      : points_(points), reach_(reach) {
    SplitMix64 random(Mix64(seed ^ 0x67726964));
    for (size_t i = 0; i < kPairs; ++i) {
      const auto a = static_cast<uint32_t>(random.Next() % points.size());
      const auto b = static_cast<uint32_t>(random.Next() % points.size());
      if (a != b) pairs_.emplace_back(a, b);
    }
    shares_.assign(pairs_.size(), 1);
  }

  /// Ranks the axes: those with the fewest pairs in neighbouring cells come first.
  std::vector<uint32_t> RankAxes() const {
    std::vector<double> shares(points_.dimension);
    ParallelFor(size_t{0}, shares.size(), [&](size_t axis) {
      for (size_t i = 0; i < pairs_.size(); ++i) shares[axis] += Near(i, axis);
    });
    std::vector<uint32_t> axes(points_.dimension);
    std::iota(axes.begin(), axes.end(), 0);
    std::stable_sort(axes.begin(), axes.end(),
                     [&](uint32_t x, uint32_t y) { return shares[x] < shares[y]; });
    return axes;
  }

  /// Adds an axis and returns the share of pairs in neighbouring cells of all axes so far.
  double Add(uint32_t axis) {
    double sum = 0;
    for (size_t i = 0; i < pairs_.size(); ++i) sum += shares_[i] *= Near(i, axis);
    return sum / static_cast<double>(std::max<size_t>(1, pairs_.size()));
  }

 private:
  static constexpr size_t kPairs = size_t{1} << 14;

  /// Returns the probability that a pair is in neighbouring cells, with the grid shifted at random.
  [[nodiscard]] double Near(size_t pair, size_t axis) const {
    const auto [a, b] = pairs_[pair];
    const double difference = std::fabs(points_.Row(a)[axis] - points_.Row(b)[axis]);
    return std::clamp(2 - difference / reach_, 0.0, 1.0);
  }

  const PointSet& points_;
  double reach_;
  std::vector<std::pair<uint32_t, uint32_t>> pairs_;
  std::vector<double> shares_;
};

/// Returns the best grid; nothing if there would be too many cells to count, or the kind has no
/// grid.
std::optional<JoinPlan> PlanGrid(const Metric& metric, const JoinTask& task) {
  if (metric.kind() == DistanceKind::kHamming || metric.size() < 2) return {};
  const GridSpace space = SpaceOfGrid(metric, task.within);
  if (!(space.reach > 0) || !(LargestNumber(space.positions()) / space.reach <= kMostCells))
    return {};
  GridPlanner planner(space.positions(), space.reach, task.seed);
  const std::vector<uint32_t> axes = planner.RankAxes();
  const auto n = static_cast<double>(metric.size());
  JoinPlan best, plan;
  plan.method = JoinMethod::kGrid;
  double cells = 1;
  for (size_t k = 0; k < std::min(axes.size(), kMostAxes); ++k) {
    plan.axes.push_back(axes[k]);
    cells *= 3;
    const double candidates = PairsInAll(metric, task) * planner.Add(axes[k]);
    plan.seconds =
        1e-9 * (n * (kPerKey + cells / 2 * kPerCell) + candidates * PerCandidate(metric));
    if (best.axes.empty() || plan.seconds < best.seconds) best = plan;
  }
  return best;
}

/// Plans enough keys for the recall, with `rows` functions each.
std::optional<JoinPlan> PlanRows(const Metric& metric, const JoinTask& task,
                                 const DistanceSample& sample, uint32_t rows, double width) {
  const uint32_t dimension = metric.points().dimension;
  const auto chance = [&](double distance) {
    return ChanceOfKey(ChanceOfFunction(metric.kind(), distance, width, dimension), rows);
  };
  const double at_least = WithMargin(task.recall);
  const double of_key = chance(std::max(task.within, kLeastWithin));
  const double tables = of_key >= 1 ? 1 : std::ceil(std::log1p(-at_least) / std::log1p(-of_key));
  if (!(tables <= kMostTables)) return {};
  JoinPlan plan;
  plan.method = JoinMethod::kKeys;
  plan.design = {rows, static_cast<uint32_t>(std::max(1.0, tables)), width};
  plan.chance = ChanceOfAny(of_key, plan.design.tables);
  double candidates = 0;
  for (const auto& [distance, weight] : sample.distances) candidates += weight * chance(distance);
  plan.seconds = SecondsOfKeys(metric, plan.design, candidates);
  return plan;
}

/// Returns the cheapest keys; nothing if none reach the recall, or numbers are too large.
std::optional<JoinPlan> PlanKeys(const Metric& metric, const JoinTask& task,
                                 const DistanceSample& sample) {
  const bool projected = IsProjected(metric.kind());
  if (projected && !(LargestNumber(metric.points()) / task.within <= kMostKeyed)) return {};
  std::vector<double> widths = {0};
  if (projected) widths.assign(std::begin(kWidthFactors), std::end(kWidthFactors));
  std::optional<JoinPlan> best;
  for (const double factor : widths) {
    for (uint32_t rows = 1; rows <= kMostRows; ++rows) {
      const auto plan = PlanRows(metric, task, sample, rows, factor * task.within);
      if (!plan) break;
      if (!best || plan->seconds < best->seconds) best = plan;
    }
  }
  return best;
}

/// True if the task asks for pairs at distance 0, which then have equal numbers.
bool AsksForEqual(const Metric& metric, const JoinTask& task) {
  return task.within == 0 && !IsOfDirections(metric.kind());
}

}  // namespace

std::string JoinPlan::Name(DistanceKind kind) const {
  switch (method) {
    case JoinMethod::kAll:
      return "all";
    case JoinMethod::kGrid:
      return fmt::format("grid:{}", axes.size());
    case JoinMethod::kEqual:
      return "equal";
    case JoinMethod::kKeys:
      break;
  }
  return ToString(design, kind);
}

uint64_t JoinPlan::Bytes(uint64_t points) const {
  return points * (kBytesOfOrder + (method == JoinMethod::kKeys ? 4 * design.tables : 0));
}

DistanceSample SampleDistances(const Metric& metric, const JoinTask& task) {
  constexpr size_t kComparisons = size_t{1} << 24, kLeast = 64, kMost = 1024;
  DistanceSample sample;
  const auto size = static_cast<uint32_t>(metric.size());
  if (size < 2) return sample;
  const auto drawn =
      DrawPoints(task.reference, size, std::clamp(kComparisons / size, kLeast, kMost), task.seed);
  sample.points.resize(drawn.size());
  for (size_t i = 0; i < drawn.size(); ++i) sample.points[i].point = drawn[i];
  std::vector<SampleGroup> groups(SampleGroup::kGroups, SampleGroup(metric, task));
  ParallelFor(size_t{0}, groups.size(),
              [&](size_t group) { groups[group].Compare(group, &sample.points); });
  StepCounter steps;
  for (const SampleGroup& group : groups) steps.Add(group.steps());
  const double others = task.reference == 0 ? size - 1.0 : task.reference;
  const double weight = PairsInAll(metric, task) / (others * static_cast<double>(drawn.size()));
  sample.distances = steps.Distances(weight);
  for (const SampledPairs& point : sample.points) {
    sample.pairs += weight * static_cast<double>(point.pairs.size());
  }
  return sample;
}

Result<JoinPlan> PlanJoin(const Metric& metric, const JoinTask& task,
                          const DistanceSample& sample) {
  JoinPlan best = PlanAll(metric, task);
  if (metric.size() < 2) return best;
  if (task.ask != JoinTask::Ask::kKeys) {
    if (const auto grid = PlanGrid(metric, task); grid && grid->seconds < best.seconds)
      best = *grid;
    if (AsksForEqual(metric, task)) best = {.method = JoinMethod::kEqual, .axes = {}, .design = {}};
  }
  const bool keys_help = task.ask != JoinTask::Ask::kExact && best.method != JoinMethod::kEqual;
  const auto keys = keys_help ? PlanKeys(metric, task, sample) : std::nullopt;
  if (keys && (task.ask == JoinTask::Ask::kKeys || keys->seconds < best.seconds)) best = *keys;
  if (!keys && task.ask == JoinTask::Ask::kKeys) {
    return OptionError(
        fmt::format("no keys find a pair at distance {} with probability {}: the distance is too "
                    "small compared to the numbers, or too close to the distances of most pairs; "
                    "use $<method=exact> or auto",
                    task.within, task.recall));
  }
  best.pairs = sample.pairs;
  return best;
}

Result<JoinPlan> ParseJoinPlan(std::string_view name, const Metric& metric, const JoinTask& task) {
  if (name == "all") return PlanAll(metric, task);
  if (name == "grid") {
    if (const auto grid = PlanGrid(metric, task)) return *grid;
    return OptionError(
        "$<design=grid> cannot be used with this distance and these numbers; pass $<design=all>");
  }
  return OptionError(
      fmt::format("$<design='{}'> is not allowed with $<distance>; use all or grid", name));
}

}  // namespace lookalike
