// The text of --help, made from the options table.
#ifndef LOOKALIKE_CLI_HELP_H_
#define LOOKALIKE_CLI_HELP_H_

#include <string>

#include "lookalike/options_table.h"

namespace lookalike::cli {

/// What the command as a whole can do.
std::string GeneralHelp();

/// Usage, arguments, options with defaults, and an example of one command.
std::string CommandHelp(const CommandRow& command);

/// Every preset: its name, for whom it is, and its options.
std::string PresetsHelp();

}  // namespace lookalike::cli

#endif  // LOOKALIKE_CLI_HELP_H_
