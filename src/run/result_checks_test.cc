#include "run/result_checks.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace lookalike {
namespace {

namespace fs = std::filesystem;

constexpr char kManifest[] = R"({"fingerprint": "v1", "options_digest": "00", "clusters": 3,
                                 "timings": {"total": 1.5}})";

class ResultChecksTest : public ::testing::Test {
 protected:
  void SetUp() override {
    root_ = ::testing::TempDir() + "lookalike_result_checks";
    fs::remove_all(root_);
    fs::create_directories(root_ + "/out/kept");
  }
  void TearDown() override { fs::remove_all(root_); }

  void Put(const std::string& name, const std::string& text) const {
    fs::create_directories(fs::path(root_ + "/" + name).parent_path());
    std::ofstream(root_ + "/" + name, std::ios::binary) << text;
  }

  [[nodiscard]] std::string Text(const std::string& name) const {
    std::ifstream file(root_ + "/" + name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  InputFile Input(const std::string& name, const std::string& text) const {
    Put(name, text);
    InputFile file;
    file.path = root_ + "/" + name;
    file.name = name;
    file.size = text.size();
    file.mtime_ns = 17;
    return file;
  }

  /// Turns out/ into a result of two inputs, whose names are any bytes.
  void MakeResult() {
    const std::vector<InputFile> inputs = {Input("a.jsonl", "abc"), Input("\xff.jsonl", "")};
    Put("out/kept/\xff.jsonl", "kept");
    Put("out/removed.jsonl", "removed");
    Put("out/manifest.json", kManifest);
    const auto kept = [](const auto& take) { return take({"kept/\xff.jsonl", {4, 99}}); };
    const Status written = WriteChecks(inputs, kept, root_ + "/out", root_ + "/out");
    ASSERT_TRUE(written) << written.error().ToString();
  }

  [[nodiscard]] std::string WhyNot() const {
    const Status status = CheckReplaceable(root_ + "/out");
    return status ? "" : status.error().what;
  }

  std::string root_;
};

#define EXPECT_HAS(text, part) EXPECT_NE(std::string(text).find(part), std::string::npos) << (text)

TEST_F(ResultChecksTest, AreReadBack) {
  MakeResult();
  const auto checks = ReadChecks(Text("out/checks.jsonl"));
  ASSERT_TRUE(checks) << checks.error().ToString();
  ASSERT_EQ(checks->inputs.size(), 2u);
  EXPECT_EQ(checks->inputs[0].name, "a.jsonl");
  EXPECT_EQ(checks->inputs[0].bytes, 3u);
  EXPECT_EQ(checks->inputs[0].mtime_ns, 17);
  EXPECT_EQ(checks->inputs[1].name, "\xff.jsonl");
  EXPECT_NE(checks->inputs[0].edges, checks->inputs[1].edges);
  ASSERT_EQ(checks->files.size(), 2u);
  EXPECT_EQ(checks->files[0].name, "kept/\xff.jsonl");
  EXPECT_EQ(checks->files[0].content, (ContentHash{4, 99})) << "it was known";
  EXPECT_EQ(checks->files[1].name, "removed.jsonl");
  EXPECT_EQ(checks->files[1].content, ReadContentHash(root_ + "/out/removed.jsonl").value());
  EXPECT_EQ(checks->manifest, HashManifest(kManifest));
}

TEST_F(ResultChecksTest, AnyChangeIsNoticed) {
  MakeResult();
  const std::string text = Text("out/checks.jsonl");
  for (size_t i = 0; i < text.size(); ++i) {
    std::string changed = text;
    changed[i] ^= 1;
    EXPECT_FALSE(ReadChecks(changed)) << i;
    EXPECT_FALSE(ReadChecks(text.substr(0, i))) << i;
  }
}

TEST_F(ResultChecksTest, AManifestIsHashedWithoutTheTimesOfItsRun) {
  const std::string text = kManifest;
  std::string later = text, other = text;
  later.replace(later.find("1.5"), 3, "2.5");
  other.replace(other.find('3'), 1, "4");
  EXPECT_EQ(HashManifest(text), HashManifest(later));
  EXPECT_NE(HashManifest(text), HashManifest(other));
  for (const char* none :
       {"", "[]", "{}", R"({"name": "of a page"})", R"({"options_digest": 1})"}) {
    EXPECT_FALSE(HashManifest(none)) << none;
  }
}

TEST_F(ResultChecksTest, OfStandardInputOnlyTheSizeIsKnown) {
  InputFile file;
  file.name = "stdin";
  file.is_stdin = true;
  file.size = 5;
  const auto input = DescribeInput(file, true);
  ASSERT_TRUE(input);
  EXPECT_EQ(input->bytes, 5u);
  EXPECT_FALSE(input->mtime_ns || input->edges);
}

TEST_F(ResultChecksTest, OnlyAResultMayBeReplaced) {
  Put("out/notes", "mine");
  EXPECT_HAS(WhyNot(), "is not a result of this command");
  fs::remove_all(root_ + "/out");
  fs::create_directory(root_ + "/out");
  EXPECT_EQ(WhyNot(), "") << "an empty folder";
  MakeResult();
  EXPECT_EQ(WhyNot(), "");
  for (const char* foreign : {"out/notes", "out/kept/notes", "out/.git/HEAD", "out/src/x"}) {
    Put(foreign, "mine");
    EXPECT_HAS(WhyNot(), "which is not part of a result") << foreign;
    fs::remove(root_ + "/" + foreign);
    for (const char* folder : {"/out/.git", "/out/src"}) fs::remove_all(root_ + folder);
    EXPECT_EQ(WhyNot(), "") << foreign;
  }
  fs::remove(root_ + "/out/checks.jsonl");
  EXPECT_EQ(WhyNot(), "") << "of an earlier version";
}

TEST_F(ResultChecksTest, WhatAResultHas) {
  for (const char* name : {"kept/a", "annotated/b/c", "rejected/d", "kept/", "removed.jsonl",
                           "clusters.jsonl", "rejected.jsonl", "evidence.jsonl", "suggested.jsonl",
                           "scores.bin", "report.html", "checks.jsonl", "manifest.json"}) {
    EXPECT_TRUE(IsOfResult(name)) << name;
  }
  for (const char* name : {"kept", "notes", "removed.jsonl/", "sub/removed.jsonl", ".git/"}) {
    EXPECT_FALSE(IsOfResult(name)) << name;
  }
}

TEST_F(ResultChecksTest, ReadingAFileCanBeEnded) {
  Put("large", std::string(size_t{5} << 20, 'x'));
  uint64_t seen = 0;
  const auto stopped = ReadContentHash(root_ + "/large", [&](uint64_t bytes) {
    seen += bytes;
    return seen < uint64_t{2} << 20;
  });
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().what, "interrupted");
  EXPECT_EQ(seen, uint64_t{2} << 20);
}

TEST_F(ResultChecksTest, HashesOfWrittenFilesAreThoseOfReadOnes) {
  HashingFileSystem files(RealFileSystem());
  const std::string path = root_ + "/file";
  for (const std::string& text : {std::string("first"), std::string(3'000'000, 'y')}) {
    const auto file = files.Create(path);
    ASSERT_TRUE(file);
    ASSERT_TRUE(AppendAll(**file, text));
    EXPECT_FALSE(files.Take(path)) << "not closed";
    ASSERT_TRUE((*file)->Close());
    EXPECT_EQ(files.Take(path), ReadContentHash(path).value());
    EXPECT_FALSE(files.Take(path));
  }
}

}  // namespace
}  // namespace lookalike
