// Hashes of runs of words as they are read, to confirm that runs found by other hashes are equal.
#ifndef LOOKALIKE_USES_PASSAGES_WORD_HASH_H_
#define LOOKALIKE_USES_PASSAGES_WORD_HASH_H_

#include <cstdint>
#include <span>
#include <string>

#include "fingerprint/feature_extractor.h"
#include "lookalike/status.h"
#include "results/unit_text.h"

namespace lookalike {

/// Returns the hash of the normalised words, one after the other.
inline uint64_t HashWords(std::span<const UnitText::Unit> words) {
  std::string text;
  for (const UnitText::Unit& word : words) {
    text += word.value;
    text += '\n';
  }
  return HashText(text);
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
