// The command line equivalent to a call of the library.
#ifndef LOOKALIKE_RESULTS_COMMAND_TEXT_H_
#define LOOKALIKE_RESULTS_COMMAND_TEXT_H_

#include <span>
#include <string>
#include <string_view>

#include "lookalike/options.h"
#include "lookalike/options_table.h"

namespace lookalike {

/// The options that a command line shows. Options at their defaults are always left out.
enum class ShownOptions {
  kBehaviour,  ///< Options that affect the result.
  kAll,        ///< Performance options too, but never those about messages.
};

/// Returns the flag of an option: "--threads".
std::string FlagOf(std::string_view option);

/// Returns the command line, quoted for a shell, inputs first. Object-store URIs are given without
/// credentials and parameters.
std::string CommandText(Command command, std::span<const std::string> inputs,
                        const std::string& output, const Options& options, ShownOptions shown);

}  // namespace lookalike

#endif  // LOOKALIKE_RESULTS_COMMAND_TEXT_H_
