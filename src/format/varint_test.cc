#include "format/varint.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace lookalike {
namespace {

TEST(VarintTest, ReadsWhatWasWritten) {
  const std::vector<uint64_t> numbers = {0, 1, 127, 128, 16383, 16384, 1ULL << 40, UINT64_MAX};
  std::string bytes;
  for (const uint64_t number : numbers) AppendVarint(number, &bytes);
  bytes += "text";
  VarintReader reader(bytes);
  for (const uint64_t number : numbers) EXPECT_EQ(reader.Next(), number);
  EXPECT_EQ(reader.left(), 4U);
  EXPECT_EQ(reader.Bytes(4), "text");
  EXPECT_FALSE(reader.failed());
}

TEST(VarintTest, SmallNumbersTakeOneByte) {
  std::string bytes;
  AppendVarint(127, &bytes);
  EXPECT_EQ(bytes.size(), 1U);
  AppendVarint(FromSigned(-64), &bytes);
  EXPECT_EQ(bytes.size(), 2U);
}

TEST(VarintTest, SignedNumbersComeBack) {
  for (const int64_t number : {int64_t{0}, int64_t{-1}, int64_t{1}, INT64_MIN, INT64_MAX}) {
    EXPECT_EQ(ToSigned(FromSigned(number)), number);
  }
}

TEST(VarintTest, FailsAtTheEndAndStaysFailed) {
  std::string bytes;
  AppendVarint(300, &bytes);
  bytes.pop_back();
  VarintReader reader(bytes);
  EXPECT_EQ(reader.Next(), 0U);
  EXPECT_TRUE(reader.failed());
  EXPECT_EQ(reader.Next(), 0U);
  VarintReader endless(std::string_view("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF", 11));
  EXPECT_EQ(endless.Next(), 0U);
  EXPECT_TRUE(endless.failed());
  VarintReader shorter("abc");
  EXPECT_EQ(shorter.Bytes(4), "");
  EXPECT_TRUE(shorter.failed());
}

}  // namespace
}  // namespace lookalike
