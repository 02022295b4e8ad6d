// What the packing of an input says of its size, and costs in memory.
#ifndef LOOKALIKE_STAGES_INPUT_PACKING_H_
#define LOOKALIKE_STAGES_INPUT_PACKING_H_

#include <cstdint>
#include <optional>

#include "flow/input_file.h"

namespace lookalike {

/// The window that unpacking a zstd file needs, by its first frame (RFC 8878, section 3.1.1.1);
/// 0 where it cannot be read, infinite where it is as large as the content.
double ZstdWindow(const InputFile& file);

/// Bytes of the largest row group of a Parquet file as it stands there; 0 for all else.
uint64_t LargestRowGroup(const InputFile& file);

/// What an input says of itself without being read.
struct StatedSize {
  uint64_t rows = 0;
  uint64_t bytes = 0;  ///< Decompressed.
};

/// The rows of a Parquet file, an Arrow file or a table in memory. Nothing for all else, and where
/// the file cannot be read.
std::optional<StatedSize> StatedSizeOf(const InputFile& file);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_INPUT_PACKING_H_
