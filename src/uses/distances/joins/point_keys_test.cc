// Keys agree as often as theory says, within four standard errors.
#include "uses/distances/joins/point_keys.h"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "kernels/portable_math.h"
#include "uses/distances/joins/distance.h"

namespace lookalike {
namespace {

/// Returns the share of `tables` keys that two points have in common.
double ShareOfKeys(DistanceKind kind, const std::vector<double>& a, const std::vector<double>& b,
                   const KeyDesign& design) {
  const auto dimension = static_cast<uint32_t>(a.size());
  std::vector<double> scratch;
  uint32_t equal = 0;
  for (uint32_t table = 0; table < design.tables; ++table) {
    const PointKeys keys(kind, dimension, design, 3, table);
    equal += keys.KeyOf(a.data(), &scratch) == keys.KeyOf(b.data(), &scratch) ? 1 : 0;
  }
  return equal / static_cast<double>(design.tables);
}

void ExpectChance(DistanceKind kind, const std::vector<double>& a, const std::vector<double>& b,
                  double distance, const KeyDesign& design) {
  const double chance = ChanceOfKey(
      ChanceOfFunction(kind, distance, design.width, static_cast<uint32_t>(a.size())), design.rows);
  const double error = std::sqrt(chance * (1 - chance) / design.tables);
  EXPECT_NEAR(ShareOfKeys(kind, a, b, design), chance, 4 * error)
      << ToString(kind) << " at " << distance << ", " << ToString(design, kind);
}

constexpr uint32_t kKeys = 40'000;

TEST(PointKeys, ProjectionsOfNormalVectors) {
  for (const double distance : {0.1, 1.0, 5.0}) {
    for (const uint32_t rows : {1U, 3U}) {
      const double x = distance / std::sqrt(3.0);
      ExpectChance(DistanceKind::kL2, {1, 2, 3}, {1 + x, 2 - x, 3 + x}, distance,
                   {rows, kKeys, 2.5});
    }
  }
}

TEST(PointKeys, ProjectionsOfVectorsOfCauchysLaw) {
  for (const double distance : {0.1, 1.0, 5.0}) {
    for (const uint32_t rows : {1U, 3U}) {
      ExpectChance(DistanceKind::kL1, {1, 2, 3}, {1 + distance / 2, 2 - distance / 2, 3}, distance,
                   {rows, kKeys, 2.5});
    }
  }
}

// The sides of cells are drawn independently for each function: 0 is not on any of them.
TEST(PointKeys, PointsAroundZeroShareKeysLikeAnyOthers) {
  for (const double distance : {0.5, 2.0}) {
    const double x = distance / 2;
    for (const DistanceKind kind : {DistanceKind::kL1, DistanceKind::kL2}) {
      ExpectChance(kind, {-x, 0, 0}, {x, 0, 0}, distance, {1, kKeys, 2.5});
    }
  }
}

TEST(PointKeys, SidesOfHyperplanes) {
  for (const double angle : {0.05, 0.25, 0.5, 0.9}) {
    const std::vector<double> a = {2, 0, 0};
    const std::vector<double> b = {std::cos(kPi * angle), std::sin(kPi * angle), 0};
    ExpectChance(DistanceKind::kAngular, a, b, angle, {1, kKeys, 0});
    ExpectChance(DistanceKind::kAngular, a, b, angle, {4, kKeys, 0});
    ExpectChance(DistanceKind::kCosine, a, b, 1 - std::cos(kPi * angle), {2, kKeys, 0});
  }
}

TEST(PointKeys, SamplesOfCoordinates) {
  const std::vector<double> a = {1, 2, 3, 4, 5, 6, 7, 8};
  std::vector<double> b = a;
  for (const uint32_t different : {1U, 4U, 7U}) {
    for (uint32_t i = 0; i < different; ++i) b[i] = -1;
    ExpectChance(DistanceKind::kHamming, a, b, different, {1, kKeys, 0});
    ExpectChance(DistanceKind::kHamming, a, b, different, {3, kKeys, 0});
  }
}

TEST(PointKeys, EqualPointsAlwaysAgree) {
  const std::vector<double> a = {0.0, -1.5, 2}, b = {-0.0, -1.5, 2};
  for (const DistanceKind kind :
       {DistanceKind::kL1, DistanceKind::kL2, DistanceKind::kAngular, DistanceKind::kHamming}) {
    EXPECT_EQ(ShareOfKeys(kind, a, b, {8, 200, 0.5}), 1) << ToString(kind);
    EXPECT_EQ(ChanceOfFunction(kind, 0, 0.5, 3), 1);
  }
}

TEST(PointKeys, ChancesFallWithDistance) {
  for (const DistanceKind kind : {DistanceKind::kL1, DistanceKind::kL2, DistanceKind::kCosine,
                                  DistanceKind::kAngular, DistanceKind::kHamming}) {
    double before = 1;
    for (double distance = 0.01; distance < 1; distance += 0.01) {
      const double chance = ChanceOfFunction(kind, distance, 0.7, 4);
      EXPECT_LT(chance, before) << ToString(kind) << " at " << distance;
      EXPECT_GT(chance, 0) << ToString(kind) << " at " << distance;
      before = chance;
    }
  }
  EXPECT_DOUBLE_EQ(ChanceOfAny(0.5, 3), 0.875);
  EXPECT_EQ(ChanceOfAny(1, 3), 1);
  EXPECT_EQ(ChanceOfKey(0.5, 2), 0.25);
}

}  // namespace
}  // namespace lookalike
