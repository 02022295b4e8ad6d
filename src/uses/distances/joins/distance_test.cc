#include "uses/distances/joins/distance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "kernels/portable_math.h"
#include "uses/distances/joins/random_points.h"

namespace lookalike {
namespace {

double DistanceOf(DistanceKind kind, std::vector<double> a, const std::vector<double>& b) {
  PointSet points{static_cast<uint32_t>(a.size()), std::move(a)};
  points.values.insert(points.values.end(), b.begin(), b.end());
  return Metric(kind, std::move(points)).Distance(0, 1);
}

/// Returns the distance by its formula with more digits, in plain order.
long double Precisely(DistanceKind kind, const double* a, const double* b, uint32_t dimension) {
  long double absolute = 0, squares = 0, ab = 0, aa = 0, bb = 0, different = 0;
  for (uint32_t i = 0; i < dimension; ++i) {
    const long double x = a[i], y = b[i];
    absolute += std::fabs(x - y);
    squares += (x - y) * (x - y);
    ab += x * y;
    aa += x * x;
    bb += y * y;
    different += x != y ? 1 : 0;
  }
  const long double cosine = std::clamp(ab / std::sqrt(aa * bb), -1.0L, 1.0L);
  switch (kind) {
    case DistanceKind::kL1:
      return absolute;
    case DistanceKind::kL2:
      return std::sqrt(squares);
    case DistanceKind::kCosine:
      return 1 - cosine;
    case DistanceKind::kAngular:
      return std::acos(cosine) / std::acos(-1.0L);
    default:
      return different;
  }
}

TEST(Distance, IsThatOfTheFormula) {
  for (const DistanceKind kind : kPointKinds) {
    for (const uint32_t dimension : {1U, 2U, 7U, 8U, 33U}) {
      const PointSet points = ClusteredPoints(kind, 60, dimension, 5);
      const Metric metric(kind, points);
      for (uint32_t i = 0; i < 60; ++i) {
        for (uint32_t j = i + 1; j < 60; ++j) {
          const auto exact =
              static_cast<double>(Precisely(kind, points.Row(i), points.Row(j), dimension));
          // Near 0 the angle has half as many digits as its cosine.
          const double error = kind == DistanceKind::kAngular ? 2e-8 : 1e-13 * (1 + exact);
          ASSERT_NEAR(metric.Distance(i, j), exact, error) << ToString(kind) << " " << dimension;
        }
      }
    }
  }
}

TEST(Distance, KnownOnes) {
  EXPECT_EQ(DistanceOf(DistanceKind::kL1, {0, 0}, {3, -4}), 7);
  EXPECT_EQ(DistanceOf(DistanceKind::kL2, {0, 0}, {3, -4}), 5);
  EXPECT_EQ(DistanceOf(DistanceKind::kHamming, {1, 2, 0.0}, {1, 3, -0.0}), 1);
  EXPECT_EQ(DistanceOf(DistanceKind::kCosine, {1, 0}, {0, 5}), 1);
  EXPECT_EQ(DistanceOf(DistanceKind::kCosine, {1, 0}, {-2, 0}), 2);
  EXPECT_EQ(DistanceOf(DistanceKind::kAngular, {1, 0}, {0, 5}), 0.5);
  EXPECT_EQ(DistanceOf(DistanceKind::kAngular, {1, 0}, {-2, 0}), 1);
  EXPECT_NEAR(DistanceOf(DistanceKind::kAngular, {1, 0}, {1, 1}), 0.25, 1e-15);
  EXPECT_NEAR(DistanceOf(DistanceKind::kAngular, {1, 0}, {-1, 1}), 0.75, 1e-15);
}

TEST(Distance, IsSymmetricAndZeroFromItself) {
  for (const DistanceKind kind : kPointKinds) {
    const Metric metric(kind, ClusteredPoints(kind, 50, 9, 6));
    for (uint32_t i = 0; i < 50; ++i) {
      EXPECT_EQ(metric.Distance(i, i), 0) << ToString(kind);
      for (uint32_t j = 0; j < 50; ++j) {
        ASSERT_EQ(metric.Distance(i, j), metric.Distance(j, i)) << ToString(kind);
      }
    }
  }
}

TEST(Distance, AllButCosineAreMetrics) {
  for (const DistanceKind kind : kPointKinds) {
    const Metric metric(kind, ClusteredPoints(kind, 40, 3, 7));
    uint64_t broken = 0;
    for (uint32_t i = 0; i < 40; ++i) {
      for (uint32_t j = 0; j < 40; ++j) {
        for (uint32_t k = 0; k < 40; ++k) {
          broken += metric.Distance(i, k) > metric.Distance(i, j) + metric.Distance(j, k) + 1e-7;
        }
      }
    }
    if (kind == DistanceKind::kCosine) {
      EXPECT_GT(broken, 0U);
    } else {
      EXPECT_EQ(broken, 0U) << ToString(kind);
    }
  }
}

TEST(Distance, OfHugeAndTinyNumbers) {
  EXPECT_DOUBLE_EQ(DistanceOf(DistanceKind::kL2, {3e300, 0}, {0, 4e300}), 5e300);
  EXPECT_DOUBLE_EQ(DistanceOf(DistanceKind::kL2, {3e-300, 0}, {0, 4e-300}), 5e-300);
  constexpr double kLeast = std::numeric_limits<double>::denorm_min();
  EXPECT_EQ(DistanceOf(DistanceKind::kL2, {kLeast, 0}, {0, 0}), kLeast);
  EXPECT_EQ(DistanceOf(DistanceKind::kL1, {kLeast, 0}, {0, kLeast}), 2 * kLeast);
  EXPECT_EQ(DistanceOf(DistanceKind::kL2, {1e308, 0}, {-1e308, 0}),
            std::numeric_limits<double>::infinity());
  EXPECT_NEAR(DistanceOf(DistanceKind::kCosine, {1e300, 0}, {1e300, 1e300}), 1 - std::sqrt(0.5),
              1e-15);
  EXPECT_NEAR(DistanceOf(DistanceKind::kCosine, {kLeast, 0}, {1e300, 1e300}), 1 - std::sqrt(0.5),
              1e-15);
}

TEST(Distance, NoPairBeyondTheBoundIsWithin) {
  for (const DistanceKind kind : kPointKinds) {
    const Metric metric(kind, ClusteredPoints(kind, 80, 5, 8));
    for (uint32_t i = 0; i < 80; ++i) {
      for (uint32_t j = 0; j < i; ++j) {
        // The limit is exactly a pair's own distance.
        EXPECT_LE(metric.Key(i, j), metric.KeyBound(metric.Distance(i, j))) << ToString(kind);
      }
    }
  }
}

TEST(Distance, Names) {
  for (const DistanceKind kind : kPointKinds) EXPECT_EQ(ParseDistance(ToString(kind)), kind);
  EXPECT_EQ(ParseDistance("edit"), DistanceKind::kEdit);
  EXPECT_FALSE(ParseDistance("l3"));
}

TEST(PortableMath, ArcTangent) {
  for (double y = 0; y <= 3; y += 0.01) {
    for (const double x : {0.001, 0.3, 1.0, 2.9}) {
      EXPECT_NEAR(PortableAtan2(y, x), std::atan2(y, x), 3e-16) << y << " " << x;
    }
  }
  EXPECT_EQ(PortableAtan2(1, 0), kPi / 2);
  EXPECT_EQ(PortableAtan2(0, 1), 0);
}

}  // namespace
}  // namespace lookalike
