// The costs of ways to find near points: nanoseconds of one core, in about these proportions on any
// machine.
#ifndef LOOKALIKE_USES_DISTANCES_JOINS_JOIN_COSTS_H_
#define LOOKALIKE_USES_DISTANCES_JOINS_JOIN_COSTS_H_

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "uses/distances/joins/distance.h"
#include "uses/distances/joins/point_keys.h"

namespace lookalike {

inline constexpr double kPerNumber = 0.12, kPerPair = 1.5, kPerCandidate = 14;
inline constexpr double kPerFunction = 5, kPerKey = 60, kPerCell = 25;

/// The most keys of a point (each costs a pass over all points, and four bytes), and the most
/// functions of one key.
inline constexpr uint32_t kMostTables = 512, kMostRows = 64;

/// Widths of the cells of projections that are tried, in units of the distance.
inline constexpr double kWidthFactors[] = {0.5, 0.75, 1, 1.5, 2, 3, 4, 6, 8, 12, 16, 24};

/// Beyond this many distances from 0 a double has too few digits left for a sum of products.
inline constexpr double kMostKeyed = 0x1p30;

/// Returns the recall to plan for, so that chance does not bring the result below the requested
/// one: half of the allowed misses are kept in reserve.
constexpr double WithMargin(double recall) { return recall + (1 - recall) / 2; }

constexpr bool IsProjected(DistanceKind kind) {
  return kind == DistanceKind::kL1 || kind == DistanceKind::kL2;
}

/// Returns the cost of comparing a pair: PerPairOfAll if all pairs are compared in order,
/// PerCandidate if the two points may be anywhere in memory.
inline double PerPairOfAll(const Metric& metric) {
  return kPerPair + kPerNumber * metric.points().dimension;
}
inline double PerCandidate(const Metric& metric) {
  return kPerCandidate + kPerNumber * metric.points().dimension;
}

/// Returns the cost of all keys of all points, and of the candidates of each table.
inline double SecondsOfKeys(const Metric& metric, const KeyDesign& design, double candidates) {
  const double per_function = kPerFunction + kPerNumber * metric.points().dimension;
  const double per_key = design.rows * per_function + kPerKey;
  return 1e-9 * design.tables *
         (static_cast<double>(metric.size()) * per_key + candidates * PerCandidate(metric));
}

inline double LargestNumber(const PointSet& points) {
  double largest = 0;
  for (const double x : points.values) largest = std::max(largest, std::fabs(x));
  return largest;
}

}  // namespace lookalike

#endif  // LOOKALIKE_USES_DISTANCES_JOINS_JOIN_COSTS_H_
