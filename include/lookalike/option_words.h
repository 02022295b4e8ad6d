// Names of options in other tools, mapped to ours.
#ifndef LOOKALIKE_OPTION_WORDS_H_
#define LOOKALIKE_OPTION_WORDS_H_

#include <span>
#include <string_view>

namespace lookalike {

/// A name used by other tools, or the literature, for something that has another name here.
struct OptionWord {
  std::string_view word;    ///< Without leading dashes, words joined by "-": "num-perm".
  std::string_view option;  ///< Name of the OptionRow, or "-o"; empty: there is no flag for it.
  std::string_view advice;  ///< Next step: "use --sketch permutations:N for N permutations".
};

/// Returns all rows, sorted by word.
std::span<const OptionWord> OptionWords();

/// Finds the row for a name as a user wrote it: with or without leading dashes, with "_" or "-", in
/// either case. Returns null if the name is unknown.
const OptionWord* FindOptionWord(std::string_view name);

}  // namespace lookalike

#endif  // LOOKALIKE_OPTION_WORDS_H_
