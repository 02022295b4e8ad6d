// A file that is open for reading, by its descriptor.
#ifndef LOOKALIKE_IO_OPEN_FILE_H_
#define LOOKALIKE_IO_OPEN_FILE_H_

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "lookalike/status.h"

namespace lookalike {

/// An open file, closed by the destructor.
class OpenFile {
 public:
  explicit OpenFile(int descriptor) : descriptor_(descriptor) {}
  OpenFile(OpenFile&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  OpenFile& operator=(OpenFile&&) = delete;
  OpenFile(const OpenFile&) = delete;
  ~OpenFile() {
    if (descriptor_ >= 0) close(descriptor_);
  }

  [[nodiscard]] int descriptor() const { return descriptor_; }

  /// Fills `out` unless the file ends. `place` is for errors.
  Result<size_t> Read(char* out, size_t capacity, const std::string& place) const;

  /// Reads like Read(), from `offset` on; the position of Read() does not change.
  Result<size_t> ReadAt(uint64_t offset, char* out, size_t capacity,
                        const std::string& place) const;

 private:
  int descriptor_;
};

/// Opens a file for reading. `place` is for errors.
Result<OpenFile> OpenForReading(const std::string& path, const std::string& place);

}  // namespace lookalike

#endif  // LOOKALIKE_IO_OPEN_FILE_H_
