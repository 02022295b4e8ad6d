#include "format/filter_state.h"

#include <gtest/gtest.h>

#include <string>

namespace lookalike {
namespace {

FilterState Sample() {
  FilterState state;
  state.settings = "fingerprint 1 seed 0";
  state.asked = 77;
  state.record_bytes = 48;
  state.segments = {{0, 40, 4000, 11}, {40, 9, 900, 12}};
  return state;
}

TEST(FilterStateTest, IsWhatWasWritten) {
  const auto read = DecodeFilterState(EncodeFilterState(Sample()));
  ASSERT_TRUE(read.has_value()) << read.error().ToString();
  EXPECT_EQ(read->settings, "fingerprint 1 seed 0");
  EXPECT_EQ(read->asked, 77u);
  EXPECT_EQ(read->record_bytes, 48u);
  ASSERT_EQ(read->segments.size(), 2u);
  EXPECT_EQ(read->segments[1].first, 40u);
  EXPECT_EQ(read->segments[1].count, 9u);
  EXPECT_EQ(read->segments[1].bytes, 900u);
  EXPECT_EQ(read->segments[1].checksum, 12u);
}

TEST(FilterStateTest, NothingElseIsRead) {
  const std::string bytes = EncodeFilterState(Sample());
  for (size_t i = 0; i < bytes.size(); ++i) {
    std::string changed = bytes;
    changed[i] = static_cast<char>(changed[i] ^ 4);
    EXPECT_FALSE(DecodeFilterState(changed)) << i;
    EXPECT_FALSE(DecodeFilterState(std::string_view(bytes).substr(0, i))) << i;
  }
  EXPECT_FALSE(DecodeFilterState(bytes + "x"));
  FilterState gap = Sample();
  gap.segments[1].first = 41;
  EXPECT_FALSE(DecodeFilterState(EncodeFilterState(gap)));
  FilterState empty = Sample();
  empty.segments[1].count = 0;
  EXPECT_FALSE(DecodeFilterState(EncodeFilterState(empty)));
}

TEST(FilterStateTest, HeadsOfSegments) {
  const std::string bytes = EncodeSegmentHead({7, 8, 900, 10});
  ASSERT_EQ(bytes.size(), kSegmentHeadBytes);
  const auto head = DecodeSegmentHead(bytes);
  ASSERT_TRUE(head.has_value()) << head.error().ToString();
  EXPECT_EQ(head->first, 7u);
  EXPECT_EQ(head->ends_begin(), 64u + 900);
  EXPECT_EQ(head->ids_begin(), 64u + 900 + 64);
  EXPECT_EQ(head->file_bytes(), 64u + 900 + 64 + 10);
  for (size_t i = 0; i < bytes.size(); ++i) {
    std::string changed = bytes;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    EXPECT_FALSE(DecodeSegmentHead(changed)) << i;
  }
}

}  // namespace
}  // namespace lookalike
