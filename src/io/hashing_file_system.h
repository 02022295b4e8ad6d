// Hashes of files, taken while they are written.
#ifndef LOOKALIKE_IO_HASHING_FILE_SYSTEM_H_
#define LOOKALIKE_IO_HASHING_FILE_SYSTEM_H_

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "io/forwarding_file_system.h"

namespace lookalike {

/// The content of a file: its size, and XXH3-64 of its bytes.
struct ContentHash {
  uint64_t bytes = 0, xxh3 = 0;
  bool operator==(const ContentHash&) const = default;
};

/// A file system that forwards every call and hashes the content of files that were created through
/// it and closed without an Error. `base` must outlive this object, and both must outlive every
/// file made here.
class HashingFileSystem : public ForwardingFileSystem {
 public:
  explicit HashingFileSystem(FileSystem& base) : ForwardingFileSystem(base) {}

  Result<std::unique_ptr<OutputFile>> Create(const std::string& path) override;

  /// Returns the hash of a file's content and forgets it; nothing if the file was not written here.
  std::optional<ContentHash> Take(const std::string& path);

 private:
  class File;
  void Remember(const std::string& path, const ContentHash& content);

  std::mutex mutex_;
  std::map<std::string, ContentHash> written_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_IO_HASHING_FILE_SYSTEM_H_
