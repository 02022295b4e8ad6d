// The hash of a word: its constants, and the part of it that is not worth computing in vectors.
#ifndef LOOKALIKE_KERNELS_LONG_WORD_H_
#define LOOKALIKE_KERNELS_LONG_WORD_H_

#include <cstddef>
#include <cstdint>

namespace lookalike {

// Odd 64-bit constants without structure (from the digits of sqrt(2) and sqrt(3), made odd).
constexpr uint64_t kWord0 = 0x2d358dccaa6c78a5ULL;
constexpr uint64_t kWord1 = 0x8bb84b93962eacc9ULL;
constexpr uint64_t kWord2 = 0x4b33a62ed433d4a3ULL;

/// Words up to this many bytes are hashed from two 64-bit numbers.
constexpr size_t kShortWord = 16;

/// Returns the hash of a word of more than kShortWord bytes.
uint64_t HashLongWord(const char* word, size_t length);

}  // namespace lookalike

#endif  // LOOKALIKE_KERNELS_LONG_WORD_H_
