// Messages of the library in words of Python.
#ifndef LOOKALIKE_PYTHON_BINDINGS_KEYWORD_WORDS_H_
#define LOOKALIKE_PYTHON_BINDINGS_KEYWORD_WORDS_H_

#include <string>
#include <string_view>

namespace lookalike::python {

/// Returns the keyword of an option: `text` for text-field.
std::string KeywordOf(std::string_view option);

/// Returns the message with keywords for its marks: `method='exact'` for $<method=exact>,
/// `lookalike.pairs(measure='containment')` for $(pairs measure=containment).
std::string InKeywords(std::string_view message);

}  // namespace lookalike::python

#endif  // LOOKALIKE_PYTHON_BINDINGS_KEYWORD_WORDS_H_
