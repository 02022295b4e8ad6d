#include "spill/paged_records.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <numeric>
#include <string>
#include <vector>

namespace lookalike {
namespace {

struct Record {
  uint64_t doc = 0, value = 0;
  bool operator==(const Record&) const = default;
};

/// A store that keeps everything in memory, or everything in files.
class PagedRecordsTest : public testing::TestWithParam<uint64_t> {
 protected:
  PagedRecordsTest() : folder_(testing::TempDir() + "paged_records") {
    std::filesystem::create_directories(folder_);
    RunStoreOptions options;
    options.folder = folder_;
    options.held_bytes = GetParam();
    store_ = std::make_unique<RunStore>(options);
  }

  std::string folder_;
  std::unique_ptr<RunStore> store_;
};

TEST_P(PagedRecordsTest, RecordsAreReadAgainByNumber) {
  PagedRecords<uint64_t> records(store_.get(), 5 * sizeof(uint64_t));
  std::vector<uint64_t> all(23);
  std::iota(all.begin(), all.end(), 100);
  for (size_t i = 0; i < 4; ++i) ASSERT_TRUE(records.Add(all[i]));
  ASSERT_TRUE(records.Add(std::span(all).subspan(4)));
  ASSERT_EQ(records.size(), all.size());
  for (size_t begin = 0; begin <= all.size(); ++begin) {
    for (size_t end = begin; end <= all.size(); ++end) {
      std::vector<uint64_t> read(end - begin);
      ASSERT_TRUE(records.Read(begin, read));
      EXPECT_EQ(read, std::vector<uint64_t>(all.begin() + static_cast<ptrdiff_t>(begin),
                                            all.begin() + static_cast<ptrdiff_t>(end)));
    }
  }
  PagedScan<uint64_t> scan(records);
  std::vector<uint64_t> scanned;
  while (const uint64_t* record = scan.Next()) scanned.push_back(*record);
  EXPECT_TRUE(scan.status());
  EXPECT_EQ(scanned, all);
}

TEST_P(PagedRecordsTest, RecordsAreFoundByDocument) {
  PagedRecords<Record> records(store_.get(), 4 * sizeof(Record));
  std::vector<Record> all;
  for (const uint64_t doc : {1, 1, 3, 3, 3, 3, 3, 4, 9, 9}) all.push_back({doc, all.size()});
  ASSERT_TRUE(records.Add(std::span<const Record>(all)));
  for (uint64_t begin = 0; begin <= 11; ++begin) {
    for (uint64_t end = begin; end <= 11; ++end) {
      const auto range =
          ReadDocuments(records, begin, end, [](const Record& one) { return one.doc; });
      ASSERT_TRUE(range);
      std::vector<Record> want;
      uint64_t first = 0;
      for (const Record& one : all) {
        first += one.doc < begin;
        if (one.doc >= begin && one.doc < end) want.push_back(one);
      }
      EXPECT_EQ(range->records, want);
      EXPECT_EQ(range->first, first);
    }
  }
}

TEST_P(PagedRecordsTest, NothingIsLeftInTheFolder) {
  {
    PagedRecords<uint64_t> records(store_.get(), 64);
    for (uint64_t i = 0; i < 1000; ++i) ASSERT_TRUE(records.Add(i));
    EXPECT_EQ(store_->disk_bytes() > 0, GetParam() == 0);
  }
  EXPECT_EQ(store_->disk_bytes(), 0);
}

INSTANTIATE_TEST_SUITE_P(InMemoryAndInFiles, PagedRecordsTest,
                         testing::Values(uint64_t{0}, uint64_t{1} << 24));

}  // namespace
}  // namespace lookalike
