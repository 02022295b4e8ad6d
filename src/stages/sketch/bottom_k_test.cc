#include "stages/sketch/bottom_k.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

namespace lookalike {
namespace {

std::vector<uint32_t> Plain(const std::vector<uint64_t>& features, size_t k) {
  std::set<uint32_t> hashes;
  for (const uint64_t feature : features) {
    hashes.insert(static_cast<uint32_t>((feature & 0xFFFFFF) << 8 | feature >> 56));
  }
  hashes.erase(kNoBottomValue);
  std::vector<uint32_t> sketch(hashes.begin(), hashes.end());
  sketch.resize(k, kNoBottomValue);
  return sketch;
}

TEST(BottomK, IsTheSmallestDistinctHashes) {
  std::mt19937_64 random(1);
  for (int turn = 0; turn < 2000; ++turn) {
    const uint32_t k = 1 + static_cast<uint32_t>(random() % 40);
    std::vector<uint64_t> features(random() % 700);
    // Some streams repeat a few features very often: more must be examined than usual.
    const uint64_t distinct = turn % 3 == 0 ? 1 + random() % 20 : 1'000'000;
    for (uint64_t& feature : features) feature = (random() % distinct) * 0x9e3779b97f4a7c15ULL;
    if (turn % 5 == 0) features.push_back(UINT64_MAX);
    BottomSketcher sketcher(k);
    const auto sketch = sketcher.Run(features);
    ASSERT_EQ(std::vector<uint32_t>(sketch.begin(), sketch.end()), Plain(features, k));
  }
}

TEST(BottomK, NoFeaturesMakeAnEmptySketch) {
  BottomSketcher sketcher(4);
  const std::vector<uint64_t> features = {1, 2, 3, 4, 5};
  (void)sketcher.Run(features);
  for (const uint32_t value : sketcher.Run({})) EXPECT_EQ(value, kNoBottomValue);
}

}  // namespace
}  // namespace lookalike
