// The only function from a document to what guards compare: hashes for the search, and tokens for
// people.
#ifndef LOOKALIKE_STAGES_GUARDS_GUARD_READER_H_
#define LOOKALIKE_STAGES_GUARDS_GUARD_READER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "stages/guards/guard_spec.h"
#include "stages/guards/pattern.h"
#include "stages/guards/token_list.h"

namespace lookalike {

/// The values of the fields of GuardSpec::fields; nullopt: missing.
using GuardFields = std::span<const std::optional<std::string_view>>;

/// Reads documents. Holds scratch memory; use one per thread.
class GuardReader {
 public:
  explicit GuardReader(const GuardSpec& spec);

  /// Appends the words of a document, GuardSpec::words() of them. If there are guards, the first is
  /// a hash of the multisets of all their tokens; the others are hashes of the fields of
  /// `not_same`. Equal values have equal words; different ones have equal words with a probability
  /// of 2^-64. A field beyond the end of `fields` is missing.
  void AppendWords(std::string_view text, GuardFields fields, std::vector<uint64_t>* words);

  /// Returns a number that is mixed into every feature of a document: a hash of the
  /// fields of `same`, or 0 if there are none.
  [[nodiscard]] uint64_t FeatureMask(GuardFields fields) const;

  /// Returns the tokens of a guard, in the order of the text. Valid until the next call.
  const TokenList& Tokens(size_t guard, std::string_view text, GuardFields fields);

 private:
  uint64_t HashTokens() const;

  GuardSpec spec_;
  std::vector<std::optional<Pattern>> patterns_;  // by guard
  TokenList tokens_;
};

/// The difference between two lists of tokens as multisets.
struct TokenDifference {
  std::vector<std::string> only_a, only_b;  ///< Sorted as bytes.

  [[nodiscard]] bool empty() const { return only_a.empty() && only_b.empty(); }
};
TokenDifference DifferenceOf(std::vector<std::string> a, std::vector<std::string> b);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_GUARDS_GUARD_READER_H_
