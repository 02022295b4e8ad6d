#include "kernels/long_word.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace lookalike {

uint64_t HashLongWord(const char* word, size_t length) {
  return XXH3_64bits_withSeed(word, length, kWord0);
}

}  // namespace lookalike
