#include "options/keep_option.h"

#include <algorithm>

namespace lookalike {
namespace {

Result<KeepOption> ParseField(std::string_view rest) {
  KeepOption order;
  order.by = KeepOption::By::kField;
  order.descending = rest.ends_with(":desc");
  if (order.descending) {
    rest.remove_suffix(5);
  } else if (rest.ends_with(":asc")) {
    rest.remove_suffix(4);
  }
  if (rest.empty()) return OptionError("$<keep=field:> names no field; use field:NAME[:asc|desc]");
  order.field = rest;
  return order;
}

Result<KeepOption> ParseSources(std::string_view rest) {
  KeepOption order;
  order.by = KeepOption::By::kSource;
  while (!rest.empty()) {
    const size_t comma = std::min(rest.find(','), rest.size());
    if (comma > 0) order.sources.emplace_back(rest.substr(0, comma));
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  if (order.sources.empty()) {
    return OptionError(
        "$<keep=source:> names no input; use source:A,B with input names, best first");
  }
  return order;
}

}  // namespace

Result<KeepOption> ParseKeepOption(std::string_view text) {
  KeepOption order;
  if (text == "first") return order;
  if (text == "longest" || text == "shortest") {
    order.by = text == "longest" ? KeepOption::By::kLongest : KeepOption::By::kShortest;
    return order;
  }
  if (text.starts_with("field:")) return ParseField(text.substr(6));
  if (text.starts_with("source:")) return ParseSources(text.substr(7));
  return OptionError("$<keep='" + std::string(text) +
                     "'> is not understood; use first, longest, shortest, field:NAME[:asc|desc] or "
                     "source:A,B");
}

}  // namespace lookalike
