// The checksum of gzip (CRC-32 of ISO 3309), of parts that are put together later.
#ifndef LOOKALIKE_IO_CRC32_H_
#define LOOKALIKE_IO_CRC32_H_

#include <cstdint>
#include <string_view>

namespace lookalike {

/// The checksum of `bytes`; of nothing it is 0.
uint32_t Crc32(std::string_view bytes);

/// The checksum of two strings, one behind the other, from theirs and the second's size.
uint32_t JoinCrc32(uint32_t first, uint32_t second, uint64_t second_size);

}  // namespace lookalike

#endif  // LOOKALIKE_IO_CRC32_H_
