#include "stages/sketch/bins.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "stages/sketch/random_words.h"
#include "stages/sketch/sketch.h"

namespace lookalike {
namespace {

std::vector<uint32_t> SketchOf(const std::vector<uint64_t>& features, uint32_t k, SketchKind kind) {
  Sketcher sketcher({k, kind});
  const auto sketch = sketcher.Run(features);
  return {sketch.begin(), sketch.end()};
}

constexpr uint32_t kSizes[] = {16, 32, 64, 100, 128, 250, 256, 512, 1024};

TEST(BinsTest, TheLeastValueOfEachBin) {
  // Bins 0, 15 and 15 of 16; values are bits 24 to 50.
  const std::vector<uint64_t> features = {0x05FFFFFFFA123456, 0xF000000009000000,
                                          0xFFF8000007FFFFFF};
  const std::vector<uint32_t> sketch = SketchOf(features, 16, SketchKind::kBins);
  EXPECT_EQ(sketch[0], 0x7FFFFFAu);
  EXPECT_EQ(sketch[15], 7u);
  EXPECT_EQ(std::count(sketch.begin(), sketch.end(), kEmptyBin), 14);
}

// Holds even if `one-permutation` has no fresh hash: the first round is the same.
TEST(BinsTest, FilledBinsAreThoseOfOnePermutation) {
  std::mt19937_64 random(1);
  std::vector<uint64_t> features(50);
  for (uint64_t& feature : features) feature = random();
  const auto bins = SketchOf(features, 64, SketchKind::kBins);
  const auto fresh = SketchOf(features, 64, SketchKind::kOnePermutation);
  for (size_t b = 0; b < 64; ++b) {
    ASSERT_EQ(bins[b] == kEmptyBin, fresh[b] >= 1U << 31) << b;
    if (bins[b] == kEmptyBin) continue;
    ASSERT_EQ(bins[b], fresh[b]);
  }
}

// By the sequence in docs/format/sketch-kinds-v1.md.
TEST(DensifiedBinsTest, AnEmptyBinTakesTheFirstOfItsSequence) {
  std::mt19937_64 random(2);
  for (const uint32_t k : kSizes) {
    for (const size_t count : {size_t{1}, size_t{3}, size_t{k}, size_t{8} * k}) {
      std::vector<uint64_t> features(count);
      for (uint64_t& feature : features) feature = random();
      const auto bins = SketchOf(features, k, SketchKind::kBins);
      auto expected = bins;
      for (uint32_t b = 0; b < k; ++b) {
        uint64_t state = Mix64((uint64_t{12} << 32) + b);
        while (expected[b] == kEmptyBin) {
          state += 0x9e3779b97f4a7c15U;
          const auto scaled = static_cast<unsigned __int128>(Mix64(state)) * k;
          expected[b] = bins[static_cast<size_t>(scaled >> 64)];
        }
      }
      ASSERT_EQ(SketchOf(features, k, SketchKind::kDensifiedBins), expected) << k << " " << count;
    }
  }
}

// Not from an adjacent bin, where neighbours would all take the same value.
TEST(DensifiedBinsTest, NeighboursTakeDifferentBins) {
  const std::vector<uint64_t> features = {0, uint64_t{1} << 63 | 1U << 30};
  const auto sketch = SketchOf(features, 1024, SketchKind::kDensifiedBins);
  int changes = 0;
  for (size_t b = 0; b + 1 < sketch.size(); ++b) changes += sketch[b] != sketch[b + 1];
  EXPECT_NEAR(changes, 511.5, 5 * 16);
}

TEST(DensifiedBinsTest, DoesNotMerge) {
  EXPECT_FALSE(IsMergeable(SketchKind::kDensifiedBins));
  std::mt19937_64 random(3);
  std::vector<uint64_t> a(20), both(40);
  for (uint64_t& feature : both) feature = random();
  std::copy_n(both.begin(), 20, a.begin());
  auto merged = SketchOf(a, 128, SketchKind::kDensifiedBins);
  MergeSketch(SketchOf({both.begin() + 20, both.end()}, 128, SketchKind::kDensifiedBins), merged);
  EXPECT_NE(merged, SketchOf(both, 128, SketchKind::kDensifiedBins));
}

}  // namespace
}  // namespace lookalike
