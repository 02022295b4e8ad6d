#include "uses/distances/joins/distance.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "kernels/distances.h"
#include "kernels/portable_math.h"

namespace lookalike {
namespace {

/// Sums of squares outside these bounds are recomputed, because terms may have overflowed or
/// vanished.
constexpr double kLeastSquares = 0x1p-960, kMostSquares = 0x1p1020;

/// About 10^-12 more than 1, to compensate for rounding.
constexpr double kAbove = 1 + 0x1p-40;

using SumFunction = void (*)(const double*, const double*, size_t, size_t, double*);

SumFunction SumOf(DistanceKind kind) {
  switch (kind) {
    case DistanceKind::kL1:
      return SumAbsolute;
    case DistanceKind::kL2:
      return SumSquares;
    case DistanceKind::kHamming:
      return SumDifferent;
    default:
      return SumProducts;
  }
}

}  // namespace

void ScaleDirection(std::span<double> point) {
  double largest = 0;
  for (const double x : point) largest = std::max(largest, std::fabs(x));
  const int exponent = std::ilogb(largest);
  for (double& x : point) x = std::scalbn(x, -exponent);
}

Metric::Metric(DistanceKind kind, PointSet points) : kind_(kind), points_(std::move(points)) {
  if (!IsOfDirections(kind)) return;
  const size_t dimension = points_.dimension;
  squares_.resize(points_.size());
  for (size_t i = 0; i < points_.size(); ++i) {
    double* const row = points_.values.data() + i * dimension;
    ScaleDirection({row, dimension});
    SumProducts(row, row, 1, dimension, &squares_[i]);
  }
}

void Metric::Keys(size_t i, size_t first, std::span<double> keys) const {
  SumOf(kind_)(points_.Row(i), points_.Row(first), keys.size(), points_.dimension, keys.data());
  if (!IsOfDirections(kind_)) return;
  for (size_t k = 0; k < keys.size(); ++k) {
    // The square root of x x is x, so a point is at distance 0 from itself.
    const double cosine = keys[k] / std::sqrt(squares_[i] * squares_[first + k]);
    keys[k] = std::clamp(1 - cosine, 0.0, 2.0);
  }
}

double Metric::Key(size_t i, size_t j) const {
  double key = 0;
  Keys(i, j, {&key, 1});
  return key;
}

double Metric::KeyBound(double within) const {
  switch (kind_) {
    case DistanceKind::kL2:
      return std::max(within * within * kAbove, kLeastSquares);
    case DistanceKind::kAngular: {
      if (within >= 1) return 2;
      const double half = std::sin(kPi / 2 * within);
      return 2 * half * half * kAbove + 0x1p-50;
    }
    default:
      return within;
  }
}

double Metric::FromKey(double key, size_t i, size_t j) const {
  switch (kind_) {
    case DistanceKind::kL2:
      return key >= kLeastSquares && key <= kMostSquares ? std::sqrt(key) : ScaledL2(i, j);
    case DistanceKind::kAngular:
      // Half the angle has the tangent sqrt((1 - cosine) / (1 + cosine)).
      return 2 * PortableAtan2(std::sqrt(key), std::sqrt(2 - key)) / kPi;
    default:
      return key;
  }
}

double Metric::ScaledL2(size_t i, size_t j) const {
  std::vector<double> differences(points_.dimension), zeros(points_.dimension);
  double largest = 0;
  for (size_t k = 0; k < differences.size(); ++k) {
    differences[k] = points_.Row(i)[k] - points_.Row(j)[k];
    largest = std::max(largest, std::fabs(differences[k]));
  }
  if (largest == 0 || !std::isfinite(largest)) return largest;
  const int exponent = std::ilogb(largest);
  for (double& difference : differences) difference = std::scalbn(difference, -exponent);
  double sum = 0;
  SumSquares(differences.data(), zeros.data(), 1, differences.size(), &sum);
  return std::scalbn(std::sqrt(sum), exponent);
}

}  // namespace lookalike
