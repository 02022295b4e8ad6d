// The text of --help, made from the options table.
#ifndef LOOKALIKE_CLI_HELP_H_
#define LOOKALIKE_CLI_HELP_H_

#include <string>

#include "lookalike/options_table.h"

namespace lookalike::cli {

/// Returns the help of the command as a whole.
std::string GeneralHelp();

/// Returns usage, arguments, options with defaults, and an example of one command.
std::string CommandHelp(const CommandRow& command);

/// Returns every preset: its name, who it is for, and its options.
std::string PresetsHelp();

}  // namespace lookalike::cli

#endif  // LOOKALIKE_CLI_HELP_H_
