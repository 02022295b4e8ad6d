// Distinguishes a file from another of the same size without reading all of it.
#ifndef LOOKALIKE_RUN_EDGE_HASH_H_
#define LOOKALIKE_RUN_EDGE_HASH_H_

#include <cstdint>

#include "lookalike/status.h"
#include "records/input_file.h"

namespace lookalike {

/// Bytes of an input's front and of its end that are hashed. One process reads the edges of each
/// input once; each of many tasks reads those of all inputs, so a task hashes less.
inline constexpr uint64_t kEdge = uint64_t{1} << 20, kTaskEdge = uint64_t{1} << 12;

/// Returns the XXH3-64 of the first and the last bytes of an input's file, one after the other; 0
/// for a table and for a file that cannot be read and is skipped.
Result<uint64_t> HashEdges(const InputFile& file, uint64_t most = kEdge);

}  // namespace lookalike

#endif  // LOOKALIKE_RUN_EDGE_HASH_H_
