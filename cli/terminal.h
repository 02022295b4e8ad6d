// What the command knows about the terminal it talks to.
#ifndef LOOKALIKE_CLI_TERMINAL_H_
#define LOOKALIKE_CLI_TERMINAL_H_

#include <cstdio>
#include <string>
#include <string_view>

#include "lookalike/status.h"

namespace lookalike::cli {

/// Whether a person watches this stream.
bool IsTerminal(std::FILE* stream);

/// Whether colour may be used on it: a terminal, and neither NO_COLOR nor TERM=dumb is set.
bool HasColour(std::FILE* stream);

/// Its columns; 100 where there is no terminal.
size_t TerminalWidth(std::FILE* stream);

/// Opens those of the standard streams that the caller closed so that using them is an error.
/// Without this the first file that is opened would take the place of standard output.
void ReserveStandardStreams();

/// Writes to standard output, past its buffer; an Error when that cannot be done. A reader that
/// went away is such a case, and does not end the process here. REQUIRES: nothing in the buffer.
Status WriteOut(std::string_view text);

/// Writes to standard error. What cannot be written there is lost: there is nowhere to say so.
void Say(std::string_view text);

/// `text` as one line that cannot steer a terminal: control characters become blanks.
std::string OneLine(std::string_view text);

}  // namespace lookalike::cli

#endif  // LOOKALIKE_CLI_TERMINAL_H_
