// The value of `--delimiter`, parsed: what stands between the fields of CSV.
#ifndef LOOKALIKE_OPTIONS_DELIMITER_OPTION_H_
#define LOOKALIKE_OPTIONS_DELIMITER_OPTION_H_

#include <optional>
#include <string_view>

namespace lookalike {

/// One character of ASCII other than a quote or line end, a name such as "tab", or "\t". Zero for
/// the empty text: it is to be found. Nothing where the text is none of these.
std::optional<char> ParseDelimiter(std::string_view text);

}  // namespace lookalike

#endif  // LOOKALIKE_OPTIONS_DELIMITER_OPTION_H_
