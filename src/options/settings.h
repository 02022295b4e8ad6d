// The settings of a run, and the options that do not apply to them.
#ifndef LOOKALIKE_OPTIONS_SETTINGS_H_
#define LOOKALIKE_OPTIONS_SETTINGS_H_

#include "fingerprint/feature_spec.h"
#include "lookalike/options.h"
#include "lookalike/status.h"
#include "options/choices.h"

namespace lookalike {

/// Checks that every option with a value other than its default applies to the settings, as its row
/// of the options table says. The Error names the option, the option that made the setting, and the
/// settings that the first option applies to. A value of "off" asks for nothing, and always passes.
Status CheckApplies(const Options& options, const Choices& choices, const ShingleSpec& shingle);

}  // namespace lookalike

#endif  // LOOKALIKE_OPTIONS_SETTINGS_H_
