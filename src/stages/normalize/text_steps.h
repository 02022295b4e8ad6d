// The steps of a normal form that work code point by code point.
#ifndef LOOKALIKE_STAGES_NORMALIZE_TEXT_STEPS_H_
#define LOOKALIKE_STAGES_NORMALIZE_TEXT_STEPS_H_

#include <string>
#include <string_view>

#include "stages/normalize/normal_form.h"

namespace lookalike {

/// Rewrites text after its Unicode normal form was made. Code points that Unicode 14.0 does not
/// assign are never changed.
class TextSteps {
 public:
  explicit TextSteps(NormalForm form);

  /// True if there is nothing to do.
  [[nodiscard]] bool none() const { return steps_.steps == 0; }

  /// Forgets earlier text: the next piece begins a new text.
  void Begin();

  /// Appends the result for `piece`, the next part of a text. REQUIRES: whole code points of valid
  /// UTF-8.
  void Append(std::string_view piece, std::string* out);

  /// Returns the number of appended bytes at the end that do not belong to the text: a blank that
  /// nothing follows.
  [[nodiscard]] size_t Overhang() const { return after_blank_ ? 1 : 0; }

 private:
  void AppendCodePoint(char32_t code_point, std::string_view bytes, std::string* out);

  NormalForm steps_;
  bool at_begin_ = true, after_blank_ = false;
};

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_NORMALIZE_TEXT_STEPS_H_
