// Places in a text, counted in code points.
#ifndef LOOKALIKE_TEXT_CODE_POINTS_BEFORE_H_
#define LOOKALIKE_TEXT_CODE_POINTS_BEFORE_H_

#include <cstdint>
#include <string_view>

#include "text/utf8.h"

namespace lookalike {

/// Counts the code points before bytes of well-formed UTF-8, which must ascend.
class CodePointsBefore {
 public:
  explicit CodePointsBefore(std::string_view text) : text_(text) {}

  uint64_t At(uint64_t byte) {
    code_points_ += CountCodePoints(text_.substr(byte_, byte - byte_));
    byte_ = byte;
    return code_points_;
  }

 private:
  std::string_view text_;
  uint64_t byte_ = 0, code_points_ = 0;
};

}  // namespace lookalike

#endif  // LOOKALIKE_TEXT_CODE_POINTS_BEFORE_H_
