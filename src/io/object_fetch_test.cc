#include "io/object_fetch.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "fault/faulty_file_system.h"
#include "fault/faulty_store.h"
#include "io/retrying_call.h"
#include "io/whole_file.h"

namespace lookalike {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

class ObjectFetch : public ::testing::Test {
 protected:
  ObjectFetch() {
    folder_ = ::testing::TempDir() + "lookalike_object_fetch";
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    settings_.chunk = 100;
    settings_.connections = 3;
  }
  ~ObjectFetch() override { FaultyStore::WaitForStragglers(); }

  FetchTask Put(const std::string& name, const std::string& content) {
    EXPECT_TRUE(files_->CreateFile("bucket/" + name, content).ok());
    const auto info = files_->GetFileInfo("bucket/" + name);
    return {ObjectOf(*info), folder_ + "/" + name};
  }

  /// Returns the outcome of fetching one task.
  Status Fetch(const FetchTask& task, FileSystem& disk = RealFileSystem()) {
    auto outcomes = FetchObjects(store_, std::span(&task, 1), false, settings_, disk);
    if (!outcomes) return tl::make_unexpected(outcomes.error());
    return outcomes->front();
  }

  static std::string Read(const std::string& path) {
    return ReadWholeFile(path, RealFileSystem()).value_or("(none)");
  }

  std::shared_ptr<FaultyStore> files_ = std::make_shared<FaultyStore>();
  ObjectStore store_ = FaultyStore::StoreOf(files_);
  FetchSettings settings_;
  std::string folder_;
};

TEST_F(ObjectFetch, CopiesBytesAndTime) {
  for (const size_t size : {0, 1, 99, 100, 101, 1234}) {
    const FetchTask task = Put("o" + std::to_string(size), TextWithoutPeriod(size));
    ASSERT_TRUE(Fetch(task).has_value());
    EXPECT_EQ(Read(task.target), TextWithoutPeriod(size));
    EXPECT_EQ(RealFileSystem().Stat(task.target)->mtime_ns, 1000 * kSecond);
    EXPECT_FALSE(std::filesystem::exists(task.target + ".part"));
  }
}

TEST_F(ObjectFetch, CopiesManyObjects) {
  std::vector<FetchTask> tasks;
  for (int i = 0; i < 20; ++i)
    tasks.push_back(Put("o" + std::to_string(i), TextWithoutPeriod(i * 37)));
  uint64_t told = 0;
  settings_.progress = [&](uint64_t bytes) { told = std::max(told, bytes); };
  const auto outcomes = FetchObjects(store_, tasks, true, settings_);
  ASSERT_TRUE(outcomes.has_value());
  for (int i = 0; i < 20; ++i) EXPECT_EQ(Read(tasks[i].target), TextWithoutPeriod(i * 37)) << i;
  EXPECT_EQ(told, 37 * 190);
}

TEST_F(ObjectFetch, ContinuesShortReads) {
  const FetchTask task = Put("short", TextWithoutPeriod(1000));
  files_->on_read = [](int, int64_t bytes) { return std::min<int64_t>(bytes, 7); };
  ASSERT_TRUE(Fetch(task).has_value());
  EXPECT_EQ(Read(task.target), TextWithoutPeriod(1000));
}

TEST_F(ObjectFetch, RepeatsReadsThatFail) {
  const FetchTask task = Put("flaky", TextWithoutPeriod(1000));
  files_->on_read = [](int number, int64_t bytes) -> arrow::Result<int64_t> {
    if (number % 3 != 0) return PassingFailure();
    return bytes;
  };
  settings_.connections = 1;  // so that three tries of one chunk never fail
  ASSERT_TRUE(Fetch(task).has_value());
  EXPECT_EQ(Read(task.target), TextWithoutPeriod(1000));
}

TEST_F(ObjectFetch, RepeatsOpensThatFail) {
  const FetchTask task = Put("flaky", TextWithoutPeriod(1000));
  files_->on_open = [](int number) { return number < 3 ? PassingFailure() : arrow::Status::OK(); };
  ASSERT_TRUE(Fetch(task).has_value());
  EXPECT_EQ(files_->opens, 3);
}

TEST_F(ObjectFetch, GivesUpAndLeavesNothing) {
  const FetchTask task = Put("dead", TextWithoutPeriod(1000));
  files_->on_read = [](int number, int64_t bytes) -> arrow::Result<int64_t> {
    if (number > 3) return PassingFailure();
    return bytes;
  };
  const Status status = Fetch(task);
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().where, "s3://bucket/dead");
  EXPECT_NE(status.error().what.find("connection reset"), std::string::npos);
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

TEST_F(ObjectFetch, DoesNotRepeatWhatIsDenied) {
  const FetchTask task = Put("denied", TextWithoutPeriod(1000));
  files_->on_open = [](int) {
    return arrow::Status::IOError("AWS Error ACCESS_DENIED during HeadObject operation");
  };
  const Status status = Fetch(task);
  ASSERT_FALSE(status.has_value());
  EXPECT_NE(status.error().what.find("AWS_ACCESS_KEY_ID"), std::string::npos);
  EXPECT_EQ(files_->opens, 1);
}

TEST_F(ObjectFetch, AnObjectThatEndsEarlyIsAnError) {
  const FetchTask task = Put("cut", TextWithoutPeriod(1000));
  settings_.connections = 1;  // so that reads come in order
  files_->on_read = [](int number, int64_t bytes) { return number == 1 ? bytes : 0; };
  const Status status = Fetch(task);
  ASSERT_FALSE(status.has_value());
  EXPECT_NE(status.error().what.find("the object ends after 100 of 1000 bytes"), std::string::npos)
      << status.error().what;
}

TEST_F(ObjectFetch, AnObjectThatChangesIsAnError) {
  const FetchTask task = Put("changing", TextWithoutPeriod(1000));
  files_->on_read = [this](int number, int64_t bytes) {
    if (number == 2) {
      EXPECT_TRUE(files_->CreateFile("bucket/changing", TextWithoutPeriod(1001)).ok());
    }
    return bytes;
  };
  const Status status = Fetch(task);
  ASSERT_FALSE(status.has_value());
  EXPECT_NE(status.error().what.find("changed while it was read"), std::string::npos);
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

TEST_F(ObjectFetch, AnObjectOfAnotherTimeIsAnError) {
  FetchTask task = Put("touched", TextWithoutPeriod(1000));
  task.object.mtime_ns -= 2 * kSecond;
  EXPECT_NE(Fetch(task).error().what.find("changed while it was read"), std::string::npos);
}

TEST_F(ObjectFetch, AnObjectThatIsGoneIsAnError) {
  const FetchTask task = Put("gone", TextWithoutPeriod(1000));
  ASSERT_TRUE(files_->DeleteFile("bucket/gone").ok());
  const Status status = Fetch(task);
  ASSERT_FALSE(status.has_value());
  EXPECT_NE(status.error().what.find("there is no such object"), std::string::npos)
      << status.error().what;
}

TEST_F(ObjectFetch, AStallEnds) {
  const FetchTask task = Put("stalled", TextWithoutPeriod(1000));
  std::promise<void> never;
  files_->on_read = [wait = never.get_future().share()](int, int64_t bytes) {
    wait.wait();
    return bytes;
  };
  store_.retry.deadline = std::chrono::milliseconds(20);
  const Status status = Fetch(task);
  ASSERT_FALSE(status.has_value());
  EXPECT_NE(status.error().what.find("does not answer"), std::string::npos);
  EXPECT_GT(RunningCalls(), 0);
  never.set_value();
  FaultyStore::WaitForStragglers();
}

TEST_F(ObjectFetch, InterruptionEndsAStall) {
  const FetchTask task = Put("stalled", TextWithoutPeriod(1000));
  std::promise<void> never;
  std::atomic<bool> interrupted = false;
  files_->on_read = [&, wait = never.get_future().share()](int, int64_t bytes) {
    interrupted = true;
    wait.wait();
    return bytes;
  };
  store_.retry.cancelled = [&] { return interrupted.load(); };
  const auto outcomes = FetchObjects(store_, std::span(&task, 1), false, settings_);
  ASSERT_FALSE(outcomes.has_value());
  EXPECT_EQ(outcomes.error().what, "interrupted");
  never.set_value();
  FaultyStore::WaitForStragglers();
}

TEST_F(ObjectFetch, TakesACompleteCopyAsItIs) {
  const FetchTask task = Put("there", TextWithoutPeriod(1000));
  ASSERT_TRUE(Fetch(task).has_value());
  const int reads = files_->reads;
  ASSERT_TRUE(Fetch(task).has_value());
  EXPECT_EQ(files_->reads, reads);
  FetchTask changed = task;
  changed.object.mtime_ns += 2 * kSecond;
  EXPECT_FALSE(IsFetched(changed).value());
  changed = task;
  changed.object.size += 1;
  EXPECT_FALSE(IsFetched(changed).value());
}

TEST_F(ObjectFetch, OneBadObjectLeavesTheOthers) {
  const std::vector<FetchTask> tasks = {Put("a", TextWithoutPeriod(500)),
                                        Put("b", TextWithoutPeriod(500)),
                                        Put("c", TextWithoutPeriod(500))};
  ASSERT_TRUE(files_->DeleteFile("bucket/b").ok());
  const auto outcomes = FetchObjects(store_, tasks, false, settings_);
  ASSERT_TRUE(outcomes.has_value());
  EXPECT_TRUE((*outcomes)[0].has_value());
  EXPECT_FALSE((*outcomes)[1].has_value());
  EXPECT_TRUE((*outcomes)[2].has_value());
  const auto strict = FetchObjects(store_, tasks, true, settings_);
  ASSERT_FALSE(strict.has_value());
  EXPECT_EQ(strict.error().where, "s3://bucket/b");
}

TEST_F(ObjectFetch, EveryFailureOfTheDiskIsAnError) {
  const FetchTask task = Put("disk", TextWithoutPeriod(350));
  FaultyFileSystem counting(RealFileSystem(), {});
  ASSERT_TRUE(Fetch(task, counting).has_value());
  for (uint64_t at = 1; at <= counting.operations(); ++at) {
    std::filesystem::remove(task.target);
    FaultyFileSystem faulty(RealFileSystem(), {at, ENOSPC, true});
    EXPECT_FALSE(Fetch(task, faulty).has_value()) << at;
    EXPECT_FALSE(std::filesystem::exists(task.target)) << at;
  }
}

}  // namespace
}  // namespace lookalike
