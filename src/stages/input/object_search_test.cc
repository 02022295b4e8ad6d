#include "stages/input/object_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "fault/faulty_store.h"
#include "stages/input/file_search.h"

namespace lookalike {
namespace {

/// Keys with everything that rules affect; `bucket` may also be a folder.
const std::vector<std::string> kPaths = {
    "bucket/a.jsonl",      "bucket/b.jsonl",       "bucket/.hidden.jsonl",
    "bucket/_SUCCESS",     "bucket/d/a.jsonl",     "bucket/d/e/b.jsonl",
    "bucket/d/e/c.csv",    "bucket/d/.x/a.jsonl",  "bucket/d/_tmp/a.jsonl",
    "bucket/d-1/a.jsonl",  "bucket/d-2/z/a.jsonl", "bucket/other/d/e/b.jsonl",
    "bucket/part-1.jsonl", "bucket/part-10.jsonl", "bucket/d/e/deep/er/a.jsonl",
};

std::vector<StoredObject> Objects() {
  std::vector<StoredObject> objects;
  for (const std::string& path : kPaths) objects.push_back({path, 1, 0});
  std::sort(objects.begin(), objects.end(),
            [](const StoredObject& a, const StoredObject& b) { return a.path < b.path; });
  return objects;
}

/// Returns "path name" of each.
std::vector<std::string> Shown(const std::vector<FoundObject>& found) {
  std::vector<std::string> shown;
  for (const FoundObject& each : found) shown.push_back(each.object.path + " " + each.name);
  return shown;
}

/// Returns the same for files of the same paths.
std::vector<std::string> Shown(const std::string& root, const FoundFiles& found) {
  std::vector<std::string> shown;
  for (size_t i = 0; i < found.size(); ++i) {
    shown.push_back(found[i].path.substr(root.size()) + " " + found[i].name);
  }
  return shown;
}

/// Returns how many were left out for each reason.
std::vector<uint64_t> Counts(const LeftOut& left_out) {
  std::vector<uint64_t> counts;
  for (size_t i = 0; i < LeftOut::kReasons; ++i) {
    counts.push_back(left_out.Of(static_cast<LeftOutReason>(i)).count);
  }
  return counts;
}

TEST(ObjectSearch, FindsWhatFilesOfTheSamePathsWould) {
  const std::string root = ::testing::TempDir() + "lookalike_object_search/";
  std::filesystem::remove_all(root);
  for (const std::string& path : kPaths) {
    std::filesystem::create_directories(std::filesystem::path(root + path).parent_path());
    std::ofstream(root + path) << "x";
  }
  for (const char* pattern :
       {"bucket/*.jsonl", "bucket/part-?.jsonl", "bucket/part-[0-9]*.jsonl", "bucket/*",
        "bucket/d*", "bucket/d*/a.jsonl", "bucket/d/*", "bucket/*/e", "bucket/*/e/*.jsonl",
        "bucket/**/*.jsonl", "bucket/**", "bucket/d/**/*.csv", "bucket/*/**/b.jsonl",
        "bucket/d/**/e/*.jsonl", "bucket/.h*", "bucket/d/.x/*", "bucket/_*"}) {
    const auto files = MatchPattern(root + pattern);
    const auto expected = files ? Shown(root, *files) : std::vector<std::string>();
    LeftOut left_out;
    EXPECT_EQ(Shown(MatchObjects(pattern, Objects(), PathFilter({}), &left_out)), expected)
        << pattern;
  }
  const SearchRules no_tables = {{}, {"*.csv", "d-2"}};
  for (const SearchRules& rules : {SearchRules(), no_tables}) {
    for (const char* folder : {"bucket", "bucket/d", "bucket/other", "bucket/d/_tmp"}) {
      LeftOut left_out;
      const auto files = ListFolder(root + folder, rules);
      EXPECT_EQ(Shown(InFolder(folder, Objects(), PathFilter(rules), &left_out)),
                Shown(root, *files))
          << folder;
      EXPECT_EQ(Counts(left_out), Counts(files->left_out)) << folder;
    }
  }
}

TEST(ObjectSearch, PatternsAreLookedForBelowTheirFixedFront) {
  EXPECT_EQ(FolderOfPattern("bucket/*.jsonl"), "bucket");
  EXPECT_EQ(FolderOfPattern("bucket/a/b-*/c"), "bucket/a");
  EXPECT_EQ(FolderOfPattern("bucket/a/**"), "bucket/a");
}

class FindObjectsIn : public ::testing::Test {
 protected:
  FindObjectsIn() {
    for (const std::string& path : kPaths) EXPECT_TRUE(files_->CreateFile(path, "x").ok());
    EXPECT_TRUE(files_->CreateFile("bucket/[x].jsonl", "x").ok());
  }

  Result<std::vector<FoundObject>> Find(const std::string& uri) {
    ObjectStore store = FaultyStore::StoreOf(files_);
    store.uri = ParseObjectUri(uri).value();
    LeftOut left_out;
    auto found = FindObjects(store, {}, &left_out);
    if (!found) return tl::make_unexpected(found.error());
    return std::move(*found).value_or(std::vector<FoundObject>());
  }

  std::shared_ptr<FaultyStore> files_ = std::make_shared<FaultyStore>();
};

TEST_F(FindObjectsIn, OneObject) {
  const auto found = Find("s3://bucket/d/e/b.jsonl");
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(Shown(*found), std::vector<std::string>{"bucket/d/e/b.jsonl b.jsonl"});
  EXPECT_EQ(found->front().object.size, 1);
  EXPECT_EQ(found->front().object.mtime_ns, 1'000'000'000'000);
}

TEST_F(FindObjectsIn, OneObjectThatLooksLikeAPattern) {
  EXPECT_EQ(Shown(Find("s3://bucket/[x].jsonl").value()),
            std::vector<std::string>{"bucket/[x].jsonl [x].jsonl"});
}

TEST_F(FindObjectsIn, APrefix) {
  const std::vector<std::string> expected = {"bucket/d/e/b.jsonl b.jsonl", "bucket/d/e/c.csv c.csv",
                                             "bucket/d/e/deep/er/a.jsonl deep/er/a.jsonl"};
  EXPECT_EQ(Shown(Find("s3://bucket/d/e").value()), expected);
  EXPECT_EQ(Shown(Find("s3://bucket/d/e/").value()), expected);
}

TEST_F(FindObjectsIn, NothingThere) {
  EXPECT_TRUE(Find("s3://bucket/none.jsonl").value().empty());
  const auto none = Find("s3://bucket/n*.jsonl");
  ASSERT_FALSE(none.has_value());
  EXPECT_EQ(none.error().where, "s3://bucket/n*.jsonl");
  EXPECT_NE(none.error().what.find("no object matches"), std::string::npos);
  ASSERT_TRUE(files_->CreateFile("bucket/only/.hidden", "x").ok());
  EXPECT_NE(Find("s3://bucket/only").error().what.find("the prefix contains no object to read"),
            std::string::npos);
}

}  // namespace
}  // namespace lookalike
