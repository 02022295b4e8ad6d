// Stop words: the frequent short words that prose is full of, and menus and advertisements are not.
#ifndef LOOKALIKE_STAGES_FEATURES_STOP_WORDS_H_
#define LOOKALIKE_STAGES_FEATURES_STOP_WORDS_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>

#include "lookalike/status.h"

namespace lookalike {

/// Names of the lists, for messages: "da, de, en, ...".
std::string StopWordLists();

/// Which words are stop words. Immutable.
class StopWords {
 public:
  /// The list of a language ("en"), or "short": every word of at most three code points.
  /// Made at first use and kept.
  static Result<std::shared_ptr<const StopWords>> Named(std::string_view name);

  /// A list of one's own, a word a line; empty lines and those that begin with # are none.
  /// REQUIRES: the words are in NFKC_Casefold form.
  static StopWords OfLines(std::string_view lines);

  /// Whether a word, in NFKC_Casefold form, is one.
  [[nodiscard]] bool Has(std::string_view word) const;

  /// How many words are listed; 0 for "short".
  [[nodiscard]] size_t size() const { return words_.size(); }

 private:
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  std::unordered_set<std::string, Hash, std::equal_to<>> words_;
  uint32_t longest_short_ = 0;  // in code points; 0: lengths do not matter
};

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_FEATURES_STOP_WORDS_H_
