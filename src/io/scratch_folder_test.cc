#include "io/scratch_folder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "io/forwarding_file_system.h"
#include "io/pending_output.h"

namespace lookalike {
namespace {

namespace fs = std::filesystem;

/// A file system without locks, like some network file systems.
class LocklessFileSystem : public ForwardingFileSystem {
 public:
  LocklessFileSystem() : ForwardingFileSystem(RealFileSystem()) {}
  Result<DirectoryLock> LockDirectory(const std::string&) override { return DirectoryLock(); }
};

class ScratchFolderTest : public ::testing::Test {
 protected:
  void SetUp() override {
    root_ = ::testing::TempDir() + "lookalike_scratch_folder";
    fs::remove_all(root_);
    fs::create_directories(root_ + "/shared");
  }
  void TearDown() override { fs::remove_all(root_); }

  static void Put(const std::string& path, const std::string& text) {
    fs::create_directories(fs::path(path).parent_path());
    std::ofstream(path, std::ios::binary) << text;
  }

  static std::string Text(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  [[nodiscard]] size_t Folders() const {
    const fs::directory_iterator all(root_ + "/shared");
    return static_cast<size_t>(std::distance(begin(all), end(all)));
  }

  static std::string Why(const Result<ScratchFolder>& folder) {
    return folder ? "no error" : folder.error().ToString();
  }

  std::string root_;
};

#define EXPECT_HAS(text, part) EXPECT_NE(std::string(text).find(part), std::string::npos) << (text)

TEST_F(ScratchFolderTest, TwoRunsOfOneNameHaveFoldersOfTheirOwn) {
  // Two containers that both write /data/out, each in its own view.
  fs::create_directories(root_ + "/a");
  fs::create_directories(root_ + "/b");
  auto a = PendingOutput::OpenFolder(root_ + "/a/out", nullptr);
  auto b = PendingOutput::OpenFolder(root_ + "/b/out", nullptr);
  ASSERT_TRUE(a && b);
  const auto in_a = a->MakeScratch(root_ + "/shared");
  const auto in_b = b->MakeScratch(root_ + "/shared");
  ASSERT_TRUE(in_a && in_b);
  EXPECT_NE(*in_a, *in_b);
  Put(*in_a + "/run.tmp", "of a");
  Put(*in_b + "/run.tmp", "of b");
  EXPECT_EQ(Text(*in_a + "/run.tmp"), "of a");
  { const PendingOutput ended = *std::move(a); }
  EXPECT_FALSE(fs::exists(*in_a));
  EXPECT_EQ(Text(*in_b + "/run.tmp"), "of b");
  { const PendingOutput ended = *std::move(b); }
  EXPECT_EQ(Folders(), 0u);
}

TEST_F(ScratchFolderTest, AFolderThatIsThereIsAnothers) {
  const auto claim = ScratchFolder::NewClaim(root_ + "/shared");
  const auto first = ScratchFolder::Make(claim, "/out");
  ASSERT_TRUE(first);
  Put(claim.path + "/run.tmp", "mine");
  EXPECT_HAS(Why(ScratchFolder::Make(claim, "/out")), "may belong to another run");
  EXPECT_HAS(Why(ScratchFolder::Take(claim, "/out")), "another run is using this scratch folder");
  EXPECT_TRUE(ScratchFolder::Remove(claim));
  EXPECT_EQ(Text(claim.path + "/run.tmp"), "mine") << "in use";
}

TEST_F(ScratchFolderTest, OnlyWhatHasTheMarkIsTakenOrRemoved) {
  const auto claim = ScratchFolder::NewClaim(root_ + "/shared");
  Put(claim.path + "/photo", "precious");
  EXPECT_HAS(Why(ScratchFolder::Take(claim, "/out")), "is not the scratch folder of");
  EXPECT_TRUE(ScratchFolder::Remove(claim));
  Put(claim.path + "/.lookalike-scratch", "another\n");
  EXPECT_HAS(Why(ScratchFolder::Take(claim, "/out")), "is not the scratch folder of");
  EXPECT_TRUE(ScratchFolder::Remove(claim));
  EXPECT_EQ(Text(claim.path + "/photo"), "precious");
  Put(claim.path + "/.lookalike-scratch", claim.run + "\n");
  EXPECT_TRUE(ScratchFolder::Take(claim, "/out"));
  EXPECT_TRUE(ScratchFolder::Remove(claim));
  EXPECT_FALSE(fs::exists(claim.path));
  EXPECT_TRUE(ScratchFolder::Remove(claim)) << "nothing there";
  fs::create_directory(claim.path);
  EXPECT_TRUE(ScratchFolder::Remove(claim));
  EXPECT_FALSE(fs::exists(claim.path)) << "a run that died before it put the mark";
  for (const std::string& torn : {std::string(), claim.run.substr(0, 9)}) {
    Put(claim.path + "/.lookalike-scratch", torn);
    EXPECT_TRUE(ScratchFolder::Remove(claim));
    EXPECT_FALSE(fs::exists(claim.path)) << "a run that died while it put the mark";
    Put(claim.path + "/.lookalike-scratch", torn);
    Put(claim.path + "/photo", "precious");
    EXPECT_TRUE(ScratchFolder::Remove(claim));
    EXPECT_TRUE(fs::exists(claim.path + "/photo"));
    fs::remove_all(claim.path);
  }
}

TEST_F(ScratchFolderTest, AFolderThatIsGoneIsMadeAgain) {
  const auto claim = ScratchFolder::NewClaim(root_ + "/shared");
  const auto taken = ScratchFolder::Take(claim, "/data/out");
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->path(), claim.path);
  EXPECT_HAS(Text(claim.path + "/.lookalike-scratch"), "/data/out") << "for whoever finds it";
}

TEST_F(ScratchFolderTest, WithoutLocksTheNameAndTheMarkDo) {
  LocklessFileSystem files;
  const auto claim = ScratchFolder::NewClaim(root_ + "/shared");
  ASSERT_TRUE(ScratchFolder::Make(claim, "/out", files));
  EXPECT_FALSE(ScratchFolder::Make(claim, "/out", files));
  EXPECT_TRUE(ScratchFolder::Take(claim, "/out", files));
  EXPECT_TRUE(ScratchFolder::Remove(claim, files));
  EXPECT_EQ(Folders(), 0u);
}

TEST_F(ScratchFolderTest, ClaimsAreReadBack) {
  const ScratchFolder::Claim claim{"17ab", "/a folder\nof two lines"};
  const auto read = ScratchFolder::Decode(ScratchFolder::Encode(claim));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->run, claim.run);
  EXPECT_EQ(read->path, claim.path);
  for (const char* text : {"", "\n", "17ab", "17ab\n", "17ab\n\n", "17ab\n/cut", "\n/path\n"}) {
    EXPECT_FALSE(ScratchFolder::Decode(text)) << text;
  }
}

// The working folder says which scratch folder belongs to its run.

TEST_F(ScratchFolderTest, AnAttemptIsGoneOnWith) {
  const std::string output = root_ + "/out";
  std::string scratch;
  {
    auto killed = PendingOutput::OpenFolder(output, nullptr);
    ASSERT_TRUE(killed);
    EXPECT_FALSE(killed->TakeScratch()->has_value()) << "there is none";
    scratch = killed->MakeScratch(root_ + "/shared").value();
    Put(scratch + "/unit.run", "done");
    killed->KeepForResume();
  }
  {
    auto next = PendingOutput::OpenFolder(output, nullptr);
    ASSERT_TRUE(next);
    EXPECT_EQ(next->TakeScratch().value(), scratch);
    EXPECT_EQ(Text(scratch + "/unit.run"), "done");
    next->KeepForResume();
  }
  auto afresh = PendingOutput::OpenFolder(output, nullptr);
  ASSERT_TRUE(afresh);
  ASSERT_TRUE(afresh->Empty());
  EXPECT_EQ(Folders(), 0u);
  EXPECT_FALSE(afresh->TakeScratch()->has_value());
}

TEST_F(ScratchFolderTest, AKilledRunWithAFileAsResultLeavesNothingForGood) {
  const std::string output = root_ + "/pairs.jsonl";
  {
    auto killed = PendingOutput::OpenFile(output);
    ASSERT_TRUE(killed);
    Put(killed->MakeScratch(root_ + "/shared").value() + "/1.tmp", "left");
    killed->KeepForResume();  // like a kill
  }
  EXPECT_EQ(Folders(), 1u);
  ASSERT_TRUE(PendingOutput::OpenFile(output));
  EXPECT_EQ(Folders(), 0u);
}

TEST_F(ScratchFolderTest, AClaimToAFolderOfSomebodyElseIsVoid) {
  const std::string output = root_ + "/out", photos = root_ + "/shared/lookalike-photos";
  Put(photos + "/photo", "precious");
  for (const char* claim : {"17ab\n", "\n"}) {
    Put(output + ".partial/.lookalike-unfinished/x", "");
    Put(output + ".partial/scratch-claim", claim + photos + "\n");
    auto pending = PendingOutput::OpenFolder(output, nullptr);
    ASSERT_TRUE(pending);
    EXPECT_TRUE(pending->Empty());
    EXPECT_EQ(Text(photos + "/photo"), "precious");
  }
}

}  // namespace
}  // namespace lookalike
