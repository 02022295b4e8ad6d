// The dates of a text, as tokens.
#ifndef LOOKALIKE_STAGES_GUARDS_DATE_TOKENS_H_
#define LOOKALIKE_STAGES_GUARDS_DATE_TOKENS_H_

#include <string_view>

#include "stages/guards/token_list.h"

namespace lookalike {

/// Appends the dates of a text, in order. A date has a year of four digits, and is written in
/// western digits in one of these forms:
///
///   2021-05-03, 2021/5/3, 2021.05.03, and 2021年5月3日
///   3 May 2021, 3rd of May 2021, 3. Mai 2021, 3-May-2021, 3 de mayo de 2021
///   May 3, 2021, May 3rd 2021
///   3.5.2021, 3. 5. 2021, 05/03/2021, 3-5-2021
///
/// with the names of months in English (also abbreviated), Dutch, French, German, Italian,
/// Portuguese and Spanish. A date whose day and month are certain is the token 2021-05-03. In the
/// last form they are certain if they are equal or one of them is above 12; otherwise the token is
/// as it is written, without leading zeros and spaces: 5/3/2021.
void FindDates(std::string_view text, TokenList* tokens);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_GUARDS_DATE_TOKENS_H_
