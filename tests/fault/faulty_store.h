// An object store for tests: objects in memory, with reads, writes and answers that fail as the
// test specifies.
#ifndef LOOKALIKE_TESTS_FAULT_FAULTY_STORE_H_
#define LOOKALIKE_TESTS_FAULT_FAULTY_STORE_H_

#include <arrow/buffer.h>
#include <arrow/filesystem/mockfs.h>
#include <arrow/io/interfaces.h>
#include <arrow/result.h>
#include <arrow/status.h>
#include <arrow/util/key_value_metadata.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "io/object_store.h"
#include "io/retrying_call.h"

namespace lookalike {

/// Returns a Status as stores give it for a failure that may pass.
inline arrow::Status PassingFailure() { return arrow::Status::IOError("connection reset"); }

/// Returns a text without a period, which could hide swapped chunks.
inline std::string TextWithoutPeriod(size_t bytes) {
  std::string text;
  for (size_t i = 0; text.size() < bytes; ++i) text += std::to_string(i * i) + "\n";
  text.resize(bytes);
  return text;
}

class FaultyStore : public arrow::fs::internal::MockFileSystem {
 public:
  using Base = arrow::fs::internal::MockFileSystem;
  using Base::OpenOutputStream;

  FaultyStore() : Base(Time(1000)) {}

  /// Called before each read of an object, with the number of the read (from 1) and the number of
  /// bytes requested: returns an Error, or how many bytes to give. Null: all of them.
  std::function<arrow::Result<int64_t>(int number, int64_t bytes)> on_read;
  std::function<arrow::Status(int number)> on_open;  ///< Called before each open for reading.
  std::function<arrow::Status(const std::string& path)> on_write;  ///< Called before each write.
  std::function<void()> on_create;          ///< Called before each open for writing.
  std::function<arrow::Status()> on_abort;  ///< Called before each abort of a write.
  std::string version;  ///< Names the ETag that readers see; empty: they see none.
  std::atomic<int> opens = 0, reads = 0, writes = 0;

  static arrow::fs::TimePoint Time(int seconds) {
    return arrow::fs::TimePoint(std::chrono::seconds(seconds));
  }

  arrow::Result<std::shared_ptr<arrow::io::RandomAccessFile>> OpenInputFile(
      const std::string& path) override {
    const int number = ++opens;
    if (on_open) ARROW_RETURN_NOT_OK(on_open(number));
    ARROW_ASSIGN_OR_RAISE(auto file, Base::OpenInputFile(path));
    return std::make_shared<File>(Self(), std::move(file));
  }

  arrow::Result<std::shared_ptr<arrow::io::OutputStream>> OpenOutputStream(
      const std::string& path,
      const std::shared_ptr<const arrow::KeyValueMetadata>& metadata) override {
    if (on_create) on_create();
    // As in stores, the folders of an object need not be made.
    ARROW_RETURN_NOT_OK(CreateDir(path.substr(0, path.rfind('/')), true));
    return std::make_shared<Stream>(Self(), path, metadata);
  }

  /// Returns the store as the code under test sees it. It tries three times, almost without pauses.
  static ObjectStore StoreOf(std::shared_ptr<FaultyStore> files) {
    ObjectStore store;
    store.files = std::move(files);
    store.uri.scheme = "s3";
    store.uri.bucket = "bucket";
    store.retry.first_pause = std::chrono::milliseconds(1);
    store.retry.deadline = std::chrono::seconds(60);
    return store;
  }

  /// Waits for abandoned operations: they may call functions that belong to the test.
  static void WaitForStragglers() {
    while (RunningCalls() > 0) std::this_thread::yield();
  }

  std::string Content(const std::string& path) {
    const auto file = Base::OpenInputFile(path);
    if (!file.ok()) return "(none)";
    return (*(*file)->Read(1 << 30))->ToString();
  }

 private:
  /// Returns a shared reference, because abandoned operations may outlive the test's hold on the
  /// store.
  std::shared_ptr<FaultyStore> Self() {
    return std::static_pointer_cast<FaultyStore>(shared_from_this());
  }

  class File : public arrow::io::RandomAccessFile {
   public:
    File(std::shared_ptr<FaultyStore> store, std::shared_ptr<arrow::io::RandomAccessFile> file)
        : store_(std::move(store)), file_(std::move(file)) {}
    arrow::Status Close() override { return file_->Close(); }
    bool closed() const override { return file_->closed(); }
    arrow::Result<int64_t> Tell() const override { return file_->Tell(); }
    arrow::Status Seek(int64_t at) override { return file_->Seek(at); }
    arrow::Result<int64_t> GetSize() override { return file_->GetSize(); }
    arrow::Result<std::shared_ptr<const arrow::KeyValueMetadata>> ReadMetadata() override {
      if (store_->version.empty()) return nullptr;
      return arrow::key_value_metadata({"ETag"}, {store_->version});
    }
    arrow::Result<int64_t> Read(int64_t bytes, void* out) override {
      return file_->Read(bytes, out);
    }
    arrow::Result<std::shared_ptr<arrow::Buffer>> Read(int64_t bytes) override {
      return file_->Read(bytes);
    }
    arrow::Result<std::shared_ptr<arrow::Buffer>> ReadAt(int64_t at, int64_t bytes) override {
      const int number = ++store_->reads;
      if (store_->on_read) {
        ARROW_ASSIGN_OR_RAISE(bytes, store_->on_read(number, bytes));
      }
      return file_->ReadAt(at, bytes);
    }

   private:
    std::shared_ptr<FaultyStore> store_;
    std::shared_ptr<arrow::io::RandomAccessFile> file_;
  };

  /// A stream that behaves like an upload: nothing exists before it is closed.
  class Stream : public arrow::io::OutputStream {
   public:
    Stream(std::shared_ptr<FaultyStore> store, std::string path,
           std::shared_ptr<const arrow::KeyValueMetadata> metadata)
        : store_(std::move(store)), path_(std::move(path)), metadata_(std::move(metadata)) {}
    ~Stream() override {
      if (!closed_) (void)Stream::Close();  // like Arrow's streams
    }
    arrow::Status Close() override {
      if (closed_) return arrow::Status::OK();
      closed_ = true;
      ARROW_ASSIGN_OR_RAISE(const auto out, store_->Base::OpenOutputStream(path_, metadata_));
      ARROW_RETURN_NOT_OK(out->Write(bytes_.data(), static_cast<int64_t>(bytes_.size())));
      return out->Close();
    }
    arrow::Status Abort() override {
      if (store_->on_abort) ARROW_RETURN_NOT_OK(store_->on_abort());
      closed_ = true;
      return arrow::Status::OK();
    }
    bool closed() const override { return closed_; }
    arrow::Result<int64_t> Tell() const override { return static_cast<int64_t>(bytes_.size()); }
    using arrow::io::OutputStream::Write;
    arrow::Status Write(const void* data, int64_t bytes) override {
      ++store_->writes;
      if (store_->on_write) ARROW_RETURN_NOT_OK(store_->on_write(path_));
      bytes_.append(static_cast<const char*>(data), static_cast<size_t>(bytes));
      return arrow::Status::OK();
    }

   private:
    std::shared_ptr<FaultyStore> store_;
    std::string path_;
    std::shared_ptr<const arrow::KeyValueMetadata> metadata_;
    std::string bytes_;
    bool closed_ = false;
  };
};

}  // namespace lookalike

#endif  // LOOKALIKE_TESTS_FAULT_FAULTY_STORE_H_
