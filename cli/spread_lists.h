// Flags that take any number of values.
#ifndef LOOKALIKE_CLI_SPREAD_LISTS_H_
#define LOOKALIKE_CLI_SPREAD_LISTS_H_

#include <span>
#include <string>
#include <vector>

namespace lookalike::cli {

/// The words with each value of a list under a flag of its own: "--against A B" becomes
/// "--against=A --against=B". A list ends at the next flag or at "--". CLI11 could collect the
/// values, but would take "[ab]", which is a pattern here, for a list of its own.
std::vector<std::string> SpreadLists(std::span<const std::string> words,
                                     const std::vector<std::string>& lists);

}  // namespace lookalike::cli

#endif  // LOOKALIKE_CLI_SPREAD_LISTS_H_
