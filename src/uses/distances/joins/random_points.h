// Points for the tests of distances.
#ifndef LOOKALIKE_USES_DISTANCES_JOINS_RANDOM_POINTS_H_
#define LOOKALIKE_USES_DISTANCES_JOINS_RANDOM_POINTS_H_

#include <cstdint>
#include <random>

#include "uses/distances/joins/distance.h"

namespace lookalike {

inline constexpr DistanceKind kPointKinds[] = {DistanceKind::kL1, DistanceKind::kL2,
                                               DistanceKind::kCosine, DistanceKind::kAngular,
                                               DistanceKind::kHamming};

/// Returns clusters: two thirds of the points are near an earlier point; for hamming, near points
/// share numbers.
inline PointSet ClusteredPoints(DistanceKind kind, uint32_t count, uint32_t dimension,
                                uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  const bool whole = kind == DistanceKind::kHamming;
  PointSet points{dimension, {}};
  for (uint32_t i = 0; i < count; ++i) {
    const bool copy = i > 10 && random() % 3 != 0;
    const size_t of = copy ? random() % i : 0;
    const double noise = 0.01 + 0.2 * static_cast<double>(random() % 100) / 100;
    for (uint32_t k = 0; k < dimension; ++k) {
      const double fresh = whole ? static_cast<double>(random() % 10) : normal(random);
      const double near = copy ? points.values[of * dimension + k] : 0;
      const bool keeps = copy && whole && random() % dimension > 1;
      points.values.push_back(keeps ? near : whole ? fresh : near + (copy ? noise : 1) * fresh);
    }
  }
  return points;
}

}  // namespace lookalike

#endif  // LOOKALIKE_USES_DISTANCES_JOINS_RANDOM_POINTS_H_
