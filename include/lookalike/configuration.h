// Options from presets and configuration files; callers may set further options on top.
#ifndef LOOKALIKE_CONFIGURATION_H_
#define LOOKALIKE_CONFIGURATION_H_

#include <span>
#include <string>
#include <string_view>

#include "lookalike/options.h"
#include "lookalike/options_table.h"
#include "lookalike/status.h"

namespace lookalike {

/// A named set of options for one kind of use.
struct Preset {
  std::string_view name;     ///< "web".
  std::string_view purpose;  ///< The use that it suits, in one line.
  std::string_view text;     ///< The options, as a configuration file.
};

/// Returns all presets, in the order of help.
std::span<const Preset> Presets();

/// Returns the defaults, overridden by the preset, then by the configuration file. An empty name
/// means no preset or no file. A file may name its preset (`preset = "web"`); a non-empty `preset`
/// overrides it.
///
/// A file is TOML. Its top-level keys are option names (options_table.h) and apply to every command
/// that has the option; tables named for a command ([dedup], [pairs], ...) apply to that command
/// only and take precedence. A list is an array of strings; a size is a string or a number of
/// bytes. The error names the file, the line, the key and the values that it accepts. Every value
/// is checked, including those for other commands; the caller validates the combination
/// (Options::Validate) once its own options are set.
Result<Options> LoadOptions(Command command, std::string_view preset, const std::string& file);

/// Does what LoadOptions does, but takes the file's text instead of its path; `where` names it in
/// errors.
Result<Options> ResolveOptions(Command command, std::string_view preset, std::string_view text,
                               std::string_view where);

/// Runs options.Validate(); its error also says which of the named options came from `loaded`
/// (LoadOptions) instead of the caller. `preset` and `file` name what was loaded.
Status ValidateLoaded(const Options& options, const Options& loaded, std::string_view preset,
                      std::string_view file);

}  // namespace lookalike

#endif  // LOOKALIKE_CONFIGURATION_H_
