#include "stages/input/object_inputs.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "fault/faulty_store.h"
#include "input/reader_testing.h"
#include "stages/input/reader.h"

namespace lookalike {
namespace {

constexpr const char* kLine = "{\"id\":\"1\",\"text\":\"some words\"}\n";

class Objects : public ::testing::Test {
 protected:
  Objects() {
    how_.spool_dir = ::testing::TempDir() + "lookalike_object_inputs";
    std::filesystem::remove_all(how_.spool_dir);
    std::filesystem::create_directories(how_.spool_dir);
    how_.objects.open = [this](const ObjectUri& uri) -> Result<ObjectStore> {
      ObjectStore store = FaultyStore::StoreOf(files_);
      store.uri = uri;
      return store;
    };
    for (const char* path : {"b/in/a.jsonl", "b/in/deep/data", "b/in/_SUCCESS", "b/single"}) {
      EXPECT_TRUE(files_->CreateFile(path, kLine).ok());
    }
  }
  ~Objects() override { FaultyStore::WaitForStragglers(); }

  Result<InputList> Discover(const std::vector<std::string>& arguments) {
    auto found = DiscoverInputs(arguments, how_);
    if (!found) return tl::make_unexpected(found.error());
    return std::move(found->files);
  }

  std::shared_ptr<FaultyStore> files_ = std::make_shared<FaultyStore>();
  Discovery how_;
};

TEST_F(Objects, AreInputsThatAreReadFromTheirCopies) {
  const auto files = Discover({"s3://b/in", "s3://b/single"});
  ASSERT_TRUE(files.has_value()) << files.error().ToString();
  ASSERT_EQ(files->size(), 3u);
  EXPECT_EQ((*files)[0].name, "a.jsonl");
  EXPECT_EQ((*files)[0].place(), "s3://b/in/a.jsonl");
  EXPECT_TRUE((*files)[0].path.starts_with(how_.spool_dir + "/object-"));
  EXPECT_EQ((*files)[0].mtime_ns, 1'000'000'000'000);
  EXPECT_EQ(testing::ReadAll((*files)[0]).records.at(0).row, 1u);
  EXPECT_EQ((*files)[1].name, "deep/data");
  EXPECT_EQ((*files)[1].format, Format::kText) << "found in a folder: a text, whatever it holds";
  EXPECT_EQ((*files)[2].name, "single");
  EXPECT_EQ((*files)[2].format, Format::kJsonLines) << "named: its content says what it is";
}

TEST_F(Objects, MayBeReadInPlace) {
  how_.objects.use = ObjectUse::kInPlace;
  const auto files = Discover({"s3://b/in", "s3://b/single"});
  ASSERT_TRUE(files.has_value()) << files.error().ToString();
  EXPECT_EQ((*files)[0].path, "s3://b/in/a.jsonl");
  EXPECT_EQ(testing::ReadAll((*files)[0]).records.at(0).row, 1u);
  EXPECT_EQ((*files)[2].format, Format::kJsonLines) << "named: its content says what it is";
  EXPECT_TRUE(std::filesystem::is_empty(how_.spool_dir)) << "nothing is copied";
}

TEST_F(Objects, AreReadInPlaceIfTheDiskHasNoRoom) {
  const uint64_t needed = 3 * std::string(kLine).size();
  for (const uint64_t room : {needed, needed - 1}) {
    how_.objects.space = [&](const std::string& folder) -> Result<uint64_t> {
      EXPECT_EQ(folder, how_.spool_dir);
      return room;
    };
    const auto files = Discover({"s3://b/in", "s3://b/single"});
    ASSERT_TRUE(files.has_value()) << files.error().ToString();
    const bool copied = room >= needed;
    EXPECT_EQ((*files)[0].remote == nullptr, copied) << room;
    EXPECT_EQ(std::filesystem::is_empty(how_.spool_dir), !copied) << room;
    EXPECT_EQ(testing::ReadAll((*files)[0]).records.at(0).row, 1u);
    std::filesystem::remove_all(how_.spool_dir);
    std::filesystem::create_directories(how_.spool_dir);
  }
}

TEST_F(Objects, ThatCannotBeReachedAreNotTakenForBadInputs) {
  how_.objects.use = ObjectUse::kInPlace;
  how_.unreadable = UnreadableInputs::kList;
  files_->on_read = [](int, int64_t) -> arrow::Result<int64_t> { return PassingFailure(); };
  const auto files = Discover({"s3://b/in"});
  ASSERT_FALSE(files.has_value());
  EXPECT_NE(files.error().what.find("connection reset"), std::string::npos);
}

TEST_F(Objects, MayBeListedOnly) {
  how_.objects.use = ObjectUse::kList;
  const auto files = Discover({"s3://b/in"});
  ASSERT_TRUE(files.has_value());
  EXPECT_EQ((*files)[0].size, std::string(kLine).size());
  EXPECT_EQ(files_->reads, 0);
  EXPECT_TRUE(std::filesystem::is_empty(how_.spool_dir));
}

TEST_F(Objects, AreNotFetchedBeforeAllNamesAreGood) {
  EXPECT_FALSE(Discover({"s3://b/in", "s3://b/none"}).has_value());
  EXPECT_FALSE(Discover({"s3://b/in", "s3://b/in/a.jsonl"}).has_value()) << "passed twice";
  EXPECT_EQ(files_->reads, 0);
}

TEST_F(Objects, ThatAreMissingMayBeLeftOut) {
  const auto strict = Discover({"s3://b/none.jsonl"});
  ASSERT_FALSE(strict.has_value());
  EXPECT_EQ(strict.error().where, "s3://b/none.jsonl");
  how_.unreadable = UnreadableInputs::kList;
  const auto listed = Discover({"s3://b/none.jsonl", "s3://b/single"});
  ASSERT_TRUE(listed.has_value());
  EXPECT_NE((*listed)[0].problem.find("no such object"), std::string::npos);
  EXPECT_EQ((*listed)[1].problem, "");
}

TEST_F(Objects, ThatCannotBeReadMayBeLeftOut) {
  files_->on_read = [](int, int64_t) -> arrow::Result<int64_t> { return PassingFailure(); };
  const auto strict = Discover({"s3://b/single"});
  ASSERT_FALSE(strict.has_value());
  EXPECT_EQ(strict.error().where, "s3://b/single");
  how_.unreadable = UnreadableInputs::kList;
  const auto listed = Discover({"s3://b/single"});
  ASSERT_TRUE(listed.has_value());
  EXPECT_NE((*listed)[0].problem.find("connection reset"), std::string::npos);
}

TEST_F(Objects, AreLeftOutByPatternsAndCounted) {
  how_.rules.exclude = {"deep"};
  const auto found = DiscoverInputs(std::vector<std::string>{"s3://b/in"}, how_);
  ASSERT_TRUE(found.has_value()) << found.error().ToString();
  ASSERT_EQ(found->files.size(), 1u);
  EXPECT_EQ(found->left_out.Of(LeftOutReason::kFiltered).first,
            std::vector<std::string>{"b/in/deep"});
  EXPECT_EQ(found->left_out.Of(LeftOutReason::kMarker).first,
            std::vector<std::string>{"b/in/_SUCCESS"});
  how_.rules.include = {"*.md"};
  EXPECT_FALSE(Discover({"s3://b/in"}).has_value());
}

TEST_F(Objects, OfOneNameAreToldApartByTheirKeys) {
  ASSERT_TRUE(files_->CreateFile("b/other/a.jsonl", kLine).ok());
  const auto files = Discover({"s3://b/in/a.jsonl", "s3://b/other/a.jsonl"});
  ASSERT_TRUE(files.has_value()) << files.error().ToString();
  EXPECT_EQ(files->NameOf(0), "in/a.jsonl");
  EXPECT_EQ(files->NameOf(1), "other/a.jsonl");
}

TEST_F(Objects, MayNotBePartOfTheResult) {
  how_.objects.output = "s3://b/in/deep";
  const auto files = Discover({"s3://b/*/deep/*"});
  ASSERT_FALSE(files.has_value());
  EXPECT_NE(files.error().what.find("lies inside the output"), std::string::npos);
  how_.objects.output = "s3://b/i";
  EXPECT_TRUE(Discover({"s3://b/in"}).has_value());
}

TEST_F(Objects, TellHowFarTheyAre) {
  uint64_t last = 0, all = 0;
  how_.objects.progress = [&](uint64_t done, uint64_t total) {
    last = done;
    all = total;
  };
  ASSERT_TRUE(Discover({"s3://b/in", "s3://b/single"}).has_value());
  EXPECT_EQ(all, 3 * std::string(kLine).size());
  EXPECT_EQ(last, all);
}

}  // namespace
}  // namespace lookalike
