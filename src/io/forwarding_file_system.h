// A file system that forwards every call; derived classes change some of them.
#ifndef LOOKALIKE_IO_FORWARDING_FILE_SYSTEM_H_
#define LOOKALIKE_IO_FORWARDING_FILE_SYSTEM_H_

#include <memory>
#include <string>
#include <vector>

#include "io/file_system.h"

namespace lookalike {

/// `base` must outlive this and every file it made.
class ForwardingFileSystem : public FileSystem {
 public:
  explicit ForwardingFileSystem(FileSystem& base) : base_(base) {}

  Result<std::unique_ptr<OutputFile>> Create(const std::string& path) override {
    return base_.Create(path);
  }
  Result<std::unique_ptr<RandomAccessFile>> OpenRead(const std::string& path) override {
    return base_.OpenRead(path);
  }
  Status Rename(const std::string& from, const std::string& to) override {
    return base_.Rename(from, to);
  }
  Status Exchange(const std::string& a, const std::string& b) override {
    return base_.Exchange(a, b);
  }
  Status RemoveTree(const std::string& path) override { return base_.RemoveTree(path); }
  Result<bool> MakeDirectory(const std::string& path) override { return base_.MakeDirectory(path); }
  Status SetModified(const std::string& path, int64_t mtime_ns) override {
    return base_.SetModified(path, mtime_ns);
  }
  Status SyncPath(const std::string& path) override { return base_.SyncPath(path); }
  Status SyncDevice(const std::string& path) override { return base_.SyncDevice(path); }
  Result<FileFacts> Stat(const std::string& path) override { return base_.Stat(path); }
  Result<std::vector<std::string>> List(const std::string& path) override {
    return base_.List(path);
  }
  Result<uint64_t> Space(const std::string& path) override { return base_.Space(path); }
  Result<DirectoryLock> LockDirectory(const std::string& path) override {
    return base_.LockDirectory(path);
  }

 protected:
  FileSystem& base_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_IO_FORWARDING_FILE_SYSTEM_H_
