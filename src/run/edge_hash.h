// Distinguishes a file from another of the same size without reading all of it.
#ifndef LOOKALIKE_RUN_EDGE_HASH_H_
#define LOOKALIKE_RUN_EDGE_HASH_H_

#include <cstdint>

#include "lookalike/status.h"
#include "records/input_file.h"

namespace lookalike {

/// Returns the XXH3-64 of the first and the last MiB of an input's file, one after the other; 0 for
/// a table and for a file that cannot be read and is skipped.
Result<uint64_t> HashEdges(const InputFile& file);

}  // namespace lookalike

#endif  // LOOKALIKE_RUN_EDGE_HASH_H_
