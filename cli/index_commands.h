// The actions of `lookalike index`.
#ifndef LOOKALIKE_CLI_INDEX_COMMANDS_H_
#define LOOKALIKE_CLI_INDEX_COMMANDS_H_

#include "command_line.h"
#include "commands.h"
#include "lookalike/status.h"

namespace lookalike::cli {

/// Runs `index ACTION DIR ...`.
Result<ExitCode> RunIndex(const Request& request);

}  // namespace lookalike::cli

#endif  // LOOKALIKE_CLI_INDEX_COMMANDS_H_
