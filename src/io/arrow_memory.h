// Memory for Arrow's buffers, used again instead of being made anew. Included by adapters of Arrow
// only.
#ifndef LOOKALIKE_IO_ARROW_MEMORY_H_
#define LOOKALIKE_IO_ARROW_MEMORY_H_

#include <arrow/type_fwd.h>

#include <cstdint>

namespace lookalike {

/// The pool for columns, pages and what they are put together in: buffers of up to some megabytes
/// that live as long as one batch, the next like the last. Arrow's usual pool holds on to more than
/// is in use, whatever --memory says; the C library's gives each such buffer back to the system,
/// which costs a page fault every few kilobytes. This one keeps at most 32 MiB that nobody uses, as
/// blocks of few sizes. What of a block was never written to takes no memory. Lives as long as the
/// process; thread-safe.
arrow::MemoryPool* ReusedMemory();

/// The same, but a buffer of more than `most` bytes is refused with a TooLargeBuffer. Lives as long
/// as the process, too: one for each bound that is asked for.
arrow::MemoryPool* ReusedMemoryUpTo(int64_t most);

/// The bytes that a pool refused, where that is why a status is an error; else 0.
int64_t RefusedBytes(const arrow::Status& status);

/// Bytes of its blocks that nobody uses.
int64_t IdleReusedMemory();

}  // namespace lookalike

#endif  // LOOKALIKE_IO_ARROW_MEMORY_H_
