#include "options/refusals.h"

#include <fmt/format.h>

#include <algorithm>

namespace lookalike {

const OptionRow& RowOf(const OptionMember& member) {
  const auto table = OptionTable();
  return *std::find_if(table.begin(), table.end(),
                       [&](const OptionRow& row) { return row.member == member; });
}

tl::unexpected<Error> NotAllowed(const Options& options, const OptionMember& member) {
  const OptionRow& row = RowOf(member);
  return OptionError(fmt::format("$<{}='{}'> is not allowed; use {}", row.name,
                                 OptionText(row, options), row.takes));
}

Status RequireOption(bool good, const Options& options, const OptionMember& member) {
  return good ? Status() : Status(NotAllowed(options, member));
}

}  // namespace lookalike
