// SIGINT and SIGTERM: the first asks a run to end, the second ends the process at once.
#ifndef LOOKALIKE_CLI_INTERRUPTION_H_
#define LOOKALIKE_CLI_INTERRUPTION_H_

namespace lookalike::cli {

/// From here on the first of these signals only sets what IsInterrupted says; the next one does
/// what it does by default. A signal that the caller's environment ignores (nohup) stays ignored.
void CatchInterruption();

/// Whether one of them came. Safe from any thread.
bool IsInterrupted();

}  // namespace lookalike::cli

#endif  // LOOKALIKE_CLI_INTERRUPTION_H_
