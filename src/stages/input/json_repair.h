// Rewrites lines of JSON that a strict parser refuses so that it accepts them.
#ifndef LOOKALIKE_STAGES_INPUT_JSON_REPAIR_H_
#define LOOKALIKE_STAGES_INPUT_JSON_REPAIR_H_

#include <string>
#include <string_view>

namespace lookalike {

/// Returns `line` with every unpaired surrogate escape replaced by \ufffd.
std::string ReplaceLoneSurrogates(std::string_view line);

/// Returns `line` with every well-formed number outside strings, NaN and infinities replaced by 0:
/// the result fails to parse only if it is not JSON. (JSON sets no limit on numbers; machine types
/// do.)
std::string ReplaceNumbers(std::string_view line);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_INPUT_JSON_REPAIR_H_
