// The command line that does what a call of the library does.
#ifndef LOOKALIKE_API_COMMAND_TEXT_H_
#define LOOKALIKE_API_COMMAND_TEXT_H_

#include <span>
#include <string>

#include "lookalike/options.h"
#include "lookalike/options_table.h"

namespace lookalike {

/// Which options a command line shows. Those that have their default are always left out.
enum class ShownOptions {
  kBehaviour,  ///< Those that decide the result.
  kAll,        ///< And those of performance; never what is said on the way.
};

/// The command line as a shell takes it, inputs first. URIs of object stores come without
/// credentials and parameters.
std::string CommandText(Command command, std::span<const std::string> inputs,
                        const std::string& output, const Options& options, ShownOptions shown);

}  // namespace lookalike

#endif  // LOOKALIKE_API_COMMAND_TEXT_H_
