#include "io/pending_output.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "fault/faulty_file_system.h"
#include "io/output_stream.h"

namespace lookalike {
namespace {

namespace fs = std::filesystem;

/// Opens the working folder like a run that does not resume another.
Result<PendingOutput> OpenEmpty(const std::string& output, bool overwrite,
                                std::vector<std::string> inputs = {},
                                FileSystem& files = RealFileSystem()) {
  const auto anything = [](const std::string&) { return Status(); };
  auto pending = PendingOutput::OpenFolder(
      output, overwrite ? PendingOutput::MayReplace(anything) : nullptr, inputs, files);
  if (pending) LOOKALIKE_RETURN_IF_ERROR(pending->Empty());
  return pending;
}

class PendingOutputTest : public ::testing::Test {
 protected:
  void SetUp() override {
    root_ = ::testing::TempDir() + "lookalike_pending_output";
    fs::remove_all(root_);
    fs::create_directories(root_);
    output_ = root_ + "/out";
  }
  void TearDown() override { fs::remove_all(root_); }

  static void Put(const std::string& path, const std::string& text) {
    fs::create_directories(fs::path(path).parent_path());
    std::ofstream(path, std::ios::binary) << text;
  }

  /// Returns every file below `folder`, by its path relative to it.
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

  /// Makes a whole run: opens, writes two files, commits.
  Status Run(bool overwrite, FileSystem& files = RealFileSystem()) {
    LOOKALIKE_ASSIGN_OR_RETURN(PendingOutput job, OpenEmpty(output_, overwrite, {}, files));
    for (std::string name : {"kept/a.jsonl", "manifest.json"}) {
      LOOKALIKE_RETURN_IF_ERROR(MakeParentDirectories(job.result_path(name), files));
      LOOKALIKE_ASSIGN_OR_RETURN(auto stream,
                                 OutputStream::Create(job.result_path(name), Codec::kNone, files));
      LOOKALIKE_RETURN_IF_ERROR(stream->Write("new " + name));
      LOOKALIKE_RETURN_IF_ERROR(stream->Close());
    }
    return job.Commit();
  }

  /// Makes a whole run whose result is one file.
  Status RunFile(FileSystem& files = RealFileSystem()) {
    LOOKALIKE_ASSIGN_OR_RETURN(PendingOutput pending, PendingOutput::OpenFile(output_, {}, files));
    for (const std::string& path : {pending.path("stdin"), pending.result()}) {
      LOOKALIKE_ASSIGN_OR_RETURN(auto stream, OutputStream::Create(path, Codec::kNone, files));
      LOOKALIKE_RETURN_IF_ERROR(stream->Write("new"));
      LOOKALIKE_RETURN_IF_ERROR(stream->Close());
    }
    return pending.Commit();
  }

  static std::string FileErrorOf(const std::string& output, std::vector<std::string> inputs = {}) {
    auto pending = PendingOutput::OpenFile(output, inputs);
    return pending ? "no error" : pending.error().ToString();
  }

  std::string ErrorOf(const std::string& output, bool overwrite,
                      std::vector<std::string> inputs = {}) {
    auto job = OpenEmpty(output, overwrite, inputs);
    return job ? "no error" : job.error().ToString();
  }

  const std::map<std::string, std::string> kNew = {{"kept", "<folder>"},
                                                   {"kept/a.jsonl", "new kept/a.jsonl"},
                                                   {"manifest.json", "new manifest.json"}};
  std::string root_, output_;
};

#define EXPECT_HAS(text, part) EXPECT_NE(std::string(text).find(part), std::string::npos) << (text)

TEST_F(PendingOutputTest, UrisAreNotNamesOfFiles) {
  const fs::path before = fs::current_path();
  fs::current_path(root_);
  fs::create_directories("ftp:/host");
  fs::create_directories("s3:/bucket");
  for (const char* uri : {"ftp://host/out", "ftp://host", "s3://bucket/out", "gs://bucket"}) {
    const auto folder = PendingOutput::OpenFolder(uri, nullptr);
    const auto file = PendingOutput::OpenFile(uri);
    ASSERT_FALSE(folder || file) << uri;
    for (const Error& error : {folder.error(), file.error()}) {
      EXPECT_NE(error.what.find(" a path"), std::string::npos) << error.what;
    }
  }
  EXPECT_TRUE(fs::is_empty("ftp:/host"));
  EXPECT_TRUE(PendingOutput::OpenFile("a:b"));
  fs::current_path(before);
}

TEST_F(PendingOutputTest, CommitsANewResult) {
  ASSERT_TRUE(Run(false));
  EXPECT_EQ(Tree(output_), kNew);
  EXPECT_FALSE(fs::exists(output_ + ".partial"));
}

TEST_F(PendingOutputTest, NothingIsLeftWithoutCommit) {
  {
    auto job = OpenEmpty(output_ + "/", false);
    ASSERT_TRUE(job);
    Put(job->result_path("kept/a"), "x");
    EXPECT_TRUE(fs::exists(output_ + ".partial/result/kept/a"));
    EXPECT_EQ(job->path(""), output_ + ".partial");
  }
  EXPECT_TRUE(fs::is_empty(root_));
}

TEST_F(PendingOutputTest, OverwritesOnlyWhenAsked) {
  Put(output_ + "/old/file", "old");
  EXPECT_HAS(ErrorOf(output_, false),
             output_ + ": exists; pass overwrite to replace it, or choose another folder");
  EXPECT_EQ(Tree(output_).at("old/file"), "old");
  ASSERT_TRUE(Run(true));
  EXPECT_EQ(Tree(output_), kNew);
  EXPECT_FALSE(fs::exists(output_ + ".partial"));
}

TEST_F(PendingOutputTest, ReplacesOnlyWhatMayBeReplaced) {
  Put(output_ + "/file", "precious");
  bool may = false;
  const auto decide = [&](const std::string& folder) -> Status {
    if (may) return {};
    return InputError("is dear to somebody", folder);
  };
  const auto refused = PendingOutput::OpenFolder(output_, decide);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().ToString(), output_ + ": is dear to somebody");
  EXPECT_FALSE(fs::exists(output_ + ".partial"));
  may = true;
  auto job = PendingOutput::OpenFolder(output_, decide);
  ASSERT_TRUE(job);
  may = false;  // somebody put something there meanwhile
  EXPECT_FALSE(job->Commit());
  EXPECT_EQ(Tree(output_).at("file"), "precious");
}

TEST_F(PendingOutputTest, ReplacesAStaleWorkingFolder) {
  fs::create_directories(output_ + ".partial/.lookalike-unfinished");
  Put(output_ + ".partial/kept/stale", "stale");
  Put(output_ + ".partial/stale", "stale");
  ASSERT_TRUE(Run(false));
  EXPECT_EQ(Tree(output_), kNew);
}

TEST_F(PendingOutputTest, LeavesAForeignFolderAlone) {
  Put(output_ + ".partial/mine", "precious");
  EXPECT_HAS(ErrorOf(output_, false), "in the way of the working folder; move it away");
  EXPECT_HAS(FileErrorOf(output_), "in the way of the working folder; move it away");
  EXPECT_EQ(Tree(output_ + ".partial").at("mine"), "precious");
  EXPECT_EQ(Tree(root_).size(), 2u);
}

TEST_F(PendingOutputTest, RefusesAWorkingFolderInUse) {
  auto first = OpenEmpty(output_, false);
  ASSERT_TRUE(first);
  Put(first->result_path("a"), "mine");
  EXPECT_HAS(ErrorOf(output_, false), "another run is writing this output");
  EXPECT_EQ(Tree(output_ + ".partial").at("result/a"), "mine");
  ASSERT_TRUE(first->Commit());
  EXPECT_EQ(Tree(output_).at("a"), "mine");
}

TEST_F(PendingOutputTest, TakesNothingThatAppearedMeanwhile) {
  auto job = OpenEmpty(output_, false);
  ASSERT_TRUE(job);
  Put(job->result_path("a"), "mine");
  Put(output_ + "/b", "theirs");
  Status status = job->Commit();
  ASSERT_FALSE(status);
  EXPECT_HAS(status.error().what, "exists");
  EXPECT_EQ(Tree(output_).size(), 1u);
}

TEST_F(PendingOutputTest, RefusesUnsuitablePlaces) {
  Put(root_ + "/file", "x");
  EXPECT_HAS(ErrorOf(root_ + "/file", true), "exists and is not a folder");
  EXPECT_HAS(ErrorOf(root_ + "/none/out", false), "does not exist; create it first");
  EXPECT_HAS(ErrorOf(root_ + "/file/out", false), "does not exist; create it first");
  for (std::string place : {"", ".", "..", "/", "./", "a/.."}) {
    EXPECT_HAS(ErrorOf(place, true), "must name a new folder") << place;
  }
  EXPECT_HAS(ErrorOf(fs::current_path(), true), "current folder");
  fs::create_directory_symlink(root_, root_ + "/link");
  EXPECT_HAS(ErrorOf(root_ + "/link", true), "exists and is not a folder");
  EXPECT_EQ(ErrorOf(root_ + "/link/out", false), "no error");
  Put(output_ + ".partial", "a file");
  EXPECT_HAS(ErrorOf(output_, false), "in the way of the working folder");
}

TEST_F(PendingOutputTest, KeepsInputsAndOutputApart) {
  Put(root_ + "/in/a.jsonl", "x");
  Put(output_ + "/kept/a.jsonl", "x");
  EXPECT_HAS(ErrorOf(root_ + "/in/out", false, {root_ + "/in"}), "lies inside the input");
  EXPECT_HAS(ErrorOf(root_ + "/in", true, {root_ + "/in"}), "the output is the input");
  EXPECT_HAS(ErrorOf(output_, true, {root_ + "/in/../out/kept/a.jsonl"}), "inside the output");
  EXPECT_HAS(ErrorOf(root_ + "/x", false, {root_ + "/x.partial/a"}), "inside the output");
  EXPECT_EQ(ErrorOf(root_ + "/in2", false, {root_ + "/in", "-"}), "no error");
  EXPECT_EQ(ErrorOf(root_ + "/in/out", false, {root_ + "/in/a.jsonl", root_ + "/in/*.x"}),
            "no error");
}

TEST_F(PendingOutputTest, EveryFaultLeavesTheOldResult) {
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
          EXPECT_EQ(Tree(output_), kNew);  // Only tidying up afterwards may fail quietly.
          EXPECT_GT(at + 5, counting.operations());
          continue;
        }
        ++failed;
        EXPECT_FALSE(status.error().where.empty());
        EXPECT_HAS(status.error().what, "; ");
        if (status.error().what.find("could not be moved back") != std::string::npos) {
          EXPECT_TRUE(lasting);
          EXPECT_EQ(Tree(output_), kNew);
          EXPECT_EQ(Tree(output_ + ".partial/result"), before);
          continue;
        }
        EXPECT_EQ(Tree(output_), before) << "operation " << at;
        EXPECT_TRUE(lasting || !fs::exists(output_ + ".partial")) << "operation " << at;
      }
    }
    EXPECT_GT(failed, 30u);
  }
}

TEST_F(PendingOutputTest, PutsAFileInPlaceOfTheOldOne) {
  for (int run = 0; run < 2; ++run) {
    ASSERT_TRUE(RunFile());
    EXPECT_EQ(Tree(root_), (std::map<std::string, std::string>{{"out", "new"}}));
  }
}

TEST_F(PendingOutputTest, KeepsInputsAndAnOutputFileApart) {
  Put(root_ + "/in/a.jsonl", "x");
  fs::create_symlink(root_ + "/in/a.jsonl", root_ + "/link");
  EXPECT_HAS(FileErrorOf(root_ + "/in/a.jsonl", {root_ + "/in/../in/a.jsonl"}), "is the input");
  EXPECT_HAS(FileErrorOf(root_ + "/in/a.jsonl", {root_ + "/link"}), "is the input");
  EXPECT_HAS(FileErrorOf(root_ + "/in/b", {root_ + "/in"}), "lies inside the input");
  EXPECT_EQ(FileErrorOf(root_ + "/in/b", {root_ + "/in/a.jsonl", "-"}), "no error");
  auto pending = PendingOutput::OpenFile(root_ + "/in/a.jsonl");
  ASSERT_TRUE(pending);
  std::vector<InputFile> found(2);
  found[0].path = pending->path("stdin");
  found[1].path = root_ + "/in/../in/a.jsonl";
  EXPECT_TRUE(pending->CheckApartFrom({found[0]}));
  EXPECT_FALSE(pending->CheckApartFrom(found));
  EXPECT_EQ(Tree(root_ + "/in").at("a.jsonl"), "x");
}

TEST_F(PendingOutputTest, RefusesUnsuitableFiles) {
  Put(root_ + "/file", "x");
  fs::create_symlink(root_ + "/file", root_ + "/link");
  EXPECT_HAS(FileErrorOf(root_), "is a folder; name a file");
  EXPECT_HAS(FileErrorOf(root_ + "/"), "is a folder; name a file");
  EXPECT_HAS(FileErrorOf(root_ + "/link"), "is a link or a device");
  EXPECT_HAS(FileErrorOf(root_ + "/none/out"), "does not exist; create it first");
  EXPECT_HAS(FileErrorOf(root_ + "/" + std::string(300, 'n')), "choose a shorter name");
  auto first = PendingOutput::OpenFile(output_);
  ASSERT_TRUE(first);
  EXPECT_HAS(FileErrorOf(output_), "another run is writing this output");
}

TEST_F(PendingOutputTest, EveryFaultLeavesTheOldFile) {
  for (bool old : {false, true}) {
    auto reset = [&] {
      fs::remove_all(root_);
      fs::create_directories(root_);
      if (old) Put(output_, "old");
      return Tree(root_);
    };
    reset();
    FaultyFileSystem counting(RealFileSystem(), {});
    ASSERT_TRUE(RunFile(counting));
    uint64_t failed = 0;
    for (uint64_t at = 1; at <= counting.operations(); ++at) {
      const auto before = reset();
      FaultyFileSystem faulty(RealFileSystem(), {.at = at, .error_number = EIO});
      const Status status = RunFile(faulty);
      if (status) {
        EXPECT_EQ(Tree(root_).at("out"), "new");  // Only cleaning up may fail quietly.
        continue;
      }
      ++failed;
      EXPECT_EQ(Tree(root_), before) << "operation " << at;
    }
    EXPECT_GT(failed, 14u);
    reset();
    FaultyFileSystem dying(RealFileSystem(), {.at = 5, .error_number = EIO, .lasting = true});
    ASSERT_FALSE(RunFile(dying));
    ASSERT_TRUE(RunFile()) << "what a dead run left is replaced";
  }
}

TEST_F(PendingOutputTest, ManyFilesAreSyncedAtOnce) {
  auto operations = [&](int count) -> uint64_t {
    fs::remove_all(output_);
    FaultyFileSystem counting(RealFileSystem(), {});
    auto job = OpenEmpty(output_, false, {}, counting);
    for (int i = 0; i < count; ++i) Put(job->result_path("kept/" + std::to_string(i)), "x");
    const uint64_t before = counting.operations();
    EXPECT_TRUE(job->Commit());
    return counting.operations() - before;
  };
  EXPECT_EQ(operations(64) - operations(63), 2u);     // One look and one sync a file,
  EXPECT_EQ(operations(1000) - operations(999), 1u);  // or one look.
  EXPECT_LT(operations(65), operations(64));
}

TEST_F(PendingOutputTest, AFailedSyncOfManyFilesIsAnError) {
  // The last four operations of a success tidy up, which may fail quietly.
  auto run = [&](FileSystem& files) -> Status {
    fs::remove_all(output_);
    LOOKALIKE_ASSIGN_OR_RETURN(auto job, OpenEmpty(output_, false, {}, files));
    for (int i = 0; i < 100; ++i) Put(job.result_path(std::to_string(i)), "x");
    return job.Commit();
  };
  FaultyFileSystem counting(RealFileSystem(), {});
  ASSERT_TRUE(run(counting));
  for (uint64_t at = counting.operations() - 11; at <= counting.operations() - 4; ++at) {
    FaultyFileSystem faulty(RealFileSystem(), {.at = at, .error_number = EIO});
    EXPECT_FALSE(run(faulty)) << at;
    EXPECT_TRUE(Tree(output_).empty());
  }
}

TEST_F(PendingOutputTest, SpaceAndListAnswer) {
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
