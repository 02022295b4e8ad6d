// One function per command: typed arguments -> library call -> output.
#ifndef LOOKALIKE_CLI_COMMANDS_H_
#define LOOKALIKE_CLI_COMMANDS_H_

#include "command_line.h"
#include "lookalike/status.h"

namespace lookalike::cli {

/// Exit codes of the command; part of its interface.
enum ExitCode : int {
  kDone = 0,
  kNothingFound = 1,  ///< pairs, nearest: no pair; compare: below a given threshold.
  kFailed = 2,        ///< Or interrupted. No output; existing files are unchanged.
  kPartlyDone = 3,    ///< Outputs complete, but records were rejected or inputs skipped.
};

/// Runs the request's command, writing results to standard output, progress and messages to
/// standard error. An Error means kFailed; the caller prints it.
Result<ExitCode> RunCommand(const Request& request);

}  // namespace lookalike::cli

#endif  // LOOKALIKE_CLI_COMMANDS_H_
