// The foundations of min-wise sampling, by enumeration, and a check that our sketches are such
// samples.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "plan/min_wise_families.h"
#include "stages/sketch/sketch.h"

namespace lookalike {
namespace {

/// Returns the point of a set of bits whose image is the least.
uint32_t LeastOf(uint32_t set, const Permutation& images) {
  uint32_t least = static_cast<uint32_t>(std::countr_zero(set));
  for (uint32_t x = 0; x < images.size(); ++x) {
    if ((set >> x & 1) != 0 && images[x] < images[least]) least = x;
  }
  return least;
}

/// Returns all permutations of `points` points.
std::vector<Permutation> AllPermutations(uint32_t points) {
  Permutation images(points);
  std::iota(images.begin(), images.end(), 0U);
  std::vector<Permutation> all;
  do {
    all.push_back(images);
  } while (std::next_permutation(images.begin(), images.end()));
  return all;
}

uint64_t Matches(uint32_t a, uint32_t b, const std::vector<Permutation>& family) {
  return static_cast<uint64_t>(std::count_if(
      family.begin(), family.end(),
      [&](const Permutation& images) { return LeastOf(a, images) == LeastOf(b, images); }));
}

// MMDS, figure 3.2: S1 = {a, d}, S2 = {c}, S3 = {b, d, e}, S4 = {a, c, d} under 120 permutations.
TEST(MinWiseLawsTest, L10MatchesOfFigure32AreTheResemblance) {
  constexpr uint32_t kSets[] = {0b01001, 0b00100, 0b11010, 0b01101};
  const struct {
    int a, b;
    uint64_t matches;
  } pairs[] = {{0, 1, 0}, {0, 2, 30}, {0, 3, 80}, {1, 2, 0}, {1, 3, 40}, {2, 3, 24}};
  const std::vector<Permutation> all = AllPermutations(5);
  ASSERT_EQ(all.size(), 120u);
  for (const auto& [a, b, matches] : pairs) EXPECT_EQ(Matches(kSets[a], kSets[b], all), matches);
}

// Every two sets, with all permutations and with an exact family of half as many.
TEST(MinWiseLawsTest, L10MatchesAreTheResemblanceOfEveryPair) {
  for (const auto& family : {AllPermutations(5), EvenPermutations(5).permutations}) {
    for (uint32_t a = 1; a < 32; ++a) {
      for (uint32_t b = 1; b < 32; ++b) {
        const auto common = static_cast<uint64_t>(std::popcount(a & b));
        const auto either = static_cast<uint64_t>(std::popcount(a | b));
        ASSERT_EQ(Matches(a, b, family) * either, common * family.size()) << a << " " << b;
      }
    }
  }
}

TEST(MinWiseLawsTest, L11EachPointIsTheLeastOfItsSetEquallyOften) {
  for (const uint32_t points : {4U, 5U}) {
    const std::vector<Permutation> family = EvenPermutations(points).permutations;
    for (uint32_t set = 1; set < 1U << points; ++set) {
      std::vector<uint64_t> least(points, 0);
      for (const Permutation& images : family) ++least[LeastOf(set, images)];
      for (uint32_t x = 0; x < points; ++x) {
        const uint64_t members =
            (set >> x & 1) != 0 ? static_cast<uint64_t>(std::popcount(set)) : 0;
        ASSERT_EQ(least[x] * members, members == 0 ? 0 : family.size());
      }
    }
  }
}

TEST(MinWiseLawsTest, L12SamplesOfSubsetsAreConsistent) {
  for (const NamedFamily& family : {LinearMaps(7), AffineMaps(), ProjectiveMaps()}) {
    const auto points = static_cast<uint32_t>(family.permutations.front().size());
    for (const Permutation& images : family.permutations) {
      for (uint32_t whole = 1; whole < 1U << points; ++whole) {
        const uint32_t least = LeastOf(whole, images);
        for (uint32_t part = whole; part != 0; part = (part - 1) & whole) {
          if ((part >> least & 1) == 0) continue;
          ASSERT_EQ(LeastOf(part, images), least) << family.name;
        }
      }
    }
  }
}

// The same for our own sketches: a coordinate of a set is that of one feature in it, and of every
// subset with that feature.
TEST(MinWiseLawsTest, L12SketchesAreConsistentSamples) {
  std::mt19937_64 random(12);
  for (const SketchKind kind :
       {SketchKind::kFss, SketchKind::kPermutations, SketchKind::kOnePermutation}) {
    Sketcher sketcher(SketchSpec{64, kind});
    const auto sketch = [&](const std::vector<uint64_t>& features) {
      const auto made = sketcher.Run(features);
      return std::vector<uint32_t>(made.begin(), made.end());
    };
    for (int trial = 0; trial < 20; ++trial) {
      std::vector<uint64_t> whole(5 + random() % 300);
      for (uint64_t& feature : whole) feature = random();
      const std::vector<uint64_t> part(whole.begin(), whole.begin() + 1 + random() % whole.size());
      const std::vector<uint32_t> of_whole = sketch(whole), of_part = sketch(part);
      std::vector<std::vector<uint32_t>> singles;
      for (const uint64_t feature : whole) singles.push_back(sketch({feature}));
      for (size_t c = 0; c < of_whole.size(); ++c) {
        bool in_whole = false, in_part = false;
        for (size_t i = 0; i < whole.size(); ++i) {
          const bool is_sample = singles[i][c] == of_whole[c];
          in_whole |= is_sample;
          in_part |= is_sample && i < part.size();
        }
        ASSERT_TRUE(in_whole) << "coordinate " << c;
        if (!in_part) continue;
        ASSERT_EQ(of_part[c], of_whole[c]) << "coordinate " << c;
      }
    }
  }
}

}  // namespace
}  // namespace lookalike
