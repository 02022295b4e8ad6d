// A file whose bytes are read as if they were in memory.
#ifndef LOOKALIKE_IO_MAPPED_FILE_H_
#define LOOKALIKE_IO_MAPPED_FILE_H_

#include <cstddef>
#include <span>
#include <string>
#include <utility>

#include "lookalike/status.h"

namespace lookalike {

/// A mapping of a file for reading at random: pages are loaded when touched, and the system may
/// take them back. The file must not be shortened meanwhile; it may be renamed or removed. Movable;
/// safe to read from several threads.
class MappedFile {
 public:
  static Result<MappedFile> Open(const std::string& path);
  MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}
  MappedFile& operator=(MappedFile&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~MappedFile();

  [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }

 private:
  explicit MappedFile(std::span<const std::byte> bytes) : bytes_(bytes) {}

  std::span<const std::byte> bytes_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_IO_MAPPED_FILE_H_
