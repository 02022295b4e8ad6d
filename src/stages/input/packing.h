// Sizes that the compression or container of an input declares, and the memory needed to unpack it.
#ifndef LOOKALIKE_STAGES_INPUT_PACKING_H_
#define LOOKALIKE_STAGES_INPUT_PACKING_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "records/input_file.h"

namespace lookalike {

/// Returns the window needed to unpack a zstd file, according to its first frame (RFC 8878, section
/// 3.1.1.1); 0 if it cannot be read, infinite if it is as large as the content.
double ZstdWindow(const InputFile& file);

/// Returns the stored size in bytes of a Parquet file's largest row group; 0 for all other inputs.
uint64_t LargestRowGroup(const InputFile& file);

/// Cuts the file into parts of whole row groups, of about `bytes` uncompressed bytes or more.
/// Returns the number of rows before each part; empty if the file cannot be read.
std::vector<uint64_t> CutPlacesOfParquet(const InputFile& file, uint64_t bytes);

/// The size that an input declares. No records are read to find it.
struct StatedSize {
  uint64_t rows = 0;
  uint64_t bytes = 0;  ///< Decompressed.
};

/// Returns the rows of a Parquet file, an Arrow file or a table in memory. Returns nothing for
/// other inputs, or if the file cannot be read.
std::optional<StatedSize> StatedSizeOf(const InputFile& file);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_INPUT_PACKING_H_
