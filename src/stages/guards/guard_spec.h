// The guards of a run, parsed: what two documents must not differ in to be near-duplicates.
#ifndef LOOKALIKE_STAGES_GUARDS_GUARD_SPEC_H_
#define LOOKALIKE_STAGES_GUARDS_GUARD_SPEC_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "lookalike/status.h"

namespace lookalike {

/// One guard. Each document has a multiset of tokens for it, and two documents whose multisets
/// differ are not near-duplicates.
struct Guard {
  enum class Kind {
    kNumbers,  ///< The numbers of the text (number_tokens.h).
    kDates,    ///< The dates of the text (date_tokens.h).
    kField,    ///< The value of a field, if the record has it.
    kRegex,    ///< The matches of a regular expression in the text (pattern.h).
  };
  Kind kind = Kind::kNumbers;
  std::string name;      ///< The option's value: "numbers", "lang", "regex:[A-Z]+-[0-9]+".
  std::string argument;  ///< For kField its dotted path, for kRegex the expression.
  size_t field = 0;      ///< For kField: the position of the path in GuardSpec::fields.
};

/// All conditions on the pairs of a run besides their resemblance.
struct GuardSpec {
  std::vector<Guard> differ;
  /// The paths of all fields that are read, each once. Those of `same` and `not_same` are given by
  /// their positions here.
  std::vector<std::string> fields;
  std::vector<size_t> same, not_same;

  [[nodiscard]] bool any() const { return !differ.empty() || !same.empty() || !not_same.empty(); }

  /// True if documents need words that pairs are tested by (PairGuards).
  [[nodiscard]] bool has_words() const { return words() != 0; }

  /// Returns the number of words of a document: one for all guards, and one for each field of
  /// `not_same`. (`same` needs none: it makes the features of other values other features.)
  [[nodiscard]] size_t words() const { return (differ.empty() ? 0 : 1) + not_same.size(); }
};

/// Reads the values of --differ, --same and --not-same. An Error names the option and what is wrong
/// with its value.
Result<GuardSpec> ParseGuards(const std::vector<std::string>& differ,
                              const std::vector<std::string>& same,
                              const std::vector<std::string>& not_same);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_GUARDS_GUARD_SPEC_H_
