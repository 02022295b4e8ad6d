#include "search/pair_reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "engine/small_workspace.h"

namespace lookalike {
namespace {

using PairReaderTest = WorkspaceTest;

TEST_F(PairReaderTest, ReadsEachPairOnceFromAnyRank) {
  std::mt19937_64 random(1);
  size_t repeated = 0;
  for (int i = 0; i < 60; ++i) {
    const auto workspace = i % 2 == 0 ? Ample() : Tiny();
    std::vector<CandidatePair> all;
    PairRuns runs;
    const uint64_t count = random() % 7;
    for (uint64_t run = 0; run < count; ++run) {
      std::vector<CandidatePair> pairs;
      const uint64_t most = random() % 300;
      for (uint64_t pair = 0; pair < most; ++pair) {
        const Rank a = random() % 30;
        pairs.push_back({a, a + 1 + random() % 30});
      }
      std::sort(pairs.begin(), pairs.end());
      pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
      all.insert(all.end(), pairs.begin(), pairs.end());
      runs.push_back(RunOf(pairs, workspace.get()));
    }
    EXPECT_EQ(MostPairs(runs), all.size());
    std::sort(all.begin(), all.end());
    repeated += all.size();
    all.erase(std::unique(all.begin(), all.end()), all.end());
    repeated -= all.size();
    for (Rank from = 0; from < 62; ++from) {
      const auto first = std::find_if(all.begin(), all.end(),
                                      [&](const CandidatePair& pair) { return pair.d >= from; });
      std::vector<CandidatePair> read;
      PairReader reader = Got(PairReader::From(runs, from));
      while (const CandidatePair* pair = reader.Next()) read.push_back(*pair);
      EXPECT_TRUE(reader.status());
      ASSERT_EQ(read, std::vector<CandidatePair>(first, all.end())) << i << ", " << from;
    }
  }
  EXPECT_GT(repeated, 500u);
}

TEST(VerifyUnitsTest, AreAMillionPairsWithLanesOf16MiB) {
  EXPECT_EQ(VerifyUnits(0, uint64_t{16} << 20), 0u);
  EXPECT_EQ(VerifyUnits(1, uint64_t{16} << 20), 1u);
  EXPECT_EQ(VerifyUnits(uint64_t{1} << 20, uint64_t{16} << 20), 1u);
  EXPECT_EQ(VerifyUnits((uint64_t{1} << 20) + 1, uint64_t{16} << 20), 2u);
  EXPECT_EQ(VerifyUnits(uint64_t{1} << 20, uint64_t{1} << 40), 1u);
  EXPECT_EQ(VerifyUnits(33, 256), 3u);
}

}  // namespace
}  // namespace lookalike
