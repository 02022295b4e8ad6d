// What options of other tools are called here.
#ifndef LOOKALIKE_OPTION_WORDS_H_
#define LOOKALIKE_OPTION_WORDS_H_

#include <span>
#include <string_view>

namespace lookalike {

/// A name that other tools, or the literature, give to something that has another name here.
struct OptionWord {
  std::string_view word;    ///< Without leading dashes, words joined by "-": "num-perm".
  std::string_view option;  ///< Name of the OptionRow; "-o"; empty: no flag at all.
  std::string_view advice;  ///< What to do: "use --sketch permutations:N for N permutations".
};

/// All of them, sorted by word.
std::span<const OptionWord> OptionWords();

/// The row of a name as a user wrote it: with or without leading dashes, with "_" or "-", in
/// either case. Null: the name is not known.
const OptionWord* FindOptionWord(std::string_view name);

}  // namespace lookalike

#endif  // LOOKALIKE_OPTION_WORDS_H_
