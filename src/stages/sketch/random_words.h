// The fixed random words that hash functions of sketches are made of.
#ifndef LOOKALIKE_STAGES_SKETCH_RANDOM_WORDS_H_
#define LOOKALIKE_STAGES_SKETCH_RANDOM_WORDS_H_

#include <cstdint>

#include "lookalike/sketch.h"

namespace lookalike {

/// The finaliser of splitmix64 (Steele, Lea, Flood, OOPSLA 2014): a permutation of 64 bits.
constexpr uint64_t Mix64(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

/// splitmix64, in a state of its own for each function of each kind of sketch. Which words these
/// are is part of the fingerprint (docs/format/sketch-kinds-v1.md).
class RandomWords {
 public:
  constexpr RandomWords(SketchKind kind, uint64_t function)
      : RandomWords(Mix64(uint64_t{static_cast<uint8_t>(kind)} << 32 | function)) {}
  constexpr explicit RandomWords(uint64_t state) : state_(state) {}

  constexpr uint64_t Next() {
    state_ += 0x9e3779b97f4a7c15U;
    return Mix64(state_);
  }
  constexpr uint32_t NextHalf() { return static_cast<uint32_t>(Next() >> 32); }

 private:
  uint64_t state_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_SKETCH_RANDOM_WORDS_H_
