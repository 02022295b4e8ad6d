#include "index/rocks/shared_syncs.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

namespace lookalike {
namespace {

constexpr int kThreads = 8, kWrites = 50;

/// Runs a body on several threads.
template <class Body>
void OnThreads(const Body& body) {
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back(body);
  for (std::thread& thread : threads) thread.join();
}

TEST(SharedSyncsTest, AWriteIsCoveredByASyncThatBeganAfterIt) {
  SharedSyncs syncs;
  std::atomic<uint64_t> writes = 0, covered = 0, count = 0;
  OnThreads([&] {
    for (int i = 0; i < kWrites; ++i) {
      const uint64_t own = ++writes;
      syncs.NoteWrite();
      ASSERT_TRUE(syncs.Run([&]() -> Status {
        const uint64_t before = writes;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        covered = before;
        ++count;
        return {};
      }));
      EXPECT_GE(covered, own);
    }
  });
  EXPECT_LT(count, uint64_t{kThreads} * kWrites * 3 / 4) << "threads share no sync";
}

TEST(SharedSyncsTest, NothingIsSyncedWithoutAWrite) {
  SharedSyncs syncs;
  int count = 0;
  const auto sync = [&]() -> Status {
    ++count;
    return {};
  };
  EXPECT_TRUE(syncs.Run(sync));
  EXPECT_EQ(count, 0);
  syncs.NoteWrite();
  EXPECT_TRUE(syncs.Run(sync));
  EXPECT_TRUE(syncs.Run(sync));
  EXPECT_EQ(count, 1);
}

TEST(SharedSyncsTest, AfterAFailureEveryoneGetsIt) {
  SharedSyncs syncs;
  EXPECT_TRUE(syncs.CheckSound());
  std::atomic<int> count = 0, failed = 0;
  OnThreads([&] {
    syncs.NoteWrite();
    const Status status = syncs.Run([&]() -> Status {
      ++count;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      return DiskError("cannot be synced");
    });
    if (!status) ++failed;
  });
  EXPECT_EQ(count, 1);
  EXPECT_EQ(failed, kThreads);
  EXPECT_FALSE(syncs.CheckSound());
}

}  // namespace
}  // namespace lookalike
