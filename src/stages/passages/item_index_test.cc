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
      const auto items_found = finder.Find(features);
      EXPECT_TRUE(std::ranges::is_sorted(items_found, {}, &FoundItem::item));
      for (const FoundItem& item : items_found) {
        found[item.item] = item.common;
        EXPECT_EQ(item.size, items[item.item].size());
        EXPECT_GE(item.share(), threshold);
        EXPECT_LE(item.share(), 1);
      }
      EXPECT_EQ(items_found.size(), found.size());  // each once
      ASSERT_EQ(found, expected) << "round " << round << ", threshold " << threshold;
    }
  }
}

TEST(ItemIndex, TheShareIsThatOfTheItem) {
  EXPECT_EQ((FoundItem{.item = 0, .common = 3, .size = 4}.share()), 0.75);
}

TEST(ItemIndex, TheLeastShareIsThatOfTheQuotient) {
  for (const double threshold : {.07, .1, .14, .28, .3, .55, .56, .57, .58, .7, .9, 1 / 3.0}) {
    const ItemIndex index(threshold);
    for (size_t size = 1; size < 500; ++size) {
      const auto is_enough = [&](size_t common) {
        return static_cast<double>(common) / static_cast<double>(size) >= threshold;
      };
      const size_t least = index.LeastCommon(size);
      ASSERT_TRUE(is_enough(least)) << threshold << " of " << size;
      ASSERT_TRUE(least == 1 || !is_enough(least - 1)) << threshold << " of " << size;
    }
  }
}

TEST(ItemIndex, NothingIsFoundWithoutItems) {
  ItemIndex index(.5);
  index.Add({});
  index.Build();
  ItemFinder finder(index);
  EXPECT_EQ(index.items(), 1);
  EXPECT_TRUE(finder.Find(std::vector<uint64_t>{0, 1, 63, UINT64_MAX}).empty());
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
