#include "uses/filter/seen/seen_segment.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "uses/filter/seen/seen_filter.h"

namespace lookalike {
namespace {

/// All ways to pack: hashes of eight bytes to two, blocks of bytes, and scans.
constexpr const char* kDesigns[] = {"groups:6x14:2",   "groups:8x25:1",    "groups:5x5:4",
                                    "bands:20x5",      "groups:6x14:2:16", "groups:6x14:2:24",
                                    "groups:8x2:7:8",  "groups:8x2:5:8",   "groups:12x2:9:8",
                                    "groups:8x11:3:8", "groups:1x9:1:8",   "overlapping:128:8:32"};

using Records = std::vector<std::byte>;

/// Makes records in families: each is fresh, or an earlier one with some hashes changed. There are
/// few values, so that lists have long buckets too.
Records MakeRecords(const FilterRecords& maker, uint64_t count, uint64_t seed) {
  std::mt19937_64 random(seed);
  Records records;
  const size_t bytes = maker.bytes(), part = maker.part_bytes();
  for (uint64_t i = 0; i < count; ++i) {
    std::vector<std::byte> record(bytes);
    if (i > 0 && random() % 3 != 0) {
      std::memcpy(record.data(), &records[(random() % i) * bytes], bytes);
    }
    for (size_t at = 0; at < bytes; at += part) {
      if (i > 0 && random() % 2 != 0) continue;
      const uint64_t value = random() % 8 == 0 ? random() % 5 : random();
      std::memcpy(&record[at], &value, part);
    }
    records.insert(records.end(), record.begin(), record.end());
  }
  return records;
}

std::span<const std::byte> RecordOf(const Records& records, size_t bytes, uint64_t i) {
  return std::span(records).subspan(i * bytes, bytes);
}

/// Returns the first of `count` records that equals one in as many hashes as the design requires.
std::optional<uint32_t> FirstAlike(const Design& design, const FilterRecords& maker,
                                   const Records& records, uint64_t count,
                                   std::span<const std::byte> record) {
  const size_t needed = design.kind == Design::Kind::kGroups ? design.tau : 1;
  for (uint32_t i = 0; i < count; ++i) {
    const auto other = RecordOf(records, maker.bytes(), i);
    size_t equal = 0;
    for (size_t at = 0; at < maker.bytes(); at += maker.part_bytes()) {
      equal += std::memcmp(&record[at], &other[at], maker.part_bytes()) == 0 ? 1 : 0;
    }
    if (equal >= needed) return i;
  }
  return std::nullopt;
}

std::span<const std::byte> BytesOf(const std::string& packed) {
  return std::as_bytes(std::span(packed));
}

class SeenSegmentTest : public ::testing::TestWithParam<const char*> {
 protected:
  const Design design_ = *ParseDesign(GetParam());
  const FilterRecords maker_{design_, design_.bits};
  const SegmentShape shape_{design_, design_.bits};
};

TEST_P(SeenSegmentTest, FindsTheFirstRecordThatIsAlike) {
  for (const uint64_t count : {1U, 2U, 3U, 17U, 500U}) {
    const Records records = MakeRecords(maker_, count, count);
    const std::string packed = PackSegment(shape_, records, count);
    ASSERT_EQ(packed.size(), shape_.Bytes(count));
    const SegmentView view(shape_, count, BytesOf(packed));
    const Records asked = MakeRecords(maker_, 200, count + 1);
    size_t found = 0;
    for (uint64_t i = 0; i < 200 + count; ++i) {
      const auto record =
          i < 200 ? RecordOf(asked, maker_.bytes(), i) : RecordOf(records, maker_.bytes(), i - 200);
      const auto like = view.Find(record);
      ASSERT_EQ(like, FirstAlike(design_, maker_, records, count, record)) << count << " " << i;
      found += like.has_value();
    }
    EXPECT_GE(found, count);
  }
}

TEST_P(SeenSegmentTest, MergedSegmentsAreThoseOfAllRecords) {
  const std::vector<uint64_t> counts = {300, 1, 40, 41, 5, 700};
  uint64_t all = 0;
  for (const uint64_t count : counts) all += count;
  const size_t bytes = maker_.bytes();
  const Records records = MakeRecords(maker_, all, 9);
  std::vector<std::string> packed;
  std::vector<SegmentView> views;
  uint64_t first = 0;
  for (const uint64_t count : counts) {
    const Records part(records.begin() + static_cast<ptrdiff_t>(first * bytes),
                       records.begin() + static_cast<ptrdiff_t>((first + count) * bytes));
    packed.push_back(PackSegment(shape_, part, count));
    first += count;
  }
  for (size_t i = 0; i < counts.size(); ++i) {
    views.emplace_back(shape_, counts[i], BytesOf(packed[i]));
  }
  std::string merged;
  ASSERT_TRUE(MergeSegments(shape_, views, [&](std::string_view piece) -> Status {
    merged += piece;
    return {};
  }));
  EXPECT_TRUE(merged == PackSegment(shape_, records, all)) << "bytes";
}

TEST_P(SeenSegmentTest, AnErrorOfTheWriterEndsAMerge) {
  const Records records = MakeRecords(maker_, 50, 3);
  const std::string packed = PackSegment(shape_, records, 50);
  const SegmentView view(shape_, 50, BytesOf(packed));
  const Status status = MergeSegments(
      shape_, {&view, 1}, [](std::string_view) -> Status { return InputError("full"); });
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().what, "full");
}

TEST_P(SeenSegmentTest, DamagedBytesOnlyMakeWrongAnswers) {
  std::mt19937_64 random(4);
  const Records records = MakeRecords(maker_, 100, 4);
  std::string packed = PackSegment(shape_, records, 100);
  for (char& c : packed) c = static_cast<char>(random());
  const SegmentView view(shape_, 100, BytesOf(packed));
  for (uint64_t i = 0; i < 100; ++i) {
    const auto like = view.Find(RecordOf(records, maker_.bytes(), i));
    if (like) {
      EXPECT_LT(*like, 100u);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Designs, SeenSegmentTest, ::testing::ValuesIn(kDesigns));

/// Returns the bytes per document in a segment of `count` documents.
double BytesEach(const char* name, uint64_t count) {
  const Design design = *ParseDesign(name);
  return static_cast<double>(SegmentShape(design, design.bits).Bytes(count)) /
         static_cast<double>(count);
}

// "30 to 50 bytes a document are enough for a billion documents" refers to the whole system,
// including the lookup tables.
TEST(SegmentShapeTest, TablesOfLookupsTakeLittleBesideTheRecords) {
  for (uint64_t count = 1000; count <= kMostInSegment; count = count * 5 / 4) {
    EXPECT_LE(BytesEach("groups:6x14:2", count), 58) << count;
    EXPECT_LE(BytesEach("groups:8x2:7:8", count), 15.2) << count;
    EXPECT_LE(BytesEach("groups:8x11:3:8", count), 8.1) << count;
  }
}

}  // namespace
}  // namespace lookalike
