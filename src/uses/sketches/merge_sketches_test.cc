#include "uses/sketches/merge_sketches.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "format/sketch_bytes.h"
#include "stages/sketch/estimate.h"

namespace lookalike {
namespace {

std::vector<uint64_t> RandomFeatures(size_t count, std::mt19937_64* random) {
  std::vector<uint64_t> features(count);
  for (uint64_t& feature : features) feature = (*random)();
  return features;
}

std::string SketchOf(const KeptSketch& kept, const std::vector<uint64_t>& features) {
  if (features.empty()) return {};
  if (kept.sample) {
    const auto values = SampleFeatures(*kept.sample, features);
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(uint64_t)};
  }
  Sketcher sketcher(kept.sketch);
  std::string bytes;
  AppendPacked(sketcher.Run(features), kept.bits, &bytes);
  return bytes;
}

std::vector<KeptSketch> MergingKinds() {
  std::vector<KeptSketch> kinds;
  for (const SketchKind kind : AllKinds()) {
    if (IsMergeable(kind)) kinds.push_back({{64, kind}, 32, {}});
  }
  for (const uint64_t parameter : {1, 7, 50}) {
    kinds.push_back({{}, 32, SetSketchSpec{SetSketchKind::kBottomK, parameter}});
    kinds.push_back({{}, 32, SetSketchSpec{SetSketchKind::kModM, parameter}});
    kinds.push_back({{}, 32, SetSketchSpec{SetSketchKind::kFracMinHash, parameter}});
  }
  return kinds;
}

TEST(ChunkUnionTest, AnyChunksInAnyOrderAreTheWhole) {
  std::mt19937_64 random(4);
  for (const KeptSketch& kept : MergingKinds()) {
    for (const size_t count : {1, 5, 300}) {
      const auto features = RandomFeatures(count, &random);
      std::vector<std::vector<uint64_t>> chunks(4);
      for (const uint64_t feature : features) chunks[random() % 4].push_back(feature);
      std::shuffle(chunks.begin(), chunks.end(), random);
      ChunkUnion made(kept);
      made.Clear();
      for (const auto& chunk : chunks) made.Add(chunk.size(), SketchOf(kept, chunk));
      EXPECT_EQ(made.Sketch(), SketchOf(kept, features)) << count;
      EXPECT_EQ(made.Features(), features.size()) << "chunks share none";
    }
  }
}

TEST(ChunkUnionTest, CopiesOfAChunkChangeNothing) {
  std::mt19937_64 random(5);
  for (const KeptSketch& kept : MergingKinds()) {
    const auto features = RandomFeatures(400, &random);
    const std::string sketch = SketchOf(kept, features);
    ChunkUnion made(kept);
    for (int i = 0; i < 3; ++i) made.Add(features.size(), sketch);
    EXPECT_EQ(made.Sketch(), sketch);
    if (kept.sample && sketch.empty()) continue;  // nothing shows that they are copies
    EXPECT_EQ(made.Features(), features.size());
  }
}

TEST(ChunkUnionTest, FeaturesOfAnOverlapAreEstimatedWithoutBias) {
  std::mt19937_64 random(6);
  const std::vector<KeptSketch> kinds = {{{256, SketchKind::kFss}, 32, {}},
                                         {{}, 32, SetSketchSpec{SetSketchKind::kBottomK, 200}},
                                         {{}, 32, SetSketchSpec{SetSketchKind::kModM, 4}}};
  for (const KeptSketch& kept : kinds) {
    double sum = 0;
    constexpr int kRounds = 40;
    for (int round = 0; round < kRounds; ++round) {
      const auto all = RandomFeatures(1000, &random);
      ChunkUnion made(kept);
      const std::vector<std::pair<int, int>> cuts = {{0, 600}, {400, 1000}, {0, 200}};
      for (const auto& [begin, end] : cuts) {
        const std::vector<uint64_t> chunk(all.begin() + begin, all.begin() + end);
        made.Add(chunk.size(), SketchOf(kept, chunk));
      }
      EXPECT_GE(made.Features(), 600u);
      EXPECT_LE(made.Features(), 1400u);
      sum += static_cast<double>(made.Features());
    }
    EXPECT_NEAR(sum / kRounds, 1000, 15);
  }
}

TEST(ChunkUnionTest, ASampleThatLeavesNothingOutCountsExactly) {
  const KeptSketch kept = {{}, 32, SetSketchSpec{SetSketchKind::kBottomK, 100}};
  ChunkUnion made(kept);
  const std::vector<uint64_t> a = {1, 2, 3, 4, 5}, b = {4, 5, 6}, c = {1, 6};
  for (const auto& chunk : {a, b, c}) made.Add(chunk.size(), SketchOf(kept, chunk));
  EXPECT_EQ(made.Features(), 6u);
}

TEST(ChunkUnionTest, ChunksWithoutFeaturesAddNothing) {
  const KeptSketch kept = {{16, SketchKind::kFss}, 32, {}};
  ChunkUnion made(kept);
  made.Add(0, {});
  EXPECT_EQ(made.Sketch(), "");
  EXPECT_EQ(made.Features(), 0u);
  const std::string sketch = SketchOf(kept, {7, 8});
  made.Add(2, sketch);
  made.Add(0, {});
  EXPECT_EQ(made.Sketch(), sketch);
  EXPECT_EQ(made.Features(), 2u);
}

TEST(CheckMergesTest, WhatHasNoLeastValueIsAnError) {
  EXPECT_TRUE(CheckMerges({{64, SketchKind::kFss}, 32, {}}, "fss:64"));
  EXPECT_TRUE(CheckMerges({{}, 32, SetSketchSpec{SetSketchKind::kModM, 25}}, "mod-m:25"));
  EXPECT_FALSE(CheckMerges({{64, SketchKind::kFss}, 8, {}}, "fss:64"));
  EXPECT_FALSE(
      CheckMerges({{64, SketchKind::kDensifiedBins}, 32, {}}, "one-permutation:64:densified"));
}

}  // namespace
}  // namespace lookalike
