// Hashes of runs of words as they are read, to confirm that runs found by other hashes are equal.
#ifndef LOOKALIKE_USES_PASSAGES_WORD_HASH_H_
#define LOOKALIKE_USES_PASSAGES_WORD_HASH_H_

#include <cstdint>
#include <span>
#include <vector>

#include "fingerprint/feature_extractor.h"
#include "lookalike/status.h"
#include "results/unit_text.h"

namespace lookalike {

/// Returns a hash of each word as it is normalised.
inline std::vector<uint64_t> HashesOfWords(const UnitText& text) {
  std::vector<uint64_t> hashes;
  hashes.reserve(text.units.size());
  for (const UnitText::Unit& word : text.units) hashes.push_back(HashText(word.value));
  return hashes;
}

/// Returns the hash of some words, one after the other.
inline uint64_t HashRun(std::span<const uint64_t> words) {
  return HashText({reinterpret_cast<const char*>(words.data()), words.size_bytes()});
}

/// Returns the Error for two runs that were taken for equal and are not.
inline Failure NotEqualAfterAll() {
  return BugError("two runs of different words have the same hashes; please report this");
}

/// Returns the Error for a run of words that a document does not have any more.
inline Failure HasChanged() {
  return InputError("an input has changed while it was read; run again");
}

}  // namespace lookalike

#endif  // LOOKALIKE_USES_PASSAGES_WORD_HASH_H_
