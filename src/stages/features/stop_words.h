// Stop words: the frequent short words that fill prose but not menus and advertisements.
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

/// Returns the names of the lists, for messages: "da, de, en, ...".
std::string StopWordLists();

/// A set of stop words. Immutable.
class StopWords {
 public:
  /// Returns the list of a language ("en"), or "short": every word of at most three code points.
  /// Lists are made at first use and kept.
  static Result<std::shared_ptr<const StopWords>> Named(std::string_view name);

  /// Makes a user's own list, one word per line; empty lines and lines that begin with # are
  /// skipped. REQUIRES: the words are in NFKC_Casefold form.
  static StopWords OfLines(std::string_view lines);

  /// True if a word in NFKC_Casefold form is a stop word.
  [[nodiscard]] bool Has(std::string_view word) const;

  /// Returns the number of listed words; 0 for "short".
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
