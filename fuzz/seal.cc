#include "seal.h"

#include <cstdint>
#include <cstring>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace lookalike::fuzz {

void Seal(size_t begin, size_t size, std::string* bytes) {
  const size_t end = begin + size - sizeof(uint64_t);
  const uint64_t checksum = XXH3_64bits(bytes->data() + begin, end - begin);
  std::memcpy(bytes->data() + end, &checksum, sizeof(checksum));
}

std::string Sealed(std::string bytes) {
  if (bytes.size() >= sizeof(uint64_t)) Seal(0, bytes.size(), &bytes);
  return bytes;
}

}  // namespace lookalike::fuzz
