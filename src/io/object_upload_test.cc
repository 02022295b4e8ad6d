#include "io/object_upload.h"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "fault/faulty_file_system.h"
#include "fault/faulty_store.h"
#include "io/retrying_call.h"

namespace lookalike {
namespace {

class ObjectUpload : public ::testing::Test {
 protected:
  ObjectUpload() {
    folder_ = ::testing::TempDir() + "lookalike_object_upload";
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    settings_.batch = 100;
    EXPECT_TRUE(files_->CreateDir("bucket", true).ok());
  }
  ~ObjectUpload() override { FaultyStore::WaitForStragglers(); }

  UploadTask Put(const std::string& name, const std::string& content) {
    std::ofstream(folder_ + "/" + name) << content;
    return {folder_ + "/" + name, "bucket/out/" + name};
  }

  Status Upload(const UploadTask& task, FileSystem& disk = RealFileSystem()) {
    return UploadFiles(store_, std::span(&task, 1), settings_, disk);
  }

  std::shared_ptr<FaultyStore> files_ = std::make_shared<FaultyStore>();
  ObjectStore store_ = FaultyStore::StoreOf(files_);
  UploadSettings settings_;
  std::string folder_;
};

TEST_F(ObjectUpload, PutsFiles) {
  std::vector<UploadTask> tasks;
  for (int i = 0; i < 10; ++i) {
    tasks.push_back(Put("f" + std::to_string(i), std::string(i * 77, 'x')));
  }
  uint64_t told = 0;
  settings_.progress = [&](uint64_t bytes) { told = std::max(told, bytes); };
  ASSERT_TRUE(UploadFiles(store_, tasks, settings_).has_value());
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(files_->Content(tasks[i].path), std::string(i * 77, 'x')) << i;
  }
  EXPECT_EQ(told, 45 * 77);
}

TEST_F(ObjectUpload, BeginsAgainAfterAFailure) {
  const UploadTask task = Put("flaky", std::string(1000, 'x'));
  settings_.batch = 300;
  files_->on_write = [this](const std::string&) {
    return files_->writes == 2 ? PassingFailure() : arrow::Status::OK();
  };
  ASSERT_TRUE(Upload(task).has_value());
  EXPECT_EQ(files_->writes, 2 + 4);
  EXPECT_EQ(files_->Content(task.path), std::string(1000, 'x'));
}

TEST_F(ObjectUpload, AFailureLeavesNoObject) {
  const UploadTask task = Put("dead", std::string(1000, 'x'));
  files_->on_write = [this](const std::string&) {
    return files_->writes % 5 == 0 ? PassingFailure() : arrow::Status::OK();
  };
  const Status status = Upload(task);
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().where, "s3://bucket/out/dead");
  EXPECT_EQ(files_->Content(task.path), "(none)") << "a part of the file is there";
}

TEST_F(ObjectUpload, AFailureEndsTheOthers) {
  std::vector<UploadTask> tasks;
  for (int i = 0; i < 50; ++i) tasks.push_back(Put("f" + std::to_string(i), "text"));
  settings_.connections = 1;
  files_->on_write = [](const std::string& path) {
    return path.ends_with("f3") ? arrow::Status::IOError("AWS Error ACCESS_DENIED during PutObject")
                                : arrow::Status::OK();
  };
  const Status status = UploadFiles(store_, tasks, settings_);
  ASSERT_FALSE(status.has_value());
  EXPECT_NE(status.error().what.find("access is denied"), std::string::npos);
  EXPECT_EQ(files_->Content(tasks[2].path), "text");
  EXPECT_EQ(files_->Content(tasks[4].path), "(none)");
}

TEST_F(ObjectUpload, InterruptionLeavesNoObject) {
  const UploadTask task = Put("stopped", std::string(1000, 'x'));
  std::atomic<bool> interrupted = false;
  files_->on_write = [&](const std::string&) {
    interrupted = true;
    while (RunningCalls() < 2) std::this_thread::yield();  // until the upload is being given up
    return arrow::Status::OK();
  };
  store_.retry.cancelled = [&] { return interrupted.load(); };
  const Status status = Upload(task);
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().what, "interrupted");
  FaultyStore::WaitForStragglers();
  EXPECT_EQ(files_->Content(task.path), "(none)");
}

TEST_F(ObjectUpload, AFileThatCannotBeReadLeavesNoObject) {
  const UploadTask task = Put("unread", std::string(1000, 'x'));
  FaultyFileSystem counting(RealFileSystem(), {});
  ASSERT_TRUE(Upload(task, counting).has_value());
  ASSERT_TRUE(RemoveObject(store_, task.path).has_value());
  for (uint64_t at = 1; at <= counting.operations(); ++at) {
    FaultyFileSystem faulty(RealFileSystem(), {at, EIO, true});
    EXPECT_FALSE(Upload(task, faulty).has_value()) << at;
    EXPECT_EQ(files_->Content(task.path), "(none)") << at;
  }
}

TEST_F(ObjectUpload, WritabilityIsFoundOutWithoutAnObject) {
  ASSERT_TRUE(CheckWritable(store_, "bucket/out/manifest.json").has_value());
  EXPECT_EQ(files_->Content("bucket/out/manifest.json"), "(none)");
}

TEST_F(ObjectUpload, WhatCannotBeAbortedLeavesNoObject) {
  files_->on_abort = [] { return arrow::Status::IOError("AWS Error ACCESS_DENIED"); };
  ASSERT_TRUE(CheckWritable(store_, "bucket/out/manifest.json").has_value());
  EXPECT_EQ(files_->Content("bucket/out/manifest.json"), "(none)");
  const UploadTask task = Put("dead", std::string(1000, 'x'));
  files_->on_write = [](const std::string&) { return PassingFailure(); };
  EXPECT_FALSE(Upload(task).has_value());
  FaultyStore::WaitForStragglers();
  EXPECT_EQ(files_->Content(task.path), "(none)");
}

TEST_F(ObjectUpload, AnUploadThatBeginsTooLateLeavesNoObject) {
  const UploadTask task = Put("late", "text");
  std::atomic<bool> interrupted = false, given_up = false;
  files_->on_create = [&] {
    interrupted = true;
    while (!given_up) std::this_thread::yield();
  };
  store_.retry.cancelled = [&] { return interrupted.load(); };
  EXPECT_FALSE(Upload(task).has_value());
  given_up = true;
  // Wait until the abandoned stream is gone: the test and its store hold the rest.
  while (files_.use_count() > 2) std::this_thread::yield();
  EXPECT_EQ(files_->Content(task.path), "(none)");
}

TEST_F(ObjectUpload, RemovesObjects) {
  const UploadTask task = Put("gone", "text");
  ASSERT_TRUE(Upload(task).has_value());
  ASSERT_TRUE(RemoveObject(store_, task.path).has_value());
  EXPECT_EQ(files_->Content(task.path), "(none)");
  EXPECT_TRUE(RemoveObject(store_, task.path).has_value()) << "nothing there is fine";
}

}  // namespace
}  // namespace lookalike
