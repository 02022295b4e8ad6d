// All pairs of points within a distance.
#ifndef LOOKALIKE_USES_DISTANCES_JOINS_POINT_JOIN_H_
#define LOOKALIKE_USES_DISTANCES_JOINS_POINT_JOIN_H_

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lookalike/status.h"
#include "uses/distances/joins/distance.h"
#include "uses/distances/joins/point_keys.h"

namespace lookalike {

/// Points by number, a < b, and their distance.
struct PointPair {
  uint32_t a, b;
  double distance;
  bool operator<(const PointPair& other) const { return a != other.a ? a < other.a : b < other.b; }
  bool operator==(const PointPair&) const = default;
};

/// The way in which candidates are found.
enum class JoinMethod : uint8_t {
  kAll,    ///< Every pair is tested. Exact.
  kGrid,   ///< Points of neighbouring cells along some axes. Exact.
  kEqual,  ///< Points with equal numbers: at distance 0. Exact.
  kKeys,   ///< Points that share a key.
};

struct JoinPlan {
  JoinMethod method = JoinMethod::kAll;
  std::vector<uint32_t> axes;  ///< For a grid.
  KeyDesign design;            ///< For kKeys.
  double chance = 1;           ///< The probability of finding a pair at the given distance.
  double pairs = 0;            ///< Expected, from a sample.
  double seconds = 0;          ///< Expected, of one core.

  /// Returns "all", "grid:AXES", "equal", or the design.
  [[nodiscard]] std::string Name(DistanceKind kind) const;
  static constexpr uint64_t kBytesOfOrder = 32;  ///< Per point, while it is sorted.
  /// Returns the memory for keys while the join works.
  [[nodiscard]] uint64_t Bytes(uint64_t points) const;
};

/// The task of a join.
struct JoinTask {
  double within = 0;
  /// The number of points at the front that form the reference: each pair then has one point from
  /// it and one from the others. 0: all pairs.
  uint32_t reference = 0;
  uint64_t seed = 0;
  double recall = 0.99;
  enum class Ask : uint8_t { kAuto, kKeys, kExact } ask = Ask::kAuto;
  std::function<bool()> cancelled = {};  ///< Called from any thread; true ends the join.

  /// True if two points, a < b, are a pair to be tested.
  [[nodiscard]] bool Counts(uint32_t a, uint32_t b) const {
    return reference == 0 || (a < reference && b >= reference);
  }
};

/// Pairs within the distance of one sampled point with all others, used to plan and to measure.
struct SampledPairs {
  uint32_t point = 0;
  std::vector<PointPair> pairs;
  uint64_t found = 0;  ///< Number of these found by a join.
};

/// Facts about the distances of a set, from a sample.
struct DistanceSample {
  std::vector<SampledPairs> points;  ///< Without pairs if the distance is not bounded.
  /// (distance, weight): distances of sampled pairs in steps of some 4 %, and the number of pairs
  /// of the whole set that each step represents.
  std::vector<std::pair<double, double>> distances;
  double pairs = 0;  ///< Pairs of the whole set that are within the distance.
};

/// Compares some points, drawn by the seed, with all others.
DistanceSample SampleDistances(const Metric& metric, const JoinTask& task);

/// The positions that a grid is laid over: the points themselves or, for directions, their images
/// on the unit sphere. `reach` bounds the distance of a pair along each axis.
struct GridSpace {
  PointSet unit;                     ///< For directions; else empty.
  const PointSet* points = nullptr;  ///< Otherwise.
  double reach = 0;

  [[nodiscard]] const PointSet& positions() const { return unit.dimension == 0 ? *points : unit; }
};
GridSpace SpaceOfGrid(const Metric& metric, double within);

/// Returns a plan by its name; the Error lists the names.
Result<JoinPlan> ParseJoinPlan(std::string_view name, const Metric& metric, const JoinTask& task);

/// Returns the cheapest way, by the sample, that finds a pair at the distance with the requested
/// probability (and a margin of half of the allowed misses). Returns an Error if keys were
/// requested and none reach it.
Result<JoinPlan> PlanJoin(const Metric& metric, const JoinTask& task, const DistanceSample& sample);

/// Finds pairs by a plan, and passes them to `take`, some at a time, from one thread at a time, in
/// no particular order; a pair may come twice if the method is kGrid. The distance of each is
/// computed, and none exceeds the limit. If `sample` is not null, counts how many of its pairs are
/// found.
Status JoinPoints(const Metric& metric, const JoinTask& task, const JoinPlan& plan,
                  const std::function<Status(std::span<const PointPair>)>& take,
                  DistanceSample* sample);

}  // namespace lookalike

#endif  // LOOKALIKE_USES_DISTANCES_JOINS_POINT_JOIN_H_
