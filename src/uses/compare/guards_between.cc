#include <cstddef>
#include <string>
#include <vector>

#include "lookalike/guards.h"
#include "results/guard_differences.h"
#include "stages/guards/guard_reader.h"
#include "stages/guards/guard_spec.h"

namespace lookalike {
namespace {

std::string TokensOf(std::string_view text, const GuardSpec& spec, GuardReader* reader) {
  std::string tokens;
  for (size_t guard = 0; guard < spec.differ.size(); ++guard) {
    StoredTokens::Append(reader->Tokens(guard, text, {}), &tokens);
  }
  return tokens;
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
  const std::string tokens_a = TokensOf(a, spec, &reader), tokens_b = TokensOf(b, spec, &reader);
  StoredTokens of_a(tokens_a), of_b(tokens_b);
  return DifferencesOf(spec, &of_a, &of_b);
}

}  // namespace lookalike
