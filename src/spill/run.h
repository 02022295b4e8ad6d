// Runs: the results of one unit of work, in memory or in a file.
//
// A run holds a fixed number of byte streams that are written side by side and are immutable from
// then on. Partitioned records use one stream per partition, so that a whole unit needs one file,
// one fsync and one line in the journal. Every stream is cut into chunks of equal size (the last
// one is shorter), so that any range of it can be read.
#ifndef LOOKALIKE_SPILL_RUN_H_
#define LOOKALIKE_SPILL_RUN_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "lookalike/status.h"

namespace lookalike {

/// A finished run. Safe to read from several threads. The last reference to a run that is not
/// durable frees its memory and removes its file.
class Run {
 public:
  virtual ~Run() = default;

  [[nodiscard]] virtual uint32_t streams() const = 0;
  [[nodiscard]] virtual uint64_t bytes(uint32_t stream) const = 0;

  /// True if a read only copies memory, so that reading across a gap saves nothing.
  [[nodiscard]] virtual bool in_memory() const = 0;

  /// Copies `out.size()` bytes of a stream, from `offset` on; an Error if they are not all within
  /// the stream.
  virtual Status Read(uint32_t stream, uint64_t offset, std::span<std::byte> out) const = 0;

  /// Frees the memory of a stream that will not be read again; it then counts as empty. Does
  /// nothing to a file. REQUIRES: nobody reads the run meanwhile.
  virtual void Forget(uint32_t stream) const { static_cast<void>(stream); }
};

using RunPointer = std::shared_ptr<const Run>;

}  // namespace lookalike

#endif  // LOOKALIKE_SPILL_RUN_H_
