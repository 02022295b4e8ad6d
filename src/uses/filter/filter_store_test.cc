#include "uses/filter/filter_store.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "fault/power_cut_file_system.h"
#include "uses/filter/seen/seen_filter.h"

namespace lookalike {
namespace {

constexpr const char* kSettings = "settings of a test";

class FilterStoreTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* const info = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = ::testing::TempDir() + "filter-store-" + info->name();
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] std::string State() const { return folder_ + "/seen.filter"; }

  Result<FilterStore> Open(FileSystem& files = RealFileSystem(), bool ask_only = false) {
    FilterPlace place;
    place.state = State();
    place.ask_only = ask_only;
    return FilterStore::Open(shape_, kSettings, place, files);
  }

  /// Returns the record of document i: every hash has its number.
  [[nodiscard]] std::vector<std::byte> RecordOf(uint64_t i) const {
    std::vector<uint64_t> hashes(6);
    for (size_t part = 0; part < hashes.size(); ++part) {
      hashes[part] = (i + 1) * 0x9e3779b97f4a7c15ULL + part;
    }
    const auto bytes = std::as_bytes(std::span(hashes));
    return {bytes.begin(), bytes.end()};
  }

  /// Adds the next `count` documents; the id of document i is "i".
  Status Add(uint64_t count, FilterStore* store) const {
    std::vector<std::byte> records;
    std::vector<uint64_t> ends;
    std::string ids;
    const uint64_t first = store->remembered();
    for (uint64_t i = first; i < first + count; ++i) {
      const auto record = RecordOf(i);
      records.insert(records.end(), record.begin(), record.end());
      ids += std::to_string(i);
      ends.push_back(ids.size());
    }
    return store->Add({records, ends, ids});
  }

  /// Expects the store to hold exactly the first `count` documents.
  void ExpectDocuments(const FilterStore& store, uint64_t count) const {
    ASSERT_EQ(store.remembered(), count);
    for (uint64_t i = 0; i < count; ++i) {
      ASSERT_EQ(store.Find(RecordOf(i)), std::optional(i));
      const auto id = store.IdOf(i);
      ASSERT_TRUE(id.has_value()) << id.error().ToString();
      ASSERT_EQ(*id, std::to_string(i));
    }
    for (uint64_t i = count; i < count + 50; ++i) ASSERT_EQ(store.Find(RecordOf(i)), std::nullopt);
  }

  [[nodiscard]] size_t Files() const {
    size_t files = 0;
    for ([[maybe_unused]] const auto& file : std::filesystem::directory_iterator(State())) ++files;
    return files;
  }

  const Design design_ = *ParseDesign("groups:6x14:2");
  const SegmentShape shape_{design_, 64};
  std::string folder_;
};

TEST_F(FilterStoreTest, FilesAreFewAndHoldEverythingBetweenRuns) {
  uint64_t count = 0;
  for (int run = 0; run < 6; ++run) {
    auto store = Open();
    ASSERT_TRUE(store.has_value()) << store.error().ToString();
    ExpectDocuments(*store, count);
    for (const uint64_t more : {70U, 1U, 30U, 64U}) {
      ASSERT_TRUE(Add(more, &*store));
      count += more;
    }
    ASSERT_TRUE(store->Commit(1000 + count));
    ExpectDocuments(*store, count);
    EXPECT_LE(Files(), 10u);
  }
  EXPECT_EQ(Open()->asked(), 1000 + count);
}

TEST_F(FilterStoreTest, WithoutACommitTheStateIsAsItWas) {
  {
    auto store = Open();
    ASSERT_TRUE(store && Add(100, &*store));
  }
  EXPECT_FALSE(std::filesystem::exists(State())) << "there never was one";
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
  {
    auto store = Open();
    ASSERT_TRUE(store && Add(100, &*store) && store->Commit(100));
  }
  {
    auto store = Open();  // its file absorbs the older one
    ASSERT_TRUE(store && Add(60, &*store));
    ExpectDocuments(*store, 160);
  }
  ExpectDocuments(*Open(), 100);
}

// Every commit is durable and whole, whatever else has reached the disk.
TEST_F(FilterStoreTest, APowerCutLeavesTheLastCommit) {
  for (uint64_t seed = 0; seed < 12; ++seed) {
    std::filesystem::remove_all(State());
    PowerCutFileSystem files(RealFileSystem());
    uint64_t committed = 0;
    {
      auto store = Open(files);
      ASSERT_TRUE(store.has_value()) << store.error().ToString();
      for (uint64_t i = 0; i <= seed % 4; ++i) {
        ASSERT_TRUE(Add(40 + i, &*store) && store->Commit(i));
        committed = store->remembered();
      }
      ASSERT_TRUE(Add(25, &*store));
      ASSERT_TRUE(files.PowerCut(seed));
    }
    const auto store = Open();
    ASSERT_TRUE(store.has_value()) << seed << ": " << store.error().ToString();
    ExpectDocuments(*store, committed);
  }
}

TEST_F(FilterStoreTest, WhatADeadRunLeftIsRemoved) {
  {
    auto store = Open();
    ASSERT_TRUE(store && Add(20, &*store) && store->Commit(20));
  }
  std::ofstream(State() + "/20-9.segment") << "half a file";
  std::ofstream(State() + "/state.new") << "half";
  ExpectDocuments(*Open(RealFileSystem(), true), 20);
  EXPECT_EQ(Files(), 4u) << "who only asks changes nothing";
  ExpectDocuments(*Open(), 20);
  EXPECT_EQ(Files(), 2u);
}

TEST_F(FilterStoreTest, OneRunWritesAndOthersAsk) {
  auto writer = Open();
  ASSERT_TRUE(writer && Add(20, &*writer) && writer->Commit(20));
  const auto second = Open();
  ASSERT_FALSE(second);
  EXPECT_NE(second.error().what.find("another run"), std::string::npos);
  const auto reader = Open(RealFileSystem(), true);
  ASSERT_TRUE(reader.has_value()) << reader.error().ToString();
  ASSERT_TRUE(Add(90, &*writer) && writer->Commit(110));  // replaces the file that is mapped
  ExpectDocuments(*reader, 20);
  ExpectDocuments(*Open(RealFileSystem(), true), 110);
}

TEST_F(FilterStoreTest, DamageIsNamed) {
  {
    auto store = Open();
    ASSERT_TRUE(store && Add(200, &*store) && store->Commit(200));
  }
  const std::string file = State() + "/0-200.segment";
  std::fstream(file, std::ios::in | std::ios::out | std::ios::binary).seekp(3000).put('!');
  const auto damaged = Open();
  ASSERT_FALSE(damaged);
  EXPECT_NE(damaged.error().what.find("checksum"), std::string::npos);
  EXPECT_EQ(damaged.error().where, file);
  std::filesystem::resize_file(file, 3000);
  EXPECT_FALSE(Open());
  std::filesystem::remove(file);
  EXPECT_FALSE(Open());
}

TEST_F(FilterStoreTest, FoldersOfOthersStayAsTheyAre) {
  std::filesystem::create_directories(State());
  std::ofstream(State() + "/notes.txt") << "mine";
  EXPECT_FALSE(Open());
  std::filesystem::rename(State(), State() + ".partial");
  EXPECT_FALSE(Open());
  EXPECT_TRUE(std::filesystem::exists(State() + ".partial/notes.txt"));
}

}  // namespace
}  // namespace lookalike
