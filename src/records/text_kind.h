// The facts known about the markup of a text.
#ifndef LOOKALIKE_RECORDS_TEXT_KIND_H_
#define LOOKALIKE_RECORDS_TEXT_KIND_H_

#include <cstdint>

namespace lookalike {

enum class TextKind : uint8_t {
  kUnknown,   ///< A field, a text file: the options say whether it is a page.
  kPlain,     ///< Known to be plain text, or already extracted from a page.
  kHtml,      ///< A page of HTML.
  kFeatures,  ///< No text, but features that were made of one: a FeatureText.
};

}  // namespace lookalike

#endif  // LOOKALIKE_RECORDS_TEXT_KIND_H_
