// "Did you mean ...?"
#ifndef LOOKALIKE_CLI_NEAREST_NAME_H_
#define LOOKALIKE_CLI_NEAREST_NAME_H_

#include <span>
#include <string>
#include <string_view>

namespace lookalike::cli {

/// The name most like `given` by edits of a character (insert, remove, change, swap neighbours),
/// leading dashes aside; empty when none is near enough to be meant.
std::string NearestName(std::string_view given, std::span<const std::string> names);

}  // namespace lookalike::cli

#endif  // LOOKALIKE_CLI_NEAREST_NAME_H_
