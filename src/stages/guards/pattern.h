// Regular expressions over texts, by ICU, with a bound on the work for a text.
#ifndef LOOKALIKE_STAGES_GUARDS_PATTERN_H_
#define LOOKALIKE_STAGES_GUARDS_PATTERN_H_

#include <memory>
#include <string>
#include <string_view>

#include "stages/guards/token_list.h"

namespace lookalike {

/// Returns what is wrong with a regular expression, and where; empty if it can be used.
std::string ProblemOfPattern(std::string_view expression);

/// A compiled regular expression. Holds scratch memory; use one per thread.
class Pattern {
 public:
  /// REQUIRES: ProblemOfPattern(expression) is empty.
  explicit Pattern(std::string_view expression);
  ~Pattern();
  Pattern(Pattern&&) noexcept;
  Pattern& operator=(Pattern&&) noexcept;

  /// Appends the matches in a text, in order; those without characters are left out. Invalid UTF-8
  /// counts as U+FFFD. If the search takes too many steps, which are counted and not timed, the
  /// whole text is the only token: no other text has it, so that nothing is removed in error.
  void Find(std::string_view text, TokenList* tokens);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_GUARDS_PATTERN_H_
