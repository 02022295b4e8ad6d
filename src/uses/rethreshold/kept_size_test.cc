#include "uses/rethreshold/kept_size.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace lookalike {
namespace {

/// Returns the weight of the kept set by its definition.
uint64_t WeightOf(const std::vector<uint64_t>& weights, std::vector<ScoredEdge> edges,
                  double threshold) {
  std::ranges::sort(edges, {}, &ScoredEdge::high);
  std::vector<bool> kept(weights.size(), true);
  uint64_t weight = 0;
  for (uint32_t d = 0; d < weights.size(); ++d) {
    for (const ScoredEdge& edge : edges) {
      if (edge.high == d && edge.score >= threshold && kept[edge.low]) kept[d] = false;
    }
    if (kept[d]) weight += weights[d];
  }
  return weight;
}

TEST(KeptSizeTest, IsThatOfTheGreedyRule) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    const auto documents = static_cast<uint32_t>(2 + random() % 12);
    std::vector<uint64_t> weights(documents);
    for (uint64_t& weight : weights) weight = 1 + random() % 100;
    std::vector<ScoredEdge> edges;
    for (uint32_t d = 1; d < documents; ++d) {
      for (uint32_t a = 0; a < d; ++a) {
        if (random() % 3 == 0) edges.push_back({static_cast<double>(random() % 11) / 10, a, d});
      }
    }
    size_t sizes = 0;
    double last = 2;
    ForEachKeptSize(weights, edges, [&](const KeptSize& size) {
      EXPECT_EQ(size.weight, WeightOf(weights, edges, size.threshold));
      EXPECT_LT(size.threshold, last);
      last = size.threshold;
      ++sizes;
    });
    EXPECT_GE(sizes, 1U);
  }
}

TEST(KeptSizeTest, MayGrowAsTheThresholdFalls) {
  // At .9 document 1 removes two others; at .8 it is removed itself, and they come back.
  const std::vector<uint64_t> weights = {10, 10, 10, 10};
  const std::vector<ScoredEdge> edges = {{.9, 1, 2}, {.9, 1, 3}, {.8, 0, 1}};
  std::vector<uint64_t> sizes;
  ForEachKeptSize(weights, edges, [&](const KeptSize& size) { sizes.push_back(size.weight); });
  EXPECT_EQ(sizes, (std::vector<uint64_t>{40, 20, 30}));
}

TEST(KeptSizeTest, WithoutEdgesEverythingIsKept) {
  std::vector<KeptSize> sizes;
  ForEachKeptSize({}, {}, [&](const KeptSize& size) { sizes.push_back(size); });
  ASSERT_EQ(sizes.size(), 1U);
  EXPECT_EQ(sizes[0].threshold, 1);
  EXPECT_EQ(sizes[0].weight, 0U);
}

}  // namespace
}  // namespace lookalike
