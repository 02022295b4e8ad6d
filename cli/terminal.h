// The terminal that the command writes to.
#ifndef LOOKALIKE_CLI_TERMINAL_H_
#define LOOKALIKE_CLI_TERMINAL_H_

#include <cstdio>
#include <string>
#include <string_view>

#include "lookalike/status.h"

namespace lookalike::cli {

/// True if the stream is a terminal.
bool IsTerminal(std::FILE* stream);

/// True if colour may be used: the stream is a terminal, and neither NO_COLOR nor TERM=dumb is set.
bool HasColour(std::FILE* stream);

/// Returns the number of columns; 100 if it is not a terminal.
size_t TerminalWidth(std::FILE* stream);

/// Opens the standard streams that the caller closed, in a way that makes using them an error.
/// Otherwise the first file to be opened would take the place of standard output.
void ReserveStandardStreams();

/// Writes to standard output, bypassing its buffer. Returns an Error if that fails, even if the
/// reader has gone away (SIGPIPE does not end the process). REQUIRES: an empty buffer.
Status WriteOut(std::string_view text);

/// Writes to standard error. Failures are ignored: there is nowhere left to report them.
void Say(std::string_view text);

/// Returns `text` as one line that cannot control a terminal: control characters become blanks.
std::string OneLine(std::string_view text);

}  // namespace lookalike::cli

#endif  // LOOKALIKE_CLI_TERMINAL_H_
