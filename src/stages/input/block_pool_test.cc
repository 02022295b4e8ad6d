#include "stages/input/block_pool.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <thread>
#include <utility>
#include <vector>

namespace lookalike {
namespace {

constexpr size_t kBytes = 5000;

TEST(BlockPool, ABlockIsUsedAgainWhenItsLastOwnerLetsGo) {
  BlockPool pool(kBytes);
  std::shared_ptr<char[]> first = pool.Take();
  const char* const place = first.get();
  std::shared_ptr<char[]> second_owner = first;
  first.reset();
  EXPECT_NE(pool.Take().get(), place);
  second_owner.reset();
  EXPECT_EQ(pool.Take().get(), place);
}

TEST(BlockPool, CopiesShareTheirBlocks) {
  BlockPool pool, copy = pool;
  EXPECT_EQ(pool.bytes(), kBlockBytes + kReadablePadding);
  const char* const place = pool.Take().get();
  EXPECT_EQ(copy.Take().get(), place);
}

TEST(BlockPool, NoTwoOwnersAtATime) {
  BlockPool pool(kBytes);
  std::vector<std::shared_ptr<char[]>> blocks;
  std::set<const char*> places;
  for (int i = 0; i < 20; ++i) {
    blocks.push_back(pool.Take());
    std::memset(blocks.back().get(), i, kBytes);
    places.insert(blocks.back().get());
    if (i % 3 == 0) {
      places.erase(blocks[static_cast<size_t>(i) / 2].get());
      blocks[static_cast<size_t>(i) / 2].reset();
    }
  }
  size_t held = 0;
  for (const auto& block : blocks) held += block != nullptr;
  EXPECT_EQ(places.size(), held);
}

// The situation at the end of an input whose last batches are still being processed.
TEST(BlockPool, BlocksOutliveThePoolAndComeBackOnOtherThreads) {
  std::vector<std::thread> threads;
  {
    BlockPool pool(kBytes);
    for (int i = 0; i < 200; ++i) {
      std::shared_ptr<char[]> block = pool.Take();
      block[0] = static_cast<char>(i);
      threads.emplace_back([block = std::move(block), i] {
        EXPECT_EQ(block[0], static_cast<char>(i));
        block[kBytes - 1] = 1;
      });
      if (threads.size() < 8) continue;
      threads.front().join();
      threads.erase(threads.begin());
    }
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace lookalike
