// The table behind FoldWords: the fingerprint's normal form and words, code point by code point.
#ifndef LOOKALIKE_FINGERPRINT_UNICODE_FOLD_H_
#define LOOKALIKE_FINGERPRINT_UNICODE_FOLD_H_

#include "kernels/fold.h"

namespace lookalike {

/// Returns the table of NFKC_Casefold and of word classes, both of Unicode 14.0; shared by all
/// threads.
const FoldTable& UnicodeFold();

}  // namespace lookalike

#endif  // LOOKALIKE_FINGERPRINT_UNICODE_FOLD_H_
