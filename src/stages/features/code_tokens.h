// Tokens of source code.
#ifndef LOOKALIKE_STAGES_FEATURES_CODE_TOKENS_H_
#define LOOKALIKE_STAGES_FEATURES_CODE_TOKENS_H_

#include <string_view>
#include <vector>

#include "stages/features/words.h"

namespace lookalike {

/// Finds the units of code:N shingles: the words of FindWords, which are identifiers, keywords and
/// numbers, and every other code point that is not white space as its own unit. With words alone,
/// `a+b` and `a-b` would be copies. REQUIRES: as FindWords.
void FindCodeTokens(std::string_view normalized, std::vector<ByteSpan>* tokens);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_FEATURES_CODE_TOKENS_H_
