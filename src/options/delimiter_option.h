// The value of `--delimiter`, parsed: the separator between the fields of CSV.
#ifndef LOOKALIKE_OPTIONS_DELIMITER_OPTION_H_
#define LOOKALIKE_OPTIONS_DELIMITER_OPTION_H_

#include <optional>
#include <string_view>

namespace lookalike {

/// Parses one ASCII character other than a quote or line end, a name such as "tab", or "\t".
/// Returns zero for the empty text, which means that the delimiter is detected, and nothing if the
/// text is invalid.
std::optional<char> ParseDelimiter(std::string_view text);

}  // namespace lookalike

#endif  // LOOKALIKE_OPTIONS_DELIMITER_OPTION_H_
