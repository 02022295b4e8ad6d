// The text of --help, made from the options table.
#ifndef LOOKALIKE_CLI_HELP_H_
#define LOOKALIKE_CLI_HELP_H_

#include <string>
#include <string_view>

#include "lookalike/options_table.h"

namespace lookalike::cli {

/// Returns the commands by group, the ways to more help, and the exit codes.
std::string GeneralHelp();

/// Returns one screen: usage, arguments, the options that matter most with their defaults, an
/// example.
std::string CommandHelp(const CommandRow& command);

/// Returns every argument and option of a command, by topic.
std::string FullCommandHelp(const CommandRow& command);

/// Returns the table of commands in README.md.
std::string CommandsMarkdown();

/// Returns the first sentence of a help text, with its full stop.
std::string_view FirstSentence(std::string_view help);

/// Returns every preset: its name, its intended use, and its options.
std::string PresetsHelp();

}  // namespace lookalike::cli

#endif  // LOOKALIKE_CLI_HELP_H_
