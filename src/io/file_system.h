// The interface for everything that changes files, so that tests can make any single operation
// fail.
#ifndef LOOKALIKE_IO_FILE_SYSTEM_H_
#define LOOKALIKE_IO_FILE_SYSTEM_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lookalike/status.h"

namespace lookalike {

enum class FileKind { kMissing, kFile, kDirectory, kOther };  ///< A symbolic link is kOther.

struct FileFacts {
  FileKind kind = FileKind::kMissing;
  uint64_t size = 0;
  int64_t mtime_ns = 0;  ///< Time of change, since 1970.
};

/// A file being written. Destroying it closes it without making anything durable.
class OutputFile {
 public:
  virtual ~OutputFile() = default;

  /// Appends a prefix of `bytes` and returns its length, which is never 0 but may be less than all
  /// of them. REQUIRES: bytes is not empty.
  virtual Result<size_t> Append(std::string_view bytes) = 0;

  virtual Status Close() = 0;
};

/// A file open for reading at any offset. Safe to read from several threads.
class RandomAccessFile {
 public:
  virtual ~RandomAccessFile() = default;

  /// Copies bytes from `offset` on and returns their number: perhaps fewer than `out` takes, 0 only
  /// at the end of the file. REQUIRES: `out` is not empty.
  virtual Result<size_t> ReadAt(uint64_t offset, std::span<std::byte> out) const = 0;

  /// Returns the size of the file when it was opened.
  [[nodiscard]] virtual uint64_t size() const = 0;

  [[nodiscard]] virtual const std::string& path() const = 0;
};

/// The outcome of an attempt to lock a directory against other processes.
struct DirectoryLock {
  enum class State { kHeld, kBusy, kUnsupported };
  State state = State::kUnsupported;
  std::shared_ptr<const void> hold;  ///< Keeps the lock, which the last copy releases.
};

/// One function per file operation. Every Error names the path and says what to do. Implementations
/// are safe to call from several threads on different paths.
class FileSystem {
 public:
  virtual ~FileSystem() = default;

  /// Creates a file or empties an existing one.
  virtual Result<std::unique_ptr<OutputFile>> Create(const std::string& path) = 0;

  /// Opens a regular file for reading.
  virtual Result<std::unique_ptr<RandomAccessFile>> OpenRead(const std::string& path) = 0;

  /// Renames a path. Returns an Error if `to` exists (some file systems detect this only if `to` is
  /// a file or a non-empty directory).
  virtual Status Rename(const std::string& from, const std::string& to) = 0;

  /// Swaps two existing paths in one step.
  virtual Status Exchange(const std::string& a, const std::string& b) = 0;

  /// Removes a file or a directory with everything in it; a missing one is fine.
  virtual Status RemoveTree(const std::string& path) = 0;

  /// Returns true if the directory was made, false if it existed.
  virtual Result<bool> MakeDirectory(const std::string& path) = 0;

  /// Sets a file's time of change, in nanoseconds since 1970.
  virtual Status SetModified(const std::string& path, int64_t mtime_ns) = 0;

  /// Makes a file, or the names in a directory, durable.
  virtual Status SyncPath(const std::string& path) = 0;

  /// Makes everything written to the device of `path` durable, in one step.
  virtual Status SyncDevice(const std::string& path) = 0;

  /// Returns the facts about `path`, without following a link. A missing path is not an Error.
  virtual Result<FileFacts> Stat(const std::string& path) = 0;

  /// Returns the names in a directory, sorted as bytes.
  virtual Result<std::vector<std::string>> List(const std::string& path) = 0;

  /// Returns the bytes free for this user on the device of `path`.
  virtual Result<uint64_t> Space(const std::string& path) = 0;

  /// Locks a directory without waiting, for as long as the result lives.
  virtual Result<DirectoryLock> LockDirectory(const std::string& path) = 0;
};

/// Returns the POSIX file system of this process. Stateless.
FileSystem& RealFileSystem();

/// Returns the Error for a failed operation. `doing`: the attempted operation ("writing");
/// `error_number`: errno.
Error FileError(std::string_view doing, const std::string& path, int error_number);

/// Appends all of `bytes`, however few the file takes at a time.
Status AppendAll(OutputFile& file, std::string_view bytes);

/// Fills `out` from `offset` on; returns fewer bytes only at the end of the file.
Result<size_t> ReadMost(const RandomAccessFile& file, uint64_t offset, std::span<std::byte> out);

/// Fills `out` from `offset` on; an Error if the file ends before.
Status ReadFully(const RandomAccessFile& file, uint64_t offset, std::span<std::byte> out);

/// Returns the folder of a path: "." if it names none.
std::string ParentOf(const std::string& path);

/// Makes the missing directories above `path`.
Status MakeParentDirectories(const std::string& path, FileSystem& files);

}  // namespace lookalike

#endif  // LOOKALIKE_IO_FILE_SYSTEM_H_
