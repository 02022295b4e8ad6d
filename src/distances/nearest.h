// The nearest neighbours of points.
#ifndef LOOKALIKE_DISTANCES_NEAREST_H_
#define LOOKALIKE_DISTANCES_NEAREST_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "distances/distance.h"
#include "distances/point_join.h"
#include "lookalike/status.h"

namespace lookalike {

struct Neighbour {
  double distance;
  uint32_t point;
  bool operator<(const Neighbour& other) const {
    return distance != other.distance ? distance < other.distance : point < other.point;
  }
  bool operator==(const Neighbour&) const = default;
};

/// What is asked. JoinTask::within bounds the distances (infinite: nothing does); with a reference
/// its points are the neighbours, and the others have them.
struct NearestTask {
  JoinTask join;
  uint32_t top = 10;
};

/// The nearest so far of each point, in order.
class NeighbourLists {
 public:
  NeighbourLists(size_t points, uint32_t top) : top_(top), counts_(points), all_(points * top) {}

  /// The list of a point: the nearest first, of equally near the first.
  [[nodiscard]] std::span<const Neighbour> Of(size_t point) const {
    return {all_.data() + point * top_, counts_[point]};
  }
  [[nodiscard]] bool IsFull(size_t point) const { return counts_[point] == top_; }

  /// Adds a neighbour unless it is there or `top` nearer ones are. Safe for several points at once.
  bool Add(size_t point, const Neighbour& neighbour);

 private:
  uint32_t top_;
  std::vector<uint32_t> counts_;
  std::vector<Neighbour> all_;
};

/// The neighbours of some points, found by comparing with all.
struct NearestSample {
  std::vector<uint32_t> points;
  std::vector<std::vector<Neighbour>> neighbours;
  DistanceSample distances;  ///< Of the same points.
};
NearestSample SampleNearest(const Metric& metric, const NearestTask& task);

/// The cheapest of comparing all points and of keys that find a neighbour of the sample, on
/// average, with the probability asked for. The Error where keys were asked for and none reach it.
Result<JoinPlan> PlanNearest(const Metric& metric, const NearestTask& task,
                             const NearestSample& sample);

/// Finds the neighbours of every point (of all, or of those behind the reference). With kKeys those
/// of whom too few were found are compared with all, unless distances are bounded, and there are
/// further keys as long as less than was asked for is found of the sample's neighbours.
Result<NeighbourLists> FindNearest(const Metric& metric, const NearestTask& task,
                                   const JoinPlan& plan, const NearestSample& sample = {});

/// What lists take, and keys while the points are sorted by them.
uint64_t NearestBytes(uint64_t points, uint32_t top);

/// How many of the sample's neighbours, of one point, are in a list, or others equally near.
uint64_t CountNeighboursFound(std::span<const Neighbour> truth, std::span<const Neighbour> list);

}  // namespace lookalike

#endif  // LOOKALIKE_DISTANCES_NEAREST_H_
