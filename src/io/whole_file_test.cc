#include "io/whole_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "io/forwarding_file_system.h"

namespace lookalike {
namespace {

/// Another process has put its file at a name, and moves it on just after it was in the way.
class RacedFileSystem : public ForwardingFileSystem {
 public:
  RacedFileSystem() : ForwardingFileSystem(RealFileSystem()) {}

  Status Rename(const std::string& from, const std::string& to) override {
    Status moved = ForwardingFileSystem::Rename(from, to);
    if (!moved && is_taken) std::filesystem::rename(to, to + ".taken");
    return moved;
  }

  bool is_taken = false;
};

class MoveUnlessThereTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = ::testing::TempDir() + "/move_unless_there";
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    ASSERT_TRUE(WriteDurably(own_ = folder_ + "/own", "mine", files_));
    to_ = folder_ + "/to";
  }

  RacedFileSystem files_;
  std::string folder_, own_, to_;
};

TEST_F(MoveUnlessThereTest, WhatIsThereStays) {
  ASSERT_TRUE(WriteDurably(to_, "theirs", files_));
  ASSERT_TRUE(MoveUnlessThere(own_, to_, files_));
  EXPECT_EQ(*ReadWholeFile(to_, files_), "theirs");
  EXPECT_FALSE(std::filesystem::exists(own_));
}

TEST_F(MoveUnlessThereTest, WhatWasThereMayBeMovedOnMeanwhile) {
  ASSERT_TRUE(WriteDurably(to_, "theirs", files_));
  files_.is_taken = true;
  ASSERT_TRUE(MoveUnlessThere(own_, to_, files_));
  EXPECT_EQ(*ReadWholeFile(to_ + ".taken", files_), "theirs");
  EXPECT_EQ(*ReadWholeFile(to_, files_), "mine");
  EXPECT_FALSE(std::filesystem::exists(own_));
}

TEST_F(MoveUnlessThereTest, AFolderInTheWayIsAnError) {
  std::filesystem::create_directories(to_);
  EXPECT_FALSE(MoveUnlessThere(own_, to_, files_));
  EXPECT_TRUE(std::filesystem::exists(own_));
}

TEST_F(MoveUnlessThereTest, AFolderThatIsMissingIsAnError) {
  EXPECT_FALSE(MoveUnlessThere(own_, folder_ + "/none/to", files_));
  EXPECT_TRUE(std::filesystem::exists(own_));
}

}  // namespace
}  // namespace lookalike
