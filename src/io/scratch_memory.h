// Memory that may be larger than what a run may use.
#ifndef LOOKALIKE_IO_SCRATCH_MEMORY_H_
#define LOOKALIKE_IO_SCRATCH_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "lookalike/status.h"

namespace lookalike {

/// A mapping of a temporary file that is read and written at random. The system writes pages to
/// the file when memory gets short. The file has no name any more. Movable.
class ScratchMemory {
 public:
  /// Makes it from a file at `path`, which must not exist. Returns an Error if the disk has no room
  /// for `bytes`.
  static Result<ScratchMemory> Make(uint64_t bytes, const std::string& path);

  ScratchMemory(ScratchMemory&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}
  ScratchMemory& operator=(ScratchMemory&&) = delete;
  ~ScratchMemory();

  [[nodiscard]] std::span<std::byte> bytes() const { return bytes_; }

 private:
  explicit ScratchMemory(std::span<std::byte> bytes) : bytes_(bytes) {}

  std::span<std::byte> bytes_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_IO_SCRATCH_MEMORY_H_
