#include "stages/features/bag.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <vector>

namespace lookalike {
namespace {

std::set<uint64_t> BagOf(std::vector<uint64_t> features) {
  NumberOccurrences(features);
  return {features.begin(), features.end()};
}

size_t Common(const std::set<uint64_t>& a, const std::set<uint64_t>& b) {
  return static_cast<size_t>(
      std::count_if(a.begin(), a.end(), [&](uint64_t f) { return b.contains(f); }));
}

TEST(BagTest, FirstOccurrencesStayAndOthersAreTheirOwn) {
  std::vector<uint64_t> features = {7, 5, 7, 7, 5};
  NumberOccurrences(features);
  EXPECT_EQ(features[0], 7u);
  EXPECT_EQ(features[1], 5u);
  EXPECT_EQ((std::set<uint64_t>(features.begin(), features.end()).size()), 5u);
  std::vector<uint64_t> more = {5, 5, 7, 7};
  NumberOccurrences(more);
  EXPECT_EQ(more[1], features[4]);
  EXPECT_EQ(more[3], features[2]);
}

// L3: the lesser counts are common, the greater ones the union.
TEST(BagTest, CountsAreMinimaAndMaxima) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 500; ++round) {
    std::vector<uint64_t> a(random() % 20), b(random() % 20);
    std::map<uint64_t, std::pair<size_t, size_t>> counts;
    for (uint64_t& f : a) ++counts[f = random() % 4].first;
    for (uint64_t& f : b) ++counts[f = random() % 4].second;
    size_t least = 0, most = 0;
    for (const auto& [feature, count] : counts) {
      least += std::min(count.first, count.second);
      most += std::max(count.first, count.second);
    }
    const auto bag_a = BagOf(a), bag_b = BagOf(b);
    EXPECT_EQ(Common(bag_a, bag_b), least);
    EXPECT_EQ(bag_a.size() + bag_b.size() - least, most);
  }
}

}  // namespace
}  // namespace lookalike
