// Decimal numbers as text.
#ifndef LOOKALIKE_TEXT_DECIMAL_H_
#define LOOKALIKE_TEXT_DECIMAL_H_

#include <string>
#include <string_view>

namespace lookalike {

/// Returns one spelling for all spellings of a number, without rounding: "1", "1.0", "1e0" and
/// "10e-1" are "1"; "-0" is "0". Up to 40 digits before the point and 6 zeros after it are written
/// out; all else is "1.5e-7", "1e40". A token whose exponent has more than 15 digits is returned as
/// it is. REQUIRES: a number of JSON (RFC 8259, section 6).
std::string CanonicalDecimal(std::string_view token);

/// Returns the shortest decimal that reads back as `number`, in the same spelling. REQUIRES:
/// finite.
std::string CanonicalDecimal(double number);
std::string CanonicalDecimal(float number);

}  // namespace lookalike

#endif  // LOOKALIKE_TEXT_DECIMAL_H_
