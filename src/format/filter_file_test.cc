#include "format/filter_file.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace lookalike {
namespace {

StoredFilter Sample(size_t documents) {
  StoredFilter filter;
  filter.settings = "word:5 groups:6x14:2";
  filter.asked = 3 * documents;
  filter.record_bytes = 48;
  for (size_t i = 0; i < documents; ++i) {
    filter.records.insert(filter.records.end(), 48, static_cast<std::byte>(i));
    filter.ids += "id " + std::to_string(i);
    filter.id_ends.push_back(filter.ids.size());
  }
  return filter;
}

std::string Encode(const StoredFilter& filter) {
  std::string bytes;
  const FilterView view{filter.settings, filter.asked,   filter.record_bytes,
                        filter.records,  filter.id_ends, filter.ids};
  EXPECT_TRUE(EncodeFilter(view, [&](std::string_view part) -> Status {
    bytes += part;
    return {};
  }));
  return bytes;
}

TEST(FilterFile, RoundTrips) {
  for (const size_t documents : {0, 1, 100}) {
    const StoredFilter filter = Sample(documents);
    const auto decoded = DecodeFilter(Encode(filter));
    ASSERT_TRUE(decoded) << decoded.error().ToString();
    EXPECT_EQ(decoded->settings, filter.settings);
    EXPECT_EQ(decoded->asked, filter.asked);
    EXPECT_EQ(decoded->record_bytes, filter.record_bytes);
    EXPECT_EQ(decoded->records, filter.records);
    EXPECT_EQ(decoded->id_ends, filter.id_ends);
    EXPECT_EQ(decoded->ids, filter.ids);
  }
}

TEST(FilterFile, EveryChangedOrMissingByteIsFound) {
  const std::string bytes = Encode(Sample(2));
  for (size_t i = 0; i < bytes.size(); ++i) {
    std::string changed = bytes;
    changed[i] = static_cast<char>(changed[i] ^ 4);
    EXPECT_FALSE(DecodeFilter(changed)) << i;
    EXPECT_FALSE(DecodeFilter(std::string_view(bytes).substr(0, i))) << i;
  }
  EXPECT_FALSE(DecodeFilter(bytes + "x"));
}

// Lengths that do not fit are refused before they are used, whatever the checksum.
TEST(FilterFile, IdsThatDoNotFitAreRefused) {
  for (const uint64_t end : {uint64_t{0}, uint64_t{7}, uint64_t{9}, UINT64_MAX}) {
    StoredFilter filter = Sample(2);
    filter.id_ends[1] = end;
    EXPECT_FALSE(DecodeFilter(Encode(filter))) << end;
  }
  StoredFilter filter = Sample(1);
  filter.record_bytes = 47;
  const auto shorter = DecodeFilter(Encode(filter));
  ASSERT_FALSE(shorter);
  EXPECT_NE(shorter.error().what.find("its length does not match its header"), std::string::npos);
  filter = Sample(2);
  filter.records.resize(48);
  const auto missing = DecodeFilter(Encode(filter));
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().what.find("its length does not match its header"), std::string::npos);
}

}  // namespace
}  // namespace lookalike
