// "Did you mean ...?"
#ifndef LOOKALIKE_CLI_NEAREST_NAME_H_
#define LOOKALIKE_CLI_NEAREST_NAME_H_

#include <span>
#include <string>
#include <string_view>

namespace lookalike::cli {

/// Returns the name closest to `given` in single-character edits (insert, remove, change, swap
/// neighbours), ignoring leading dashes; empty if none is close enough to be meant.
std::string NearestName(std::string_view given, std::span<const std::string> names);

}  // namespace lookalike::cli

#endif  // LOOKALIKE_CLI_NEAREST_NAME_H_
