#include "plan/min_wise_families.h"

#include <gtest/gtest.h>

#include <numeric>
#include <set>
#include <string>

namespace lookalike {
namespace {

struct Known {
  NamedFamily family;
  uint32_t points;
  uint64_t size, deviation, divisor;
};

const std::vector<Known>& KnownFamilies() {
  static const std::vector<Known>& known = *new std::vector<Known>{
      {EvenPermutations(3), 3, 3, 1, 3},  {EvenPermutations(4), 4, 12, 0, 1},
      {EvenPermutations(5), 5, 60, 0, 1}, {CyclicShifts(3), 3, 3, 1, 3},
      {CyclicShifts(5), 5, 5, 4, 5},      {LinearMaps(3), 3, 6, 0, 1},
      {LinearMaps(5), 5, 20, 1, 10},      {LinearMaps(7), 7, 42, 1, 7},
      {LinearMaps(11), 11, 110, 1, 5},    {LinearMaps(13), 13, 156, 11, 52},
      {AffineMaps(), 8, 1344, 1, 14},     {ProjectiveMaps(), 6, 60, 1, 15}};
  return known;
}

TEST(MinWiseFamiliesTest, Facts213LeastSizes) {
  const uint64_t sizes[] = {1, 2, 6, 12, 60, 60, 420, 840, 2520, 2520, 27720, 27720, 360360};
  for (uint32_t n = 1; n <= 13; ++n) EXPECT_EQ(LeastCommonMultipleUpTo(n), sizes[n - 1]) << n;
  EXPECT_EQ(LeastCommonMultipleUpTo(20), 232792560u);
  EXPECT_EQ(LeastCommonMultipleUpTo(42), 219060189739591200u);
}

TEST(MinWiseFamiliesTest, Facts213Deviations) {
  for (const Known& known : KnownFamilies()) {
    const PermutationFamily measured = MeasureFamily(known.family);
    SCOPED_TRACE(known.family.name + " of " + std::to_string(known.points));
    EXPECT_EQ(measured.name, known.family.name);
    EXPECT_EQ(measured.points, known.points);
    EXPECT_EQ(measured.size, known.size);
    EXPECT_EQ(measured.deviation, known.deviation);
    EXPECT_EQ(measured.deviation_divisor, known.divisor);
  }
}

TEST(MinWiseFamiliesTest, TheyAreGroupsOfPermutations) {
  for (const Known& known : KnownFamilies()) {
    const std::set<Permutation> maps(known.family.permutations.begin(),
                                     known.family.permutations.end());
    SCOPED_TRACE(known.family.name + " of " + std::to_string(known.points));
    EXPECT_EQ(maps.size(), known.size) << "each once";
    for (const Permutation& images : maps) {
      const std::set<uint32_t> distinct(images.begin(), images.end());
      ASSERT_EQ(distinct.size(), known.points);
      ASSERT_EQ(*distinct.rbegin(), known.points - 1);
    }
    const Permutation& one = known.family.permutations[known.size / 2];
    for (const Permutation& other : maps) {
      Permutation product(known.points);
      for (uint32_t x = 0; x < known.points; ++x) product[x] = one[other[x]];
      ASSERT_TRUE(maps.contains(product));
    }
  }
}

// This is why no exact family is smaller: each point of X is the least in size / |X| of the maps.
TEST(MinWiseFamiliesTest, Facts213ExactFamiliesHaveMultiplesOfEverySize) {
  for (const Known& known : KnownFamilies()) {
    if (known.deviation != 0) continue;
    for (uint32_t n = 1; n <= known.points; ++n) EXPECT_EQ(known.size % n, 0u) << n;
    EXPECT_EQ(known.size % LeastCommonMultipleUpTo(known.points), 0u);
  }
}

TEST(MinWiseFamiliesTest, TheReportHasThemAll) {
  const FamiliesReport report = MeasureFamilies();
  ASSERT_EQ(report.least_sizes.size(), 20u);
  EXPECT_EQ(report.least_sizes.back(), (std::pair<uint32_t, uint64_t>{20, 232792560}));
  ASSERT_EQ(report.families.size(), KnownFamilies().size());
  for (size_t i = 0; i < report.families.size(); ++i) {
    EXPECT_EQ(report.families[i].name, KnownFamilies()[i].family.name);
    EXPECT_EQ(report.families[i].points, KnownFamilies()[i].points);
    EXPECT_EQ(report.families[i].deviation, KnownFamilies()[i].deviation);
  }
}

}  // namespace
}  // namespace lookalike
