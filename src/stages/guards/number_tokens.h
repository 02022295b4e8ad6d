// The numbers of a text, as tokens.
#ifndef LOOKALIKE_STAGES_GUARDS_NUMBER_TOKENS_H_
#define LOOKALIKE_STAGES_GUARDS_NUMBER_TOKENS_H_

#include <cstddef>
#include <string_view>

#include "stages/guards/token_list.h"

namespace lookalike {

/// Returns the position, from `from` on, of the first byte that is an ASCII digit or not ASCII; the
/// length of the text if there is none.
size_t SkipToDigit(std::string_view text, size_t from);

/// Appends the numbers of a text, in order. A number is a longest run of decimal digits of any
/// script, written as ASCII digits, together with single separators between two digits: a point, a
/// comma, an apostrophe or their Arabic, typographic and full-width forms, written as ASCII as
/// well. Nothing else is changed: 1,000 and 1000, or 007 and 7, are different numbers, and signs
/// are not part of them. Digits within words count too: AB-1234 has the number 1234.
void FindNumbers(std::string_view text, TokenList* tokens);

/// Appends the text to `masked` with each of its numbers written as 0, so that texts that differ in
/// nothing else become equal.
void MaskNumbers(std::string_view text, std::string* masked);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_GUARDS_NUMBER_TOKENS_H_
