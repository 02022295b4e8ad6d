#include "uses/passages/ranked_spool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "engine/small_workspace.h"

namespace lookalike {
namespace {

class RankedSpoolTest : public WorkspaceTest {};

std::string BytesOf(Rank rank) { return std::string(rank * 7 % 40, static_cast<char>(rank)); }

TEST_F(RankedSpoolTest, BytesComeByRank) {
  std::vector<Rank> ranks(500);
  std::iota(ranks.begin(), ranks.end(), Rank{0});
  std::shuffle(ranks.begin(), ranks.end(), std::mt19937_64(7));
  for (const bool tiny : {false, true}) {
    const auto workspace = tiny ? Tiny() : Ample();
    RankedSpool spool(&workspace->store(), workspace->memory().work);
    for (const Rank rank : ranks) {
      if (rank % 5 == 0) continue;
      ASSERT_TRUE(spool.Add(rank, BytesOf(rank), rank + 1));
    }
    ASSERT_TRUE(spool.Finish());
    Rank next = 1;
    for (auto some = Got(spool.Next(300)); !some.empty(); some = Got(spool.Next(300))) {
      for (const RankedBytes& one : some) {
        ASSERT_EQ(one.rank, next);
        ASSERT_EQ(one.bytes, BytesOf(next));
        ASSERT_EQ(one.tag, next + 1);
        next += next % 5 == 4 ? 2 : 1;
      }
    }
    EXPECT_EQ(next, 501);
    EXPECT_TRUE(Got(spool.Next(300)).empty()) << "the end stays the end";
  }
}

TEST_F(RankedSpoolTest, AsMuchAsFitsAndOneAtLeast) {
  const auto workspace = Ample();
  RankedSpool spool(&workspace->store(), workspace->memory().work);
  for (const Rank rank : {2, 0, 1, 3}) {
    ASSERT_TRUE(spool.Add(rank, std::string(rank == 3 ? 5000 : 100, 'x')));
  }
  ASSERT_TRUE(spool.Finish());
  const uint64_t two = 2 * (100 + sizeof(RankedBytes));
  EXPECT_EQ(Got(spool.Next(two)).size(), 2);
  EXPECT_EQ(Got(spool.Next(two)).size(), 1) << "the long one does not fit";
  const auto last = Got(spool.Next(two));
  ASSERT_EQ(last.size(), 1);
  EXPECT_EQ(last.front().bytes.size(), 5000);
}

TEST_F(RankedSpoolTest, OneByteLessIsOneTextLess) {
  const auto workspace = Ample();
  RankedSpool spool(&workspace->store(), workspace->memory().work);
  for (const Rank rank : {0, 1}) ASSERT_TRUE(spool.Add(rank, std::string(100, 'x')));
  ASSERT_TRUE(spool.Finish());
  EXPECT_EQ(Got(spool.Next(2 * (100 + sizeof(RankedBytes)) - 1)).size(), 1);
}

TEST_F(RankedSpoolTest, NothingWasAdded) {
  const auto workspace = Tiny();
  RankedSpool spool(&workspace->store(), 256);
  ASSERT_TRUE(spool.Finish());
  EXPECT_TRUE(Got(spool.Next(100)).empty());
}

}  // namespace
}  // namespace lookalike
