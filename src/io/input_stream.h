// The plain bytes of a file, in any compression.
#ifndef LOOKALIKE_IO_INPUT_STREAM_H_
#define LOOKALIKE_IO_INPUT_STREAM_H_

#include <cstddef>
#include <cstdint>

#include "lookalike/status.h"

namespace lookalike {

/// A reader of one file from front to back, decompressing as it goes. Files of several members or
/// frames are read to the end. Not thread-safe.
class InputStream {
 public:
  virtual ~InputStream() = default;

  /// Fills `out` with the next plain bytes. Returns fewer than `capacity` only at the end of the
  /// file, after which all calls return 0. Errors: unreadable, truncated, corrupt, or a
  /// decompression bomb; a truncated stream is an error even if every byte before the cut could be
  /// decoded.
  virtual Result<size_t> Read(char* out, size_t capacity) = 0;

  /// Returns how many bytes of the file are used so far, including the bytes before the offset at
  /// which it was opened.
  [[nodiscard]] virtual uint64_t consumed() const = 0;
};

}  // namespace lookalike

#endif  // LOOKALIKE_IO_INPUT_STREAM_H_
