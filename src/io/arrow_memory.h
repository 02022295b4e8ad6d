// Memory for Arrow's buffers, reused instead of allocated again. Included by adapters of Arrow
// only.
#ifndef LOOKALIKE_IO_ARROW_MEMORY_H_
#define LOOKALIKE_IO_ARROW_MEMORY_H_

#include <arrow/type_fwd.h>

#include <cstdint>

namespace lookalike {

/// Returns the pool for columns, pages and the buffers used to assemble them: buffers of up to some
/// megabytes that live as long as one batch, and are alike from batch to batch. Arrow's usual pool
/// holds on to more than is in use, whatever --memory says; the C library's gives each such buffer
/// back to the system, which costs a page fault every few kilobytes. This pool keeps some
/// unused memory (KeepIdleMemoryFor()), as blocks of few sizes. Parts of a block that were never
/// written take no memory. Lives as long as the process; thread-safe.
arrow::MemoryPool* ReusedMemory();

/// Returns the same pool, except that a buffer of more than `most` bytes is refused with a
/// TooLargeBuffer. There is one for each bound that is requested, and it also lives as long as the
/// process.
arrow::MemoryPool* ReusedMemoryUpTo(int64_t most);

/// Returns how many bytes a pool refused if that is why the status is an error; else 0.
int64_t RefusedBytes(const arrow::Status& status);

/// Returns the unused bytes of the pool's blocks.
int64_t IdleReusedMemory();

/// Sets how much the pools keep for later use, for a run that may take `memory` bytes in all: an
/// eighth, from 32 MiB to 192 MiB.
void KeepIdleMemoryFor(uint64_t memory);

}  // namespace lookalike

#endif  // LOOKALIKE_IO_ARROW_MEMORY_H_
