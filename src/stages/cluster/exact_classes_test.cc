#include "stages/cluster/exact_classes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

namespace lookalike {
namespace {

using Copies = std::vector<std::pair<Rank, Rank>>;

/// Returns copies and their representatives, by copy.
Copies CopiesOf(std::vector<ClassMember> members, Rank split = 0) {
  std::sort(members.begin(), members.end());
  Copies copies;
  ClassScan scan(split);
  for (const ClassMember& member : members) {
    if (const auto copy = scan.Take(member)) copies.emplace_back(copy->copy, copy->rep);
  }
  std::sort(copies.begin(), copies.end());
  return copies;
}

TEST(ExactClassesTest, TheLowestRankRepresents) {
  EXPECT_EQ(CopiesOf({{{1, 1}, 9, 0}, {{2, 1}, 3, 0}, {{1, 1}, 4, 0}, {{1, 1}, 7, 0}}),
            (Copies{{7, 4}, {9, 4}}));
  EXPECT_TRUE(CopiesOf({}).empty());
  EXPECT_TRUE(CopiesOf({{{0, 0}, 0, 0}}).empty());
}

TEST(ExactClassesTest, BothHalvesOfTheHashCount) {
  EXPECT_TRUE(CopiesOf({{{1, 2}, 0, 0}, {{1, 3}, 1, 0}, {{2, 2}, 2, 0}, {{0, 0}, 3, 0}}).empty());
}

// The hash of the text sorts after the rank, so it never decides which member is the
// representative.
TEST(ExactClassesTest, EqualTextsAreToldFromEqualFeatures) {
  std::vector<ClassMember> members = {{{1, 1}, 3, 9}, {{1, 1}, 4, 5}, {{1, 1}, 6, 9}};
  ClassScan scan;
  EXPECT_FALSE(scan.Take(members[0]));
  EXPECT_EQ(scan.Take(members[1]), (ExactCopy{3, 4, 0}));
  EXPECT_EQ(scan.Take(members[2]), (ExactCopy{3, 6, 1}));
}

TEST(ExactClassesTest, EqualsABruteForce) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 500; ++i) {
    std::vector<ClassMember> members;
    const uint64_t count = random() % 50, hashes = 1 + random() % 20;
    const Rank split = random() % 3 == 0 ? random() % 50 : 0;
    std::map<std::tuple<uint64_t, uint64_t, bool>, Rank> lowest;  // by hash and side
    for (Rank rank = 0; rank < count; ++rank) {
      const uint64_t hash = random() % hashes;
      members.push_back({{hash % 3, hash / 3}, rank, random()});
      lowest.try_emplace({hash % 3, hash / 3, rank < split}, rank);
    }
    Copies expected;
    for (const ClassMember& m : members) {
      const Rank rep = lowest.at({m.hash.low, m.hash.high, m.rank < split});
      if (rep != m.rank) expected.emplace_back(m.rank, rep);
    }
    std::shuffle(members.begin(), members.end(), random);
    ASSERT_EQ(CopiesOf(members, split), expected);
  }
}

}  // namespace
}  // namespace lookalike
