// What is known about the markup of a text.
#ifndef LOOKALIKE_FLOW_TEXT_KIND_H_
#define LOOKALIKE_FLOW_TEXT_KIND_H_

#include <cstdint>

namespace lookalike {

enum class TextKind : uint8_t {
  kUnknown,  ///< A field, a text file: the options say whether it is a page.
  kPlain,    ///< Said to be plain text, or made of a page already.
  kHtml,     ///< A page of HTML.
};

}  // namespace lookalike

#endif  // LOOKALIKE_FLOW_TEXT_KIND_H_
