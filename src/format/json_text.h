// JSON text in the form shared by all writers of JSON in this project that use no library.
#ifndef LOOKALIKE_FORMAT_JSON_TEXT_H_
#define LOOKALIKE_FORMAT_JSON_TEXT_H_

#include <string>
#include <string_view>

namespace lookalike {

/// Appends `utf8` as a JSON string with its quotes. Valid UTF-8 stays as it is, except the quote,
/// the backslash, control characters and the line separators U+2028 and U+2029, which are escaped
/// (JavaScript and line-based tools may take the last two for line ends). Every maximal invalid
/// sequence becomes \ufffd, so that the output is always valid JSON.
void AppendJsonString(std::string* out, std::string_view utf8);

/// Appends the shortest decimal that reads back as `number`, always with a point or an exponent
/// ("1.0"), so that readers take it for a real number. NaN and infinities, which JSON lacks,
/// become null.
void AppendJsonNumber(std::string* out, double number);

}  // namespace lookalike

#endif  // LOOKALIKE_FORMAT_JSON_TEXT_H_
