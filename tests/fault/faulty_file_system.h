// A file system for tests: one chosen operation fails, and optionally all after it.
#ifndef LOOKALIKE_TESTS_FAULT_FAULTY_FILE_SYSTEM_H_
#define LOOKALIKE_TESTS_FAULT_FAULTY_FILE_SYSTEM_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "io/file_system.h"

namespace lookalike {

/// The operation that fails, and how.
struct Fault {
  uint64_t at = 0;  ///< From 1; 0: nothing fails.
  int error_number =
      0;  ///< errno of the failure. 0: a short write or read; other operations succeed.
  bool lasting = false;  ///< Every later operation fails as well (a full or dead disk).
};

/// A file system that forwards every call to `base` and counts it. The call chosen by the fault
/// does nothing and fails; a failing append first writes half of its bytes, like a disk that fills
/// up. `base` must outlive this and every file it made.
class FaultyFileSystem : public FileSystem {
 public:
  FaultyFileSystem(FileSystem& base, Fault fault) : base_(base), fault_(fault) {}

  /// Returns the number of operations so far; run without a fault first to learn how many there
  /// are.
  uint64_t operations() const { return operations_; }

  Result<std::unique_ptr<OutputFile>> Create(const std::string& path) override;
  Result<std::unique_ptr<RandomAccessFile>> OpenRead(const std::string& path) override;
  Status Rename(const std::string& from, const std::string& to) override;
  Status Exchange(const std::string& a, const std::string& b) override;
  Status RemoveTree(const std::string& path) override;
  Result<bool> MakeDirectory(const std::string& path) override;
  Status SetModified(const std::string& path, int64_t mtime_ns) override;
  Status SyncPath(const std::string& path) override;
  Status SyncDevice(const std::string& path) override;
  Result<FileFacts> Stat(const std::string& path) override;
  Result<std::vector<std::string>> List(const std::string& path) override;
  Result<uint64_t> Space(const std::string& path) override;
  Result<DirectoryLock> LockDirectory(const std::string& path) override;

 private:
  friend class FaultyFile;
  friend class FaultyReadFile;

  /// Counts one operation; true if the fault strikes it.
  bool Strikes();
  /// Counts one operation; an Error if it must fail.
  Status Check(std::string_view doing, const std::string& path);

  FileSystem& base_;
  Fault fault_;
  std::atomic<uint64_t> operations_ = 0;
};

}  // namespace lookalike

#endif  // LOOKALIKE_TESTS_FAULT_FAULTY_FILE_SYSTEM_H_
