// The checksum of gzip (CRC-32 of ISO 3309), for parts that are joined later.
#ifndef LOOKALIKE_IO_CRC32_H_
#define LOOKALIKE_IO_CRC32_H_

#include <cstdint>
#include <string_view>

namespace lookalike {

/// Returns the checksum of `bytes`; 0 for an empty string.
uint32_t Crc32(std::string_view bytes);

/// Returns the checksum of two strings back to back, from their checksums and the second's size.
uint32_t JoinCrc32(uint32_t first, uint32_t second, uint64_t second_size);

}  // namespace lookalike

#endif  // LOOKALIKE_IO_CRC32_H_
