#include "io/store_folder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "fault/faulty_file_system.h"
#include "fault/faulty_store.h"
#include "io/whole_file.h"

namespace lookalike {
namespace {

namespace fs = std::filesystem;

class StoreFolderTest : public ::testing::Test {
 protected:
  StoreFolderTest() {
    EXPECT_TRUE(files_->CreateDir("bucket/job", true).ok());
    store_.uri.key = "job";
  }
  ~StoreFolderTest() override { FaultyStore::WaitForStragglers(); }

  /// The folder as one more process finds it, with nothing copied.
  StoreFolder& Another(FileSystem& disk = RealFileSystem()) {
    const std::string copy =
        ::testing::TempDir() + "lookalike_store_folder" + std::to_string(folders_.size());
    fs::remove_all(copy);
    for (const char* name : {"records", "units", "tasks"}) {
      fs::create_directories(copy + "/" + name);
    }
    copies_.push_back(copy);
    folders_.push_back(std::make_unique<StoreFolder>(
        StoreFolder::Setup{store_, copy, "records", {"tasks"}}, disk));
    return *folders_.back();
  }

  /// A path in the folder that was made last.
  [[nodiscard]] std::string Path(const std::string& name) const {
    return copies_.back() + "/" + name;
  }

  /// Writes a file in the folder that was made last.
  Status Write(const std::string& name, const std::string& text) {
    const std::string made = Path("tasks/new");
    LOOKALIKE_RETURN_IF_ERROR(WriteDurably(made, text, *folders_.back()));
    return folders_.back()->Rename(made, Path(name));
  }

  std::shared_ptr<FaultyStore> files_ = std::make_shared<FaultyStore>();
  ObjectStore store_ = FaultyStore::StoreOf(files_);
  std::vector<std::string> copies_;
  std::vector<std::unique_ptr<StoreFolder>> folders_;
};

TEST_F(StoreFolderTest, WhatOneProcessWritesAnotherReads) {
  StoreFolder& first = Another();
  EXPECT_TRUE(*first.IsEmpty());
  ASSERT_TRUE(Write("job.json", "a job"));
  ASSERT_TRUE(Write("units/one.run", "a unit"));
  EXPECT_FALSE(*first.IsEmpty());
  EXPECT_EQ(files_->Content("bucket/job/units/one.run"), "a unit");
  StoreFolder& second = Another();
  EXPECT_EQ(second.Stat(Path("job.json"))->size, 5u);
  EXPECT_EQ(*ReadWholeFile(Path("job.json"), second), "a job");
  EXPECT_EQ(*ReadWholeFile(Path("units/one.run"), second), "a unit");
  EXPECT_EQ(*second.List(Path("units")), std::vector<std::string>({"one.run"}));
  EXPECT_EQ(second.Stat(Path("units/two.run"))->kind, FileKind::kMissing);
  EXPECT_FALSE(second.OpenRead(Path("units/two.run")));
  EXPECT_EQ(second.NameOf(Path("units/two.run")), "s3://bucket/job/units/two.run");
  EXPECT_EQ(second.NameOf("/elsewhere"), "/elsewhere");
}

TEST_F(StoreFolderTest, AFileThatIsMadeAfterAListingIsFound) {
  StoreFolder& first = Another();
  EXPECT_TRUE(first.List(Path("units"))->empty());
  const std::string path = Path("units/late.run");
  Another();
  ASSERT_TRUE(Write("units/late.run", "late"));
  EXPECT_EQ(*ReadWholeFile(path, first), "late");
}

TEST_F(StoreFolderTest, FilesOfOneProcessStayThere) {
  Another();
  ASSERT_TRUE(WriteDurably(Path("tasks/own"), "mine", *folders_.back()));
  ASSERT_TRUE(folders_.back()->Rename(Path("tasks/own"), Path("tasks/other")));
  StoreFolder& second = Another();
  EXPECT_TRUE(*second.IsEmpty());
  EXPECT_TRUE(second.List(Path("tasks"))->empty());
}

// A store replaces an object without a word, so that two tasks cannot agree which was first.
TEST_F(StoreFolderTest, EveryProcessTakesTheSameVersion) {
  for (const char* text : {"with little memory", "with much memory", "on a third machine"}) {
    Another();
    ASSERT_TRUE(Write("records/join.0", text));
  }
  ASSERT_TRUE(Write("records/sets.0", "another"));
  std::vector<std::string> taken;
  for (int i = 0; i < 3; ++i) {
    StoreFolder& folder = Another();
    EXPECT_EQ(folder.Stat(Path("records/join.0"))->kind, FileKind::kMissing) << "not listed yet";
    EXPECT_EQ(*folder.List(Path("records")), std::vector<std::string>({"join.0", "sets.0"}));
    EXPECT_EQ(folder.Stat(Path("records/join.0"))->kind, FileKind::kFile);
    taken.push_back(*ReadWholeFile(Path("records/join.0"), folder));
  }
  EXPECT_EQ(taken[0], taken[1]);
  EXPECT_EQ(taken[0], taken[2]);
}

// Anybody who may write to the store can give an object any name.
TEST_F(StoreFolderTest, ObjectsThatNoProcessMadeArePassedOver) {
  Another();
  ASSERT_TRUE(Write("records/join.0", "a record"));
  for (const char* name :
       {"join.0.tmp.0123", "join.0", "sets.0.0123456789ABCDEF", ".0123456789abcdef",
        "deep/er.0.0123456789abcdef", "sets.1.0123456789abcdef0"}) {
    const auto stream = *files_->OpenOutputStream(std::string("bucket/job/records/") + name, {});
    ASSERT_TRUE(stream->Write("x", 1).ok());
    ASSERT_TRUE(stream->Close().ok());
  }
  StoreFolder& folder = Another();
  EXPECT_EQ(*folder.List(Path("records")), std::vector<std::string>({"join.0"}));
  for (const char* name : {"units/../../out", "units//one", "./units", "units/.."}) {
    EXPECT_EQ(folder.NameOf(Path(name)), Path(name)) << "it is not in the store";
  }
}

TEST_F(StoreFolderTest, WhatIsThereIsNotUploadedAgain) {
  Another();
  ASSERT_TRUE(Write("units/one.run", "a unit"));
  ASSERT_TRUE(Write("records/join.0", "a record"));
  const int before = files_->writes;
  Another();
  ASSERT_TRUE(Write("units/one.run", "a unit"));
  ASSERT_TRUE(Write("records/join.0", "a record"));
  EXPECT_EQ(files_->writes, before);
  Another();
  ASSERT_TRUE(Write("units/one.run", "another size")) << "this cannot be the same file";
  EXPECT_EQ(files_->Content("bucket/job/units/one.run"), "another size");
}

TEST_F(StoreFolderTest, WhatWasRemovedIsGoneForWhoeverListsIt) {
  StoreFolder& first = Another();
  ASSERT_TRUE(Write("units/1", "1"));
  StoreFolder& second = Another();
  ASSERT_EQ(second.List(Path("units"))->size(), 1u);
  ASSERT_TRUE(second.RemoveTree(Path("units")));
  EXPECT_EQ(second.Stat(Path("units/1"))->kind, FileKind::kMissing);
  EXPECT_TRUE(first.IsEmpty());
}

TEST_F(StoreFolderTest, APlaceThatIsTakenOnThisMachineIsRefused) {
  Another();
  ASSERT_TRUE(Write("units/one.run", "a unit"));
  EXPECT_FALSE(Write("units/one.run", "a unit")) << "as in a folder";
}

TEST_F(StoreFolderTest, AFailedUploadLeavesNothingBehind) {
  StoreFolder& folder = Another();
  files_->on_write = [](const std::string&) { return arrow::Status::IOError("ACCESS_DENIED"); };
  EXPECT_FALSE(Write("units/one.run", "a unit"));
  files_->on_write = nullptr;
  EXPECT_EQ(folder.Stat(Path("units/one.run"))->kind, FileKind::kMissing);
  ASSERT_TRUE(Write("units/one.run", "a unit"));
}

TEST_F(StoreFolderTest, AFullDiskFailsTheReader) {
  Another();
  ASSERT_TRUE(Write("units/one.run", "a unit"));
  FaultyFileSystem counting(RealFileSystem(), {});
  StoreFolder& counted = Another(counting);
  ASSERT_TRUE(ReadWholeFile(Path("units/one.run"), counted));
  for (uint64_t at = 1; at <= counting.operations(); ++at) {
    FaultyFileSystem faulty(RealFileSystem(), {.at = at, .error_number = ENOSPC});
    StoreFolder& folder = Another(faulty);
    const auto read = ReadWholeFile(Path("units/one.run"), folder);
    ASSERT_FALSE(read) << at;
    EXPECT_NE(read.error().what.find("free some space"), std::string::npos);
  }
}

// The end of a large file says what is in it, and is often all that a task needs.
TEST_F(StoreFolderTest, OfALargeFileOnlyBlocksAreFetchedWhileFewAreRead) {
  constexpr size_t kBlock = size_t{64} << 10, kMost = 16;
  const std::string text = TextWithoutPeriod(40 * kBlock + 77);
  Another();
  ASSERT_TRUE(Write("units/large.run", text));
  StoreFolder& folder = Another();
  const auto file = *folder.OpenRead(Path("units/large.run"));
  EXPECT_EQ(file->size(), text.size());
  const int before = files_->reads;
  std::string tail(500, '\0');
  for (int i = 0; i < 50; ++i) {
    ASSERT_TRUE(ReadFully(*file, text.size() - 500, std::as_writable_bytes(std::span(tail))));
    ASSERT_EQ(tail, text.substr(text.size() - 500));
  }
  EXPECT_LE(files_->reads, before + 2) << "the last block, and the one before it";
  EXPECT_FALSE(fs::exists(Path("units/large.run")));
  std::string part(3 * kBlock, '\0');
  ASSERT_TRUE(ReadFully(*file, 100, std::as_writable_bytes(std::span(part))));
  EXPECT_EQ(part, text.substr(100, part.size()));
  EXPECT_FALSE(fs::exists(Path("units/large.run")));
  for (size_t i = 0; i < kMost; ++i) {
    ASSERT_TRUE(ReadFully(*file, i * 2 * kBlock, std::as_writable_bytes(std::span(tail))));
    ASSERT_EQ(tail, text.substr(i * 2 * kBlock, 500));
  }
  EXPECT_TRUE(fs::exists(Path("units/large.run"))) << "now it is copied";
  EXPECT_EQ(*ReadWholeFile(Path("units/large.run"), folder), text);
}

TEST_F(StoreFolderTest, FoldersAreRemovedWithTheirObjects) {
  StoreFolder& folder = Another();
  for (const char* name : {"units/1", "units/2", "units/3"}) ASSERT_TRUE(Write(name, name));
  ASSERT_TRUE(Write("complete.json", "{}"));
  ASSERT_TRUE(folder.RemoveTree(Path("units")));
  StoreFolder& second = Another();
  EXPECT_TRUE(second.List(Path("units"))->empty());
  EXPECT_EQ(second.Stat(Path("complete.json"))->kind, FileKind::kFile);
  EXPECT_EQ(folder.Stat(copies_[0] + "/units/1")->kind, FileKind::kMissing);
}

}  // namespace
}  // namespace lookalike
