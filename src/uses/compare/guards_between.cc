#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "lookalike/guards.h"
#include "stages/guards/guard_reader.h"
#include "stages/guards/guard_spec.h"

namespace lookalike {
namespace {

std::vector<std::string> TokensOf(std::string_view text, size_t guard, GuardReader* reader) {
  const TokenList& tokens = reader->Tokens(guard, text, {});
  std::vector<std::string> all;
  all.reserve(tokens.size());
  for (size_t i = 0; i < tokens.size(); ++i) all.emplace_back(tokens[i]);
  return all;
}

}  // namespace

Result<std::vector<GuardDifference>> GuardsBetween(std::string_view a, std::string_view b,
                                                   const std::vector<std::string>& guards) {
  LOOKALIKE_ASSIGN_OR_RETURN(const GuardSpec spec, ParseGuards(guards, {}, {}));
  if (!spec.fields.empty()) {
    return UsageError("$<differ=" + spec.fields.front() +
                      "> compares a field, and two texts have none; use numbers, dates or "
                      "regex:EXPRESSION");
  }
  GuardReader reader(spec);
  std::vector<GuardDifference> found;
  for (size_t guard = 0; guard < spec.differ.size(); ++guard) {
    TokenDifference difference =
        DifferenceOf(TokensOf(a, guard, &reader), TokensOf(b, guard, &reader));
    if (difference.empty()) continue;
    found.push_back(
        {spec.differ[guard].name, std::move(difference.only_a), std::move(difference.only_b)});
  }
  return found;
}

}  // namespace lookalike
