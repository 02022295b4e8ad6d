// All pairs of points within a distance.
#ifndef LOOKALIKE_DISTANCES_POINT_JOIN_H_
#define LOOKALIKE_DISTANCES_POINT_JOIN_H_

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "distances/distance.h"
#include "distances/point_keys.h"
#include "lookalike/status.h"

namespace lookalike {

/// Points by number, a < b, and their distance.
struct PointPair {
  uint32_t a, b;
  double distance;
  bool operator<(const PointPair& other) const { return a != other.a ? a < other.a : b < other.b; }
  bool operator==(const PointPair&) const = default;
};

/// How candidates are found.
enum class JoinMethod : uint8_t {
  kAll,    ///< Every pair is looked at. Exact.
  kGrid,   ///< Points of neighbouring cells along some axes. Exact.
  kEqual,  ///< Points with equal numbers: at distance 0. Exact.
  kKeys,   ///< Points that share a key.
};

struct JoinPlan {
  JoinMethod method = JoinMethod::kAll;
  std::vector<uint32_t> axes;  ///< Of the grid.
  KeyDesign design;            ///< With kKeys.
  double chance = 1;           ///< That a pair at the distance asked for is found.
  double pairs = 0;            ///< Expected, from a sample.
  double seconds = 0;          ///< Expected, of one core.

  /// "all", "grid:AXES", "equal", or the design.
  [[nodiscard]] std::string Name(DistanceKind kind) const;
  static constexpr uint64_t kBytesOfOrder = 32;  ///< Of a point, while it is sorted.
  /// What keys take while the join works.
  [[nodiscard]] uint64_t Bytes(uint64_t points) const;
};

/// What is asked of a join.
struct JoinTask {
  double within = 0;
  /// So many points at the front are of a reference: pairs are one of these and one of the others.
  /// 0: all pairs.
  uint32_t reference = 0;
  uint64_t seed = 0;
  double recall = 0.99;
  enum class Ask : uint8_t { kAuto, kKeys, kExact } ask = Ask::kAuto;
  std::function<bool()> cancelled = {};  ///< Asked from any thread; true ends the join.

  /// Whether two points, a < b, are a pair to look at.
  [[nodiscard]] bool Counts(uint32_t a, uint32_t b) const {
    return reference == 0 || (a < reference && b >= reference);
  }
};

/// Pairs within the distance of one sampled point with all others, to plan by and to measure.
struct SampledPairs {
  uint32_t point = 0;
  std::vector<PointPair> pairs;
  uint64_t found = 0;  ///< Of these, by a join.
};

/// What a sample tells of the distances of a set.
struct DistanceSample {
  std::vector<SampledPairs> points;  ///< Without pairs where no distance bounds them.
  /// (distance, weight): distances of sampled pairs in steps of some 4 %, and how many pairs of the
  /// whole each step stands for.
  std::vector<std::pair<double, double>> distances;
  double pairs = 0;  ///< Of the whole, within the distance.
};

/// Compares some points, drawn by the seed, with all others.
DistanceSample SampleDistances(const Metric& metric, const JoinTask& task);

/// The numbers that a grid is laid over, and how near the points of a pair are in them along each
/// axis: the points themselves, of directions on the unit sphere.
struct GridSpace {
  PointSet unit;                     ///< Of directions; else empty.
  const PointSet* points = nullptr;  ///< Otherwise.
  double reach = 0;

  [[nodiscard]] const PointSet& positions() const { return unit.dimension == 0 ? *points : unit; }
};
GridSpace SpaceOfGrid(const Metric& metric, double within);

/// A plan by its name; the Error says which there are.
Result<JoinPlan> ParseJoinPlan(std::string_view name, const Metric& metric, const JoinTask& task);

/// The cheapest way, by the sample, that finds a pair at the distance with the probability asked
/// for (and a margin of half of what may be missed). The Error where keys were asked for and
/// none reach it.
Result<JoinPlan> PlanJoin(const Metric& metric, const JoinTask& task, const DistanceSample& sample);

/// Finds pairs by a plan, and gives them to `take`, some at a time, from one thread at a time, in
/// no order that counts; a pair may come twice where the method is kGrid. Of each the distance is
/// computed, and none is above. `sample`, unless null: how many of its pairs are found is counted.
Status JoinPoints(const Metric& metric, const JoinTask& task, const JoinPlan& plan,
                  const std::function<Status(std::span<const PointPair>)>& take,
                  DistanceSample* sample);

}  // namespace lookalike

#endif  // LOOKALIKE_DISTANCES_POINT_JOIN_H_
