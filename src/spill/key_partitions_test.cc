#include "spill/key_partitions.h"

#include <gtest/gtest.h>

#include <vector>

namespace lookalike {
namespace {

std::vector<uint64_t> MembersOf(const std::vector<KeyRecord>& records) {
  std::vector<uint64_t> members;
  for (const KeyRecord& record : records) members.push_back(record.member);
  return members;
}

TEST(KeyPartitionsTest, TheTopBitsChooseAmongAllPartitions) {
  for (const uint32_t bits : {1U, 3U, 6U}) {
    KeyPartitions partitions(bits);
    ASSERT_EQ(partitions.partition_count(), size_t{1} << bits);
    for (uint64_t i = 0; i < partitions.partition_count(); ++i) {
      partitions.Append({i, i << (64 - bits)});
      partitions.Append({i + 100, (i + 1) * (UINT64_MAX >> bits) + i});  // the last key of its part
    }
    for (uint64_t i = 0; i < partitions.partition_count(); ++i) {
      EXPECT_EQ(MembersOf(partitions.Take(i)), (std::vector<uint64_t>{i, i + 100})) << bits;
      EXPECT_TRUE(partitions.Take(i).empty()) << "taken already";
    }
  }
}

TEST(KeyPartitionsTest, DropFromForgetsTheMemberAndAllAfterIt) {
  KeyPartitions partitions(1);
  for (uint64_t member = 0; member < 6; ++member) {
    partitions.Append({member, 0});
    partitions.Append({member, UINT64_MAX});
  }
  partitions.DropFrom(6);
  partitions.DropFrom(4);
  EXPECT_EQ(MembersOf(partitions.Take(0)), (std::vector<uint64_t>{0, 1, 2, 3}));
  partitions.DropFrom(0);
  EXPECT_TRUE(partitions.Take(1).empty());
}

}  // namespace
}  // namespace lookalike
