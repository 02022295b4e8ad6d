// Splitmix64: the project's only mixer of 64 bits and only generator of fixed random words.
#ifndef LOOKALIKE_KERNELS_SPLITMIX_H_
#define LOOKALIKE_KERNELS_SPLITMIX_H_

#include <cstdint>

namespace lookalike {

/// The increment of SplitMix64's state: 2^64 over the golden ratio.
inline constexpr uint64_t kGolden = 0x9e3779b97f4a7c15;

/// Returns its finaliser: a permutation of 64 bits.
constexpr uint64_t Mix64(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

/// The generator (Steele, Lea and Flood, OOPSLA 2014). Its output is part of formats.
class SplitMix64 {
 public:
  constexpr explicit SplitMix64(uint64_t state) : state_(state) {}

  constexpr uint64_t Next() { return Mix64(state_ += kGolden); }

 private:
  uint64_t state_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_KERNELS_SPLITMIX_H_
