#include "io/arrow_memory.h"

#include <arrow/memory_pool.h>
#include <arrow/status.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

namespace lookalike {
namespace {

constexpr int64_t kKiB = int64_t{1} << 10, kMiB = int64_t{1} << 20;

uint8_t* Allocate(int64_t size) {
  uint8_t* buffer = nullptr;
  EXPECT_TRUE(ReusedMemory()->Allocate(size, &buffer).ok());
  return buffer;
}

TEST(ReusedMemory, LargeBlocksComeBack) {
  ReusedMemory()->ReleaseUnused();
  uint8_t* first = Allocate(kMiB);
  std::memset(first, 1, kMiB);
  ReusedMemory()->Free(first, kMiB);
  uint8_t* second = Allocate(kMiB + kMiB / 2);
  EXPECT_EQ(second, first);
  ReusedMemory()->Free(second, kMiB + kMiB / 2);
}

// Whoever keeps a batch of few bytes must not keep the room that was reserved for it.
TEST(ReusedMemory, ABufferThatBecomesMuchSmallerMovesToASmallerBlock) {
  ReusedMemory()->ReleaseUnused();
  const int64_t before = ReusedMemory()->bytes_allocated();
  uint8_t* buffer = Allocate(18 * kMiB);
  uint8_t* const large = buffer;
  std::memset(buffer, 7, kMiB);
  ASSERT_TRUE(ReusedMemory()->Reallocate(18 * kMiB, kMiB, &buffer).ok());
  EXPECT_NE(buffer, large);
  EXPECT_EQ(buffer[kMiB - 1], 7);
  EXPECT_EQ(IdleReusedMemory(), kMiB) << "only so much of the large block was written to";
  EXPECT_EQ(ReusedMemory()->bytes_allocated() - before, kMiB);
  EXPECT_EQ(Allocate(18 * kMiB), large);
  EXPECT_EQ(ReusedMemory()->bytes_allocated() - before, 19 * kMiB);
  uint8_t* const half = buffer;
  ASSERT_TRUE(ReusedMemory()->Reallocate(kMiB, kMiB / 2, &buffer).ok());
  EXPECT_EQ(buffer, half) << "its block is small already";
  ReusedMemory()->Free(buffer, kMiB / 2);
  ReusedMemory()->Free(large, 18 * kMiB);
  EXPECT_EQ(ReusedMemory()->bytes_allocated(), before);
  ReusedMemory()->ReleaseUnused();
}

TEST(ReusedMemory, ABufferMovesIfABlockOfAQuarterIsEnough) {
  ReusedMemory()->ReleaseUnused();
  uint8_t* buffer = Allocate(8 * kMiB);
  uint8_t* const first = buffer;
  ASSERT_TRUE(ReusedMemory()->Reallocate(8 * kMiB, 4 * kMiB, &buffer).ok());
  EXPECT_EQ(buffer, first) << "half is not worth a copy";
  ASSERT_TRUE(ReusedMemory()->Reallocate(4 * kMiB, 2 * kMiB, &buffer).ok());
  EXPECT_NE(buffer, first);
  ReusedMemory()->Free(buffer, 2 * kMiB);
  ReusedMemory()->ReleaseUnused();
}

// The pages of a large row group are of a size of their own, and those of the next are similar.
TEST(ReusedMemory, PagesOfLargeRowGroupsComeBack) {
  ReusedMemory()->ReleaseUnused();
  KeepIdleMemoryFor(uint64_t{1} << 30);
  uint8_t* const first = Allocate(33 * kMiB);
  ReusedMemory()->Free(first, 33 * kMiB);
  uint8_t* const smaller = Allocate(20 * kMiB);  // which would waste half of it
  EXPECT_NE(smaller, first);
  uint8_t* const similar = Allocate(30 * kMiB);
  EXPECT_EQ(similar, first);
  ReusedMemory()->Free(smaller, 20 * kMiB);
  ReusedMemory()->Free(similar, 30 * kMiB);
  // One that is more than half of what may be idle is given back.
  ReusedMemory()->Free(Allocate(65 * kMiB), 65 * kMiB);
  EXPECT_EQ(IdleReusedMemory(), (33 + 20) * kMiB);
  ReusedMemory()->ReleaseUnused();
  ReusedMemory()->Free(Allocate(64 * kMiB), 64 * kMiB);  // just half
  EXPECT_EQ(IdleReusedMemory(), 64 * kMiB);
  ReusedMemory()->ReleaseUnused();
}

TEST(ReusedMemory, GrowingAndShrinkingKeepsTheBytes) {
  for (const int64_t size : {int64_t{100}, 255 * kKiB, 256 * kKiB, kMiB, 2 * kMiB, 9 * kMiB}) {
    for (const int64_t wanted : {int64_t{100}, 256 * kKiB, 2 * kMiB + 1, 40 * kMiB}) {
      uint8_t* buffer = Allocate(size);
      for (int64_t i = 0; i < size; ++i) buffer[i] = static_cast<uint8_t>(i * 7 % 251);
      ASSERT_TRUE(ReusedMemory()->Reallocate(size, wanted, &buffer).ok());
      for (int64_t i = 0; i < std::min(size, wanted); ++i) {
        ASSERT_EQ(buffer[i], static_cast<uint8_t>(i * 7 % 251)) << size << " to " << wanted;
      }
      std::memset(buffer, 0, static_cast<size_t>(wanted));
      ReusedMemory()->Free(buffer, wanted);
    }
  }
}

TEST(ReusedMemory, ABufferThatGrowsStepByStepKeepsItsBytes) {
  ReusedMemory()->ReleaseUnused();
  const int64_t before = ReusedMemory()->bytes_allocated();
  int64_t size = 300 * kKiB;
  uint8_t* buffer = Allocate(size);
  std::memset(buffer, 1, static_cast<size_t>(size));
  for (uint8_t step = 2; size < 60 * kMiB; ++step) {
    const int64_t longer = size + size / 2;
    ASSERT_TRUE(ReusedMemory()->Reallocate(size, longer, &buffer).ok());
    EXPECT_EQ(reinterpret_cast<uintptr_t>(buffer) % 64, 0U);
    EXPECT_EQ(buffer[size - 1], step - 1);
    EXPECT_EQ(buffer[0], 1);
    std::memset(buffer + size, step, static_cast<size_t>(longer - size));
    size = longer;
    EXPECT_EQ(ReusedMemory()->bytes_allocated(), before + size);
  }
  ReusedMemory()->Free(buffer, size);
  EXPECT_EQ(ReusedMemory()->bytes_allocated(), before);
}

TEST(ReusedMemory, BuffersInUseDoNotOverlap) {
  struct Buffer {
    uint8_t* bytes;
    int64_t size;
    uint8_t mark;
  };
  std::mt19937 random(3);
  std::vector<Buffer> buffers;
  const int64_t before = ReusedMemory()->bytes_allocated();
  for (int step = 0; step < 400; ++step) {
    if (buffers.size() > 12 || (step % 3 == 2 && !buffers.empty())) {
      const size_t at = random() % buffers.size();
      const Buffer gone = buffers[at];
      for (int64_t i = 0; i < gone.size; i += 97) ASSERT_EQ(gone.bytes[i], gone.mark);
      ReusedMemory()->Free(gone.bytes, gone.size);
      buffers.erase(buffers.begin() + static_cast<ptrdiff_t>(at));
    }
    const auto size = static_cast<int64_t>(random() % (size_t{3} << 20) + 1);
    const auto mark = static_cast<uint8_t>(step);
    buffers.push_back({Allocate(size), size, mark});
    EXPECT_EQ(reinterpret_cast<uintptr_t>(buffers.back().bytes) % 64, 0U);
    std::memset(buffers.back().bytes, mark, static_cast<size_t>(size));
  }
  for (const Buffer& buffer : buffers) ReusedMemory()->Free(buffer.bytes, buffer.size);
  EXPECT_EQ(ReusedMemory()->bytes_allocated(), before);
}

TEST(ReusedMemory, KeepsLittleThatNobodyUses) {
  struct Case {
    int64_t memory, idle;
  };
  for (const Case& each :
       {Case{4096 * kMiB, 192 * kMiB}, Case{512 * kMiB, 64 * kMiB}, Case{64 * kMiB, 32 * kMiB}}) {
    ReusedMemory()->ReleaseUnused();
    KeepIdleMemoryFor(static_cast<uint64_t>(each.memory));
    std::vector<uint8_t*> buffers;
    for (int i = 0; i < 200; ++i) buffers.push_back(Allocate(2 * kMiB));
    for (uint8_t* buffer : buffers) ReusedMemory()->Free(buffer, 2 * kMiB);
    EXPECT_EQ(IdleReusedMemory(), each.idle) << each.memory;
  }
  ReusedMemory()->ReleaseUnused();
  EXPECT_EQ(IdleReusedMemory(), 0);
}

}  // namespace
}  // namespace lookalike
