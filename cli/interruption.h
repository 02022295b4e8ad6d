// SIGINT and SIGTERM: the first asks a run to end, the second ends the process at once.
#ifndef LOOKALIKE_CLI_INTERRUPTION_H_
#define LOOKALIKE_CLI_INTERRUPTION_H_

namespace lookalike::cli {

/// Catches these signals from now on: the first one only makes IsInterrupted return true; the next
/// one has its default effect. A signal that the caller's environment ignores (nohup) stays
/// ignored.
void CatchInterruption();

/// True once one of these signals has arrived. Safe from any thread.
bool IsInterrupted();

}  // namespace lookalike::cli

#endif  // LOOKALIKE_CLI_INTERRUPTION_H_
