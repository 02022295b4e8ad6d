#include "stages/cluster/exact_classes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <utility>
#include <vector>

namespace lookalike {
namespace {

std::vector<std::pair<Rank, Rank>> CopiesOf(std::vector<ClassMember> members) {
  std::vector<std::pair<Rank, Rank>> copies;
  for (const ExactCopy& copy : FindExactCopies(&members)) copies.emplace_back(copy.copy, copy.rep);
  return copies;
}

using Copies = std::vector<std::pair<Rank, Rank>>;

TEST(ExactClassesTest, TheLowestRankRepresents) {
  EXPECT_EQ(CopiesOf({{{1, 1}, 9}, {{2, 1}, 3}, {{1, 1}, 4}, {{1, 1}, 7}}),
            (Copies{{7, 4}, {9, 4}}));
  EXPECT_TRUE(CopiesOf({}).empty());
  EXPECT_TRUE(CopiesOf({{{0, 0}, 0}}).empty());
}

TEST(ExactClassesTest, BothHalvesOfTheHashCount) {
  EXPECT_TRUE(CopiesOf({{{1, 2}, 0}, {{1, 3}, 1}, {{2, 2}, 2}, {{0, 0}, 3}}).empty());
}

TEST(ExactClassesTest, EqualsABruteForce) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 500; ++i) {
    std::vector<ClassMember> members;
    const uint64_t count = random() % 50, hashes = 1 + random() % 20;
    std::map<std::pair<uint64_t, uint64_t>, Rank> lowest;
    for (Rank rank = 0; rank < count; ++rank) {
      const uint64_t hash = random() % hashes;
      members.push_back({{hash % 3, hash / 3}, rank});
      lowest.try_emplace({hash % 3, hash / 3}, rank);
    }
    Copies expected;
    for (const ClassMember& m : members) {
      const Rank rep = lowest.at({m.hash.low, m.hash.high});
      if (rep != m.rank) expected.emplace_back(m.rank, rep);
    }
    std::shuffle(members.begin(), members.end(), random);
    ASSERT_EQ(CopiesOf(members), expected);
  }
}

}  // namespace
}  // namespace lookalike
