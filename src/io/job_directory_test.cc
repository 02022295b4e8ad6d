#include "io/job_directory.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "io/faulty_file_system.h"
#include "io/output_stream.h"

namespace lookalike {
namespace {

namespace fs = std::filesystem;

class JobDirectoryTest : public ::testing::Test {
 protected:
  void SetUp() override {
    root_ = ::testing::TempDir() + "lookalike_job_directory";
    fs::remove_all(root_);
    fs::create_directories(root_);
    output_ = root_ + "/out";
  }
  void TearDown() override { fs::remove_all(root_); }

  static void Put(const std::string& path, const std::string& text) {
    fs::create_directories(fs::path(path).parent_path());
    std::ofstream(path, std::ios::binary) << text;
  }

  /// Every file below `folder`, by its path from there.
  static std::map<std::string, std::string> Tree(const std::string& folder) {
    std::map<std::string, std::string> files;
    if (!fs::exists(folder)) return files;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      std::string& text = files[fs::relative(entry.path(), folder)];
      if (entry.is_directory()) {
        text = "<folder>";
      } else {
        std::ifstream file(entry.path(), std::ios::binary);
        text.assign(std::istreambuf_iterator<char>(file), {});
      }
    }
    return files;
  }

  /// A whole run: opens, writes two files, commits.
  Status Run(bool overwrite, FileSystem& files = RealFileSystem()) {
    LOOKALIKE_ASSIGN_OR_RETURN(JobDirectory job, JobDirectory::Open(output_, overwrite, {}, files));
    for (std::string name : {"kept/a.jsonl", "manifest.json"}) {
      LOOKALIKE_RETURN_IF_ERROR(MakeParentDirectories(job.path(name), files));
      LOOKALIKE_ASSIGN_OR_RETURN(auto stream,
                                 OutputStream::Create(job.path(name), Codec::kNone, files));
      LOOKALIKE_RETURN_IF_ERROR(stream->Write("new " + name));
      LOOKALIKE_RETURN_IF_ERROR(stream->Close());
    }
    return job.Commit();
  }

  std::string ErrorOf(const std::string& output, bool overwrite,
                      std::vector<std::string> inputs = {}) {
    auto job = JobDirectory::Open(output, overwrite, inputs);
    return job ? "no error" : job.error().ToString();
  }

  const std::map<std::string, std::string> kNew = {{"kept", "<folder>"},
                                                   {"kept/a.jsonl", "new kept/a.jsonl"},
                                                   {"manifest.json", "new manifest.json"}};
  std::string root_, output_;
};

#define EXPECT_HAS(text, part) EXPECT_NE(std::string(text).find(part), std::string::npos) << (text)

TEST_F(JobDirectoryTest, CommitsANewResult) {
  ASSERT_TRUE(Run(false));
  EXPECT_EQ(Tree(output_), kNew);
  EXPECT_FALSE(fs::exists(output_ + ".partial"));
}

TEST_F(JobDirectoryTest, NothingIsLeftWithoutCommit) {
  {
    auto job = JobDirectory::Open(output_ + "/", false);
    ASSERT_TRUE(job);
    Put(job->path("kept/a"), "x");
    EXPECT_TRUE(fs::exists(output_ + ".partial/kept/a"));
    EXPECT_EQ(job->path(""), output_ + ".partial");
  }
  EXPECT_TRUE(fs::is_empty(root_));
}

TEST_F(JobDirectoryTest, OverwritesOnlyWhenAsked) {
  Put(output_ + "/old/file", "old");
  EXPECT_HAS(ErrorOf(output_, false),
             output_ + ": exists; pass --overwrite to replace it, or choose another folder");
  EXPECT_EQ(Tree(output_).at("old/file"), "old");
  ASSERT_TRUE(Run(true));
  EXPECT_EQ(Tree(output_), kNew);
  EXPECT_FALSE(fs::exists(output_ + ".partial"));
}

TEST_F(JobDirectoryTest, ReplacesAStaleWorkingFolder) {
  Put(output_ + ".partial/kept/stale", "stale");
  Put(output_ + ".partial/stale", "stale");
  ASSERT_TRUE(Run(false));
  EXPECT_EQ(Tree(output_), kNew);
}

TEST_F(JobDirectoryTest, RefusesAWorkingFolderInUse) {
  auto first = JobDirectory::Open(output_, false);
  ASSERT_TRUE(first);
  Put(first->path("a"), "mine");
  EXPECT_HAS(ErrorOf(output_, false), "another run is writing this output");
  EXPECT_EQ(Tree(output_ + ".partial").at("a"), "mine");
  ASSERT_TRUE(first->Commit());
  EXPECT_EQ(Tree(output_).at("a"), "mine");
}

TEST_F(JobDirectoryTest, TakesNothingThatAppearedMeanwhile) {
  auto job = JobDirectory::Open(output_, false);
  ASSERT_TRUE(job);
  Put(job->path("a"), "mine");
  Put(output_ + "/b", "theirs");
  Status status = job->Commit();
  ASSERT_FALSE(status);
  EXPECT_HAS(status.error().what, "exists");
  EXPECT_EQ(Tree(output_).size(), 1u);
}

TEST_F(JobDirectoryTest, RefusesUnsuitablePlaces) {
  Put(root_ + "/file", "x");
  EXPECT_HAS(ErrorOf(root_ + "/file", true), "exists and is not a folder");
  EXPECT_HAS(ErrorOf(root_ + "/none/out", false), "does not exist; make it first");
  EXPECT_HAS(ErrorOf(root_ + "/file/out", false), "does not exist; make it first");
  for (std::string place : {"", ".", "..", "/", "./", "a/.."}) {
    EXPECT_HAS(ErrorOf(place, true), "must be a folder of its own") << place;
  }
  EXPECT_HAS(ErrorOf(fs::current_path(), true), "current folder");
  fs::create_directory_symlink(root_, root_ + "/link");
  EXPECT_HAS(ErrorOf(root_ + "/link", true), "exists and is not a folder");
  EXPECT_EQ(ErrorOf(root_ + "/link/out", false), "no error");
  Put(output_ + ".partial", "a file");
  EXPECT_HAS(ErrorOf(output_, false), "in the way of the working folder");
}

TEST_F(JobDirectoryTest, KeepsInputsAndOutputApart) {
  Put(root_ + "/in/a.jsonl", "x");
  Put(output_ + "/kept/a.jsonl", "x");
  EXPECT_HAS(ErrorOf(root_ + "/in/out", false, {root_ + "/in"}), "lies inside the input");
  EXPECT_HAS(ErrorOf(root_ + "/in", true, {root_ + "/in"}), "lies inside the input");
  EXPECT_HAS(ErrorOf(output_, true, {root_ + "/in/../out/kept/a.jsonl"}), "inside the output");
  EXPECT_HAS(ErrorOf(root_ + "/x", false, {root_ + "/x.partial/a"}), "inside the output");
  EXPECT_EQ(ErrorOf(root_ + "/in2", false, {root_ + "/in", "-"}), "no error");
  EXPECT_EQ(ErrorOf(root_ + "/in/out", false, {root_ + "/in/a.jsonl", root_ + "/in/*.x"}),
            "no error");
}

TEST_F(JobDirectoryTest, EveryFaultLeavesTheOldResult) {
  for (bool overwrite : {false, true}) {
    auto reset = [&] {
      fs::remove_all(output_);
      fs::remove_all(output_ + ".partial");
      if (overwrite) Put(output_ + "/old", "old");
    };
    reset();
    FaultyFileSystem counting(RealFileSystem(), {});
    ASSERT_TRUE(Run(overwrite, counting));
    ASSERT_GT(counting.operations(), 20u);
    uint64_t failed = 0;
    for (uint64_t at = 1; at <= counting.operations(); ++at) {
      for (bool lasting : {false, true}) {
        reset();
        const auto before = Tree(output_);
        FaultyFileSystem faulty(RealFileSystem(),
                                {.at = at, .error_number = EIO, .lasting = lasting});
        Status status = Run(overwrite, faulty);
        if (status) {
          EXPECT_EQ(Tree(output_), kNew);  // Only removing the old result may fail quietly.
          EXPECT_TRUE(overwrite && at == counting.operations()) << at;
          continue;
        }
        ++failed;
        EXPECT_FALSE(status.error().where.empty());
        EXPECT_HAS(status.error().what, "; ");
        if (status.error().what.find("could not be taken back") != std::string::npos) {
          EXPECT_TRUE(lasting);
          EXPECT_EQ(Tree(output_), kNew);
          EXPECT_EQ(Tree(output_ + ".partial"), before);
          continue;
        }
        EXPECT_EQ(Tree(output_), before) << "operation " << at;
        EXPECT_TRUE(lasting || !fs::exists(output_ + ".partial")) << "operation " << at;
      }
    }
    EXPECT_GT(failed, 30u);
  }
}

TEST_F(JobDirectoryTest, SpaceAndListAnswer) {
  Put(root_ + "/b", "x");
  Put(root_ + "/a", "xyz");
  EXPECT_EQ(RealFileSystem().List(root_).value(), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(RealFileSystem().Stat(root_ + "/a").value().size, 3u);
  EXPECT_GT(RealFileSystem().Space(root_).value(), 0u);
  EXPECT_FALSE(RealFileSystem().Space(root_ + "/none"));
  EXPECT_FALSE(RealFileSystem().List(root_ + "/none"));
}

}  // namespace
}  // namespace lookalike
