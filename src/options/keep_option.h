// The values of `--keep`, parsed: the criteria by which one document of a group is kept.
#ifndef LOOKALIKE_OPTIONS_KEEP_OPTION_H_
#define LOOKALIKE_OPTIONS_KEEP_OPTION_H_

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lookalike/status.h"

namespace lookalike {

/// A criterion: what is compared of two documents.
struct KeepCriterion {
  enum class By { kFirst, kLongest, kShortest, kField, kSource };
  By by = By::kFirst;
  std::string field = {};                 ///< For kField: dotted path.
  bool descending = false;                ///< For kField.
  std::vector<std::string> sources = {};  ///< For kSource: input names, best first.
  std::string text = {};                  ///< As it was given.

  /// True if it compares a value that each document has in itself: its length, or a field.
  [[nodiscard]] bool IsOfValues() const { return by != By::kFirst && by != By::kSource; }
};

/// The largest number of criteria.
inline constexpr size_t kMostKeepCriteria = 8;

/// The parsed option: criteria in order. The first that tells two documents apart decides which of
/// them is kept; without any, or if none does, input order decides.
struct KeepPolicy {
  std::vector<KeepCriterion> criteria;  ///< Without `first`, which adds nothing.

  /// True if ranks are document numbers.
  [[nodiscard]] bool IsFirst() const { return criteria.empty(); }

  /// Returns the fields that are compared, in order.
  [[nodiscard]] std::vector<std::string> Fields() const;

  /// Returns the number of criteria that compare values (KeepCriterion::IsOfValues).
  [[nodiscard]] size_t CountValues() const;
};

/// Parses "first", "longest", "shortest", "field:NAME[:asc|desc]", "source:A,B,...".
Result<KeepCriterion> ParseKeepCriterion(std::string_view text);

/// Parses criteria in order. An Error if one can never decide, because an earlier one compares the
/// same, or because it follows `first`.
Result<KeepPolicy> ParseKeepPolicy(std::span<const std::string> texts);

}  // namespace lookalike

#endif  // LOOKALIKE_OPTIONS_KEEP_OPTION_H_
