// Flags that take any number of values.
#ifndef LOOKALIKE_CLI_SPREAD_LISTS_H_
#define LOOKALIKE_CLI_SPREAD_LISTS_H_

#include <span>
#include <string>
#include <vector>

namespace lookalike::cli {

/// Returns the words with a separate flag for each value of a list: "--against A B" becomes
/// "--against=A --against=B". A list ends at the next flag or at "--". CLI11 could collect the
/// values, but it would read "[ab]", which is a pattern here, as a list.
std::vector<std::string> SpreadLists(std::span<const std::string> words,
                                     const std::vector<std::string>& lists);

}  // namespace lookalike::cli

#endif  // LOOKALIKE_CLI_SPREAD_LISTS_H_
