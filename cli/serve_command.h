// `lookalike serve` and `lookalike mcp`.
#ifndef LOOKALIKE_CLI_SERVE_COMMAND_H_
#define LOOKALIKE_CLI_SERVE_COMMAND_H_

#include "command_line.h"
#include "commands.h"
#include "lookalike/status.h"

namespace lookalike::cli {

/// Serves an index until the process is asked to end.
Result<ExitCode> RunServe(const Request& request);

/// Answers the messages on standard input until it ends.
Result<ExitCode> RunMcp(const Request& request);

}  // namespace lookalike::cli

#endif  // LOOKALIKE_CLI_SERVE_COMMAND_H_
