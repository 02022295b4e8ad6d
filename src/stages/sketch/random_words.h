// The fixed random words that define the hash functions of sketches.
#ifndef LOOKALIKE_STAGES_SKETCH_RANDOM_WORDS_H_
#define LOOKALIKE_STAGES_SKETCH_RANDOM_WORDS_H_

#include <cstdint>

#include "kernels/splitmix.h"
#include "lookalike/sketch.h"

namespace lookalike {

/// Splitmix64, with a separate state for each function of each kind of sketch. The words are part
/// of the fingerprint (docs/format/sketch-kinds-v1.md).
class RandomWords : public SplitMix64 {
 public:
  constexpr RandomWords(SketchKind kind, uint64_t function)
      : RandomWords(Mix64(uint64_t{static_cast<uint8_t>(kind)} << 32 | function)) {}
  constexpr explicit RandomWords(uint64_t state) : SplitMix64(state) {}

  constexpr uint32_t NextHalf() { return static_cast<uint32_t>(Next() >> 32); }
};

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_SKETCH_RANDOM_WORDS_H_
