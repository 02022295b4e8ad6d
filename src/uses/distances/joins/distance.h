// Points and the distances between them.
#ifndef LOOKALIKE_USES_DISTANCES_JOINS_DISTANCE_H_
#define LOOKALIKE_USES_DISTANCES_JOINS_DISTANCE_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "measures/distance_kind.h"

namespace lookalike {

/// Points of one dimension, back to back.
struct PointSet {
  uint32_t dimension = 0;
  std::vector<double> values;

  [[nodiscard]] size_t size() const { return dimension == 0 ? 0 : values.size() / dimension; }
  [[nodiscard]] const double* Row(size_t i) const { return values.data() + i * dimension; }
};

/// Scales a point by the power of two that brings its largest number to [1, 2): this changes no
/// angle, and no product of two such points overflows. REQUIRES: not all numbers are 0.
void ScaleDirection(std::span<double> point);

/// Distances of one kind between the points of one set, each the IEEE double of its formula with
/// sums as in kernels/distances.h. For directions the points are scaled first. A sum of squares
/// that overflows or loses digits is computed again from numbers scaled by a power of two. A *key*
/// is a value that rises with the distance and is cheap to compute: the sum for l1 and hamming, the
/// sum of squares for l2, and 1 - the cosine for directions.
class Metric {
 public:
  /// If the distance compares directions, scales each point by a power of two, so that squares
  /// neither overflow nor underflow; then no point may be all zeros. REQUIRES: !IsOfStrings(kind).
  Metric(DistanceKind kind, PointSet points);

  [[nodiscard]] DistanceKind kind() const { return kind_; }
  [[nodiscard]] const PointSet& points() const { return points_; }
  [[nodiscard]] size_t size() const { return points_.size(); }

  /// Computes the keys of point i with the points from `first` on.
  void Keys(size_t i, size_t first, std::span<double> keys) const;
  [[nodiscard]] double Key(size_t i, size_t j) const;

  /// Returns a bound: no pair with a larger key is within the distance.
  [[nodiscard]] double KeyBound(double within) const;

  /// Returns the distance of two points, computed from their key.
  [[nodiscard]] double FromKey(double key, size_t i, size_t j) const;

  [[nodiscard]] double Distance(size_t i, size_t j) const { return FromKey(Key(i, j), i, j); }

 private:
  [[nodiscard]] double ScaledL2(size_t i, size_t j) const;

  DistanceKind kind_;
  PointSet points_;
  std::vector<double> squares_;  ///< For directions: each point's product with itself.
};

}  // namespace lookalike

#endif  // LOOKALIKE_USES_DISTANCES_JOINS_DISTANCE_H_
