#include "stages/candidates/band_keys.h"

namespace lookalike {

void MakeBandKeys(const Design& design, std::span<const uint32_t> sketch,
                  std::span<uint64_t> keys) {
  for (uint32_t i = 0; i < keys.size(); ++i) {
    uint64_t x = (uint64_t{i} + 1) * 0x4b33a62ed433d4a3ULL;
    for (const uint16_t coordinate : design.Key(i)) {
      x = (x ^ sketch[coordinate]) * 0x9fb21c651e98df25ULL;
      x ^= x >> 32;
    }
    x *= 0xc4ceb9fe1a85ec53ULL;
    keys[i] = x ^ (x >> 29);
  }
}

}  // namespace lookalike
