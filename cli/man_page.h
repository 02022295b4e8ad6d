// The manual page of the command, made from its tables.
#ifndef LOOKALIKE_CLI_MAN_PAGE_H_
#define LOOKALIKE_CLI_MAN_PAGE_H_

#include <string>

namespace lookalike::cli {

/// Returns lookalike.1, in the man macros of roff.
std::string ManPage();

}  // namespace lookalike::cli

#endif  // LOOKALIKE_CLI_MAN_PAGE_H_
