// Completion scripts for shells, made from the command's tables.
#ifndef LOOKALIKE_CLI_COMPLETIONS_H_
#define LOOKALIKE_CLI_COMPLETIONS_H_

#include <string>

namespace lookalike::cli {

/// Returns the script for bash, to be sourced, or installed as
/// bash-completion/completions/lookalike. Needs bash 4.4 and nothing else.
std::string BashCompletion();

/// Returns the script for zsh: a function _lookalike to be installed in a folder of fpath.
std::string ZshCompletion();

/// Returns the script for fish, to be installed as vendor_completions.d/lookalike.fish.
std::string FishCompletion();

}  // namespace lookalike::cli

#endif  // LOOKALIKE_CLI_COMPLETIONS_H_
