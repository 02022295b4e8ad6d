// Lines of JSON that a strict parser refuses, rewritten so that it takes them.
#ifndef LOOKALIKE_STAGES_INPUT_JSON_REPAIR_H_
#define LOOKALIKE_STAGES_INPUT_JSON_REPAIR_H_

#include <string>
#include <string_view>

namespace lookalike {

/// `line` with every surrogate escape that has no partner replaced by \ufffd.
std::string ReplaceLoneSurrogates(std::string_view line);

/// `line` with every well-formed number outside of strings replaced by 0, and so NaN and
/// infinities: what is left fails to parse only if it is not JSON. (JSON bounds no number; machine
/// types do.)
std::string ReplaceNumbers(std::string_view line);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_INPUT_JSON_REPAIR_H_
