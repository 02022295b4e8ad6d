#include "search/keep_levels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace lookalike {
namespace {

using Named = std::vector<std::pair<std::string, uint64_t>>;

KeepPolicy PolicyOf(const std::vector<std::string>& texts) {
  return ParseKeepPolicy(texts).value_or(KeepPolicy());
}

TEST(KeepLevelsTest, TheLeastBetweenTwoRanksDecides) {
  std::mt19937_64 random(1);
  for (const size_t size : {2, 3, 63, 64, 65, 66, 128, 129, 4096, 4097, 4161, 9000}) {
    std::vector<KeepLevel> of_neighbours(size);
    for (KeepLevel& level : of_neighbours) {
      // High levels are frequent, so that the least of a range may stand anywhere in it.
      level = static_cast<KeepLevel>(random() % 50 == 0 ? random() % 10 : 7 + random() % 3);
    }
    const KeepLevels levels(of_neighbours);
    EXPECT_EQ(levels.of_neighbours(), of_neighbours);
    for (int i = 0; i < 3000; ++i) {
      Rank a = random() % size, d = random() % size;
      if (i % 2 == 0) d = std::min<Rank>(size - 1, a + 1 + random() % 3);
      if (a > d) std::swap(a, d);
      if (a == d) continue;
      const auto begin = of_neighbours.begin();
      ASSERT_EQ(levels.Between(a, d), *std::min_element(begin + static_cast<std::ptrdiff_t>(a) + 1,
                                                        begin + static_cast<std::ptrdiff_t>(d) + 1))
          << size << ": " << a << ", " << d;
    }
  }
}

TEST(KeepLevelsTest, WithoutLevelsInputOrderDecides) {
  EXPECT_EQ(KeepLevels().Between(0, 1'000'000), KeepLevel::kInputOrder);
}

TEST(KeepLevelsTest, LevelsHaveNames) {
  const KeepPolicy policy = PolicyOf({"source:a,b", "longest", "field:x:desc"});
  EXPECT_EQ(NameOfLevel(KeepLevel::kReference, policy), "reference");
  EXPECT_EQ(NameOfLevel(LevelOfCriterion(0), policy), "source:a,b");
  EXPECT_EQ(NameOfLevel(LevelOfCriterion(2), policy), "field:x:desc");
  EXPECT_EQ(NameOfLevel(KeepLevel::kInputOrder, policy), "input order");
  EXPECT_EQ(NameOfLevel(KeepLevel::kDecision, policy), "decision");
  EXPECT_LT(LevelOfCriterion(kMostKeepCriteria - 1), KeepLevel::kInputOrder);
}

TEST(KeepLevelsTest, CountsNameAllCriteria) {
  LevelCounts counts = {};
  counts[2] = 5;
  EXPECT_EQ(NamedCounts(counts, KeepPolicy()), Named());
  const KeepPolicy policy = PolicyOf({"longest", "field:x"});
  EXPECT_EQ(NamedCounts(counts, policy),
            (Named{{"longest", 0}, {"field:x", 5}, {"input order", 0}}));
  counts[static_cast<size_t>(KeepLevel::kReference)] = 1;
  counts[static_cast<size_t>(KeepLevel::kInputOrder)] = 2;
  counts[static_cast<size_t>(KeepLevel::kDecision)] = 3;
  EXPECT_EQ(
      NamedCounts(counts, policy),
      (Named{
          {"reference", 1}, {"longest", 0}, {"field:x", 5}, {"input order", 2}, {"decision", 3}}));
}

}  // namespace
}  // namespace lookalike
