// Messages of the library in words of the command.
#ifndef LOOKALIKE_CLI_FLAG_WORDS_H_
#define LOOKALIKE_CLI_FLAG_WORDS_H_

#include <string>
#include <string_view>

namespace lookalike::cli {

/// Returns the message with flags for its marks: `--method exact` for $<method=exact>.
std::string InFlags(std::string_view message);

}  // namespace lookalike::cli

#endif  // LOOKALIKE_CLI_FLAG_WORDS_H_
