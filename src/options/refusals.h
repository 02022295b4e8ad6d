// The errors that refuse the value of an option, worded in one place.
#ifndef LOOKALIKE_OPTIONS_REFUSALS_H_
#define LOOKALIKE_OPTIONS_REFUSALS_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "lookalike/options.h"
#include "lookalike/options_table.h"
#include "lookalike/status.h"

namespace lookalike {

/// Returns the row of the options table that describes a member.
const OptionRow& RowOf(const OptionMember& member);

/// Returns the Error for a value that the option does not take; it lists the values that it takes.
tl::unexpected<Error> NotAllowed(const Options& options, const OptionMember& member);

/// Returns NotAllowed(options, member) unless `good`.
Status RequireOption(bool good, const Options& options, const OptionMember& member);

/// Returns the value that the option's text names in a list of (text, value).
template <class Value, size_t kSize>
Result<Value> Choose(const Options& options, std::string Options::*member,
                     const std::pair<std::string_view, Value> (&known)[kSize]) {
  for (const auto& [text, value] : known) {
    if (text == options.*member) return value;
  }
  return NotAllowed(options, member);
}

}  // namespace lookalike

#endif  // LOOKALIKE_OPTIONS_REFUSALS_H_
