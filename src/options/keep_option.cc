#include "options/keep_option.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace lookalike {
namespace {

using By = KeepCriterion::By;

Result<KeepCriterion> ParseField(std::string_view rest) {
  KeepCriterion criterion;
  criterion.by = By::kField;
  criterion.descending = rest.ends_with(":desc");
  if (criterion.descending) {
    rest.remove_suffix(5);
  } else if (rest.ends_with(":asc")) {
    rest.remove_suffix(4);
  }
  if (rest.empty()) return OptionError("$<keep=field:> names no field; use field:NAME[:asc|desc]");
  criterion.field = rest;
  return criterion;
}

Result<KeepCriterion> ParseSources(std::string_view rest) {
  KeepCriterion criterion;
  criterion.by = By::kSource;
  while (!rest.empty()) {
    const size_t comma = std::min(rest.find(','), rest.size());
    if (comma > 0) criterion.sources.emplace_back(rest.substr(0, comma));
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  if (criterion.sources.empty()) {
    return OptionError(
        "$<keep=source:> names no input; use source:A,B with input names, best first");
  }
  return criterion;
}

Result<KeepCriterion> ParseWord(std::string_view text) {
  KeepCriterion criterion;
  if (text == "first") return criterion;
  if (text == "longest" || text == "shortest") {
    criterion.by = text == "longest" ? By::kLongest : By::kShortest;
    return criterion;
  }
  if (text.starts_with("field:")) return ParseField(text.substr(6));
  if (text.starts_with("source:")) return ParseSources(text.substr(7));
  return OptionError("$<keep='" + std::string(text) +
                     "'> is not understood; use first, longest, shortest, field:NAME[:asc|desc] or "
                     "source:A,B");
}

bool IsOfLength(const KeepCriterion& criterion) {
  return criterion.by == By::kLongest || criterion.by == By::kShortest;
}

/// True if documents that are equal by `earlier` are also equal by `later`.
bool ComparesTheSame(const KeepCriterion& earlier, const KeepCriterion& later) {
  if (IsOfLength(earlier)) return IsOfLength(later);
  return earlier.by == later.by && earlier.field == later.field && earlier.sources == later.sources;
}

/// Refuses a criterion that can never decide after the criteria before it.
Status CheckDecides(std::span<const KeepCriterion> before, const KeepCriterion& last) {
  for (const KeepCriterion& earlier : before) {
    if (earlier.by == By::kFirst) {
      return OptionError(
          fmt::format("$<keep=first> must come last, because it decides every tie: {} after it "
                      "would never decide; put first last, or leave it out",
                      last.text));
    }
    if (!ComparesTheSame(earlier, last)) continue;
    if (earlier.text == last.text) {
      return OptionError(fmt::format("$<keep={}> is given twice; pass it once", last.text));
    }
    return OptionError(
        fmt::format("$<keep={}> compares the same as {} before it, and would never "
                    "decide; leave one of the two out",
                    last.text, earlier.text));
  }
  return {};
}

}  // namespace

std::vector<std::string> KeepPolicy::Fields() const {
  std::vector<std::string> fields;
  for (const KeepCriterion& criterion : criteria) {
    if (criterion.by == By::kField) fields.push_back(criterion.field);
  }
  return fields;
}

size_t KeepPolicy::CountValues() const {
  return static_cast<size_t>(std::ranges::count_if(criteria, &KeepCriterion::IsOfValues));
}

Result<KeepCriterion> ParseKeepCriterion(std::string_view text) {
  LOOKALIKE_ASSIGN_OR_RETURN(KeepCriterion criterion, ParseWord(text));
  criterion.text = text;
  return criterion;
}

Result<KeepPolicy> ParseKeepPolicy(std::span<const std::string> texts) {
  if (texts.size() > kMostKeepCriteria) {
    return OptionError(
        fmt::format("$<keep> has {} criteria; use at most {}, the most important "
                    "ones first",
                    texts.size(), kMostKeepCriteria));
  }
  KeepPolicy policy;
  for (const std::string& text : texts) {
    LOOKALIKE_ASSIGN_OR_RETURN(KeepCriterion criterion, ParseKeepCriterion(text));
    LOOKALIKE_RETURN_IF_ERROR(CheckDecides(policy.criteria, criterion));
    policy.criteria.push_back(std::move(criterion));
  }
  if (!texts.empty() && policy.criteria.back().by == By::kFirst) policy.criteria.pop_back();
  return policy;
}

}  // namespace lookalike
