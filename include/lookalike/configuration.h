// Options from presets and from files, for those who give options by hand on top of them.
#ifndef LOOKALIKE_CONFIGURATION_H_
#define LOOKALIKE_CONFIGURATION_H_

#include <span>
#include <string>
#include <string_view>

#include "lookalike/options.h"
#include "lookalike/options_table.h"
#include "lookalike/status.h"

namespace lookalike {

/// Options for one use, under a name.
struct Preset {
  std::string_view name;     ///< "web".
  std::string_view purpose;  ///< For whom, in one line.
  std::string_view text;     ///< The options, as a configuration file.
};

/// All presets, in the order of help.
std::span<const Preset> Presets();

/// The defaults, changed by the preset, changed by the configuration file. An empty name means
/// none of its kind. A file may name its preset (`preset = "web"`); `preset` wins over that.
///
/// A file is TOML. Its keys are names of options (options_table.h) for all commands that have
/// them; tables named for a command ([dedup], [pairs], ...) hold what is for that command only,
/// and win. Lists take an array of strings, sizes a string or a number of bytes. The error names
/// the file, the line, the key and what it takes. Every value is checked, those for other commands
/// too; the caller validates the combination (Options::Validate) once its own options are set.
Result<Options> LoadOptions(Command command, std::string_view preset, const std::string& file);

/// LoadOptions with the file's text in place of the file; `where` is its name in errors.
Result<Options> ResolveOptions(Command command, std::string_view preset, std::string_view text,
                               std::string_view where);

/// options.Validate(), whose error says which of the options that it names were not given by hand,
/// but are `loaded` (LoadOptions). `preset` and `file` are those that were.
Status ValidateLoaded(const Options& options, const Options& loaded, std::string_view preset,
                      std::string_view file);

}  // namespace lookalike

#endif  // LOOKALIKE_CONFIGURATION_H_
