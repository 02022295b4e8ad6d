// The nearest neighbours of points.
#ifndef LOOKALIKE_USES_DISTANCES_JOINS_NEAREST_H_
#define LOOKALIKE_USES_DISTANCES_JOINS_NEAREST_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "lookalike/status.h"
#include "uses/distances/joins/distance.h"
#include "uses/distances/joins/point_join.h"

namespace lookalike {

struct Neighbour {
  double distance;
  uint32_t point;
  bool operator<(const Neighbour& other) const {
    return distance != other.distance ? distance < other.distance : point < other.point;
  }
  bool operator==(const Neighbour&) const = default;
};

/// The task of a search. JoinTask::within bounds the distances (infinite: no bound); with a
/// reference, only the other points get neighbours, and these come from the reference.
struct NearestTask {
  JoinTask join;
  uint32_t top = 10;
};

/// The nearest neighbours of each point so far, in order.
class NeighbourLists {
 public:
  NeighbourLists(size_t points, uint32_t top) : top_(top), counts_(points), all_(points * top) {}

  /// Returns the list of a point: the nearest first, and equally near neighbours in order of their
  /// numbers.
  [[nodiscard]] std::span<const Neighbour> Of(size_t point) const {
    return {all_.data() + point * top_, counts_[point]};
  }
  [[nodiscard]] bool IsFull(size_t point) const { return counts_[point] == top_; }

  /// Adds a neighbour unless the list has it already, or has `top` nearer neighbours. Safe for
  /// several points at once.
  bool Add(size_t point, const Neighbour& neighbour);

 private:
  uint32_t top_;
  std::vector<uint32_t> counts_;
  std::vector<Neighbour> all_;
};

/// The neighbours of some points, found by comparing these with all others.
struct NearestSample {
  std::vector<uint32_t> points;
  std::vector<std::vector<Neighbour>> neighbours;
  DistanceSample distances;  ///< Distances of the same points.
};
NearestSample SampleNearest(const Metric& metric, const NearestTask& task);

/// Returns the cheapest of two plans: comparing all points, or keys that find a neighbour of the
/// sample, on average, with the requested probability. Returns an Error if keys were requested and
/// none reach it.
Result<JoinPlan> PlanNearest(const Metric& metric, const NearestTask& task,
                             const NearestSample& sample);

/// Finds the neighbours of every point (or, with a reference, of those after it). With kKeys,
/// points with too few neighbours are compared with all others, unless distances are bounded, and
/// further keys are used while fewer of the sample's neighbours than requested are found.
Result<NeighbourLists> FindNearest(const Metric& metric, const NearestTask& task,
                                   const JoinPlan& plan, const NearestSample& sample = {});

/// Returns the memory for lists, and for keys while the points are sorted by them.
uint64_t NearestBytes(uint64_t points, uint32_t top);

/// Counts how many of a sampled point's true neighbours, or others equally near, are in its list.
uint64_t CountNeighboursFound(std::span<const Neighbour> truth, std::span<const Neighbour> list);

}  // namespace lookalike

#endif  // LOOKALIKE_USES_DISTANCES_JOINS_NEAREST_H_
