// A file system for tests: a disk of a few bytes.
#ifndef LOOKALIKE_TESTS_FAULT_SMALL_DISK_FILE_SYSTEM_H_
#define LOOKALIKE_TESTS_FAULT_SMALL_DISK_FILE_SYSTEM_H_

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "io/forwarding_file_system.h"

namespace lookalike {

/// A disk on which the files made through this have `capacity` bytes together; an append that fits
/// in part writes that part, one that does not fit fails with ENOSPC. Removing or emptying files
/// makes room again. Safe from several threads.
class SmallDiskFileSystem : public ForwardingFileSystem {
 public:
  SmallDiskFileSystem(FileSystem& base, uint64_t capacity)
      : ForwardingFileSystem(base), capacity_(capacity) {}

  /// Returns the size in bytes of all files, now or at its highest so far.
  uint64_t used() const;
  uint64_t peak() const;

  Result<std::unique_ptr<OutputFile>> Create(const std::string& path) override;
  Status Rename(const std::string& from, const std::string& to) override;
  Status Exchange(const std::string& a, const std::string& b) override;
  Status RemoveTree(const std::string& path) override;
  Result<uint64_t> Space(const std::string& path) override;

 private:
  friend class SmallDiskFile;
  using Size = std::shared_ptr<uint64_t>;  ///< Shared with the open file, even if that is renamed.

  uint64_t Used() const;  ///< REQUIRES: mutex_ is held.

  uint64_t capacity_;
  mutable std::mutex mutex_;
  std::map<std::string, Size> sizes_;
  uint64_t peak_ = 0;
};

}  // namespace lookalike

#endif  // LOOKALIKE_TESTS_FAULT_SMALL_DISK_FILE_SYSTEM_H_
