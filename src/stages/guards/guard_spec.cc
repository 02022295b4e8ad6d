#include "stages/guards/guard_spec.h"

#include <algorithm>

#include "stages/guards/pattern.h"

namespace lookalike {
namespace {

/// Returns the position of a field's path in the list, to which it is added if it is new.
size_t PositionOf(const std::string& path, std::vector<std::string>* fields) {
  const auto at = std::find(fields->begin(), fields->end(), path);
  const auto position = static_cast<size_t>(at - fields->begin());
  if (at == fields->end()) fields->push_back(path);
  return position;
}

Result<Guard> ParseGuard(const std::string& value, std::vector<std::string>* fields) {
  constexpr std::string_view kRegexMark = "regex:";
  Guard guard;
  guard.name = value;
  if (value == "numbers") return guard;
  if (value == "dates") {
    guard.kind = Guard::Kind::kDates;
    return guard;
  }
  if (value.starts_with(kRegexMark)) {
    guard.kind = Guard::Kind::kRegex;
    guard.argument = value.substr(kRegexMark.size());
    const std::string problem = ProblemOfPattern(guard.argument);
    if (problem.empty()) return guard;
    return OptionError("$<differ='" + value + "'>: " + problem);
  }
  if (value.empty()) {
    return OptionError(
        "$<differ=> names nothing; use numbers, dates, regex:EXPRESSION or a field's name");
  }
  guard.kind = Guard::Kind::kField;
  guard.argument = value;
  guard.field = PositionOf(value, fields);
  return guard;
}

Result<std::vector<size_t>> ParseFields(const std::vector<std::string>& paths, const char* option,
                                        std::vector<std::string>* fields) {
  std::vector<size_t> positions;
  for (const std::string& path : paths) {
    if (path.empty()) {
      return OptionError(std::string("$<") + option + "=> names no field; use a field's name");
    }
    positions.push_back(PositionOf(path, fields));
  }
  return positions;
}

/// Returns the first field that is in both lists; empty if there is none.
std::string FieldInBoth(const std::vector<std::string>& one,
                        const std::vector<std::string>& other) {
  const auto at = std::find_if(one.begin(), one.end(), [&](const std::string& path) {
    return std::find(other.begin(), other.end(), path) != other.end();
  });
  return at == one.end() ? std::string() : *at;
}

}  // namespace

Result<GuardSpec> ParseGuards(const std::vector<std::string>& differ,
                              const std::vector<std::string>& same,
                              const std::vector<std::string>& not_same) {
  GuardSpec spec;
  for (const std::string& value : differ) {
    LOOKALIKE_ASSIGN_OR_RETURN(Guard guard, ParseGuard(value, &spec.fields));
    spec.differ.push_back(std::move(guard));
  }
  LOOKALIKE_ASSIGN_OR_RETURN(spec.same, ParseFields(same, "same", &spec.fields));
  LOOKALIKE_ASSIGN_OR_RETURN(spec.not_same, ParseFields(not_same, "not-same", &spec.fields));
  std::string both = FieldInBoth(not_same, same);
  if (both.empty()) both = FieldInBoth(not_same, differ);
  if (both.empty()) return spec;
  return OptionError("$<not-same=" + both +
                     "> cannot be combined with $<same> or $<differ> of the same field, because no "
                     "pair could fulfil both; leave one of them out");
}

}  // namespace lookalike
