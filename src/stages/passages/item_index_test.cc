#include "stages/passages/item_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "kernels/splitmix.h"

namespace lookalike {
namespace {

std::vector<uint64_t> RandomFeatures(std::mt19937* random, size_t most, uint64_t different) {
  std::vector<uint64_t> features((*random)() % (most + 1));
  for (uint64_t& feature : features) feature = Mix64((*random)() % different);
  return features;
}

TEST(ItemIndex, FindsWhatCountingFinds) {
  std::mt19937 random(5);
  for (int round = 0; round < 300; ++round) {
    const double threshold = std::vector{.01, .3, .5, .8, 1.0}[random() % 5];
    const uint64_t different = 5 + random() % 60;
    std::vector<std::set<uint64_t>> items(1 + random() % 20);
    ItemIndex index(threshold);
    for (auto& item : items) {
      const auto features = RandomFeatures(&random, 20, different);
      item.insert(features.begin(), features.end());
      index.Add(std::vector<uint64_t>(item.begin(), item.end()));
    }
    index.Build();
    ItemFinder finder(index);
    for (int document = 0; document < 20; ++document) {
      const auto features = RandomFeatures(&random, 60, different);
      std::map<uint32_t, uint32_t> expected, found;
      for (uint32_t i = 0; i < items.size(); ++i) {
        const auto common = static_cast<uint32_t>(std::ranges::count_if(
            items[i], [&](uint64_t one) { return std::ranges::count(features, one) > 0; }));
        if (items[i].empty() || common < threshold * static_cast<double>(items[i].size())) continue;
        expected[i] = common;
      }
      for (const FoundItem& item : finder.Find(features)) {
        found[item.item] = item.common;
        EXPECT_EQ(item.size, items[item.item].size());
      }
      ASSERT_EQ(found, expected) << "round " << round << ", threshold " << threshold;
    }
  }
}

TEST(ItemIndex, TheLeastShareIsExact) {
  const ItemIndex index(0.8);
  EXPECT_EQ(index.LeastCommon(1), 1);
  EXPECT_EQ(index.LeastCommon(5), 4);
  EXPECT_EQ(index.LeastCommon(6), 5);
  EXPECT_EQ(index.LeastCommon(10), 8);
  EXPECT_EQ(ItemIndex(1).LeastCommon(7), 7);
  EXPECT_EQ(ItemIndex(1e-9).LeastCommon(7), 1);
}

}  // namespace
}  // namespace lookalike
