// Sizes in bytes as people write them: 1000, 64KiB, 256M, 1.5G.
#ifndef LOOKALIKE_SIZE_H_
#define LOOKALIKE_SIZE_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "lookalike/status.h"

namespace lookalike {

/// Returns the number of bytes for "64", "64B", "64K", "64KiB", "64KB", "1.5G" and so on, in upper
/// or lower case. K, M, G, T and KiB, ... are powers of 1024; KB, MB, GB and TB are powers of 1000.
/// A fraction of a byte is dropped. The error shows the given text and what a size looks like.
Result<uint64_t> ParseSize(std::string_view text);

/// Returns the shortest text that ParseSize turns into exactly `bytes`: "256M", "1000".
std::string FormatSize(uint64_t bytes);

}  // namespace lookalike

#endif  // LOOKALIKE_SIZE_H_
