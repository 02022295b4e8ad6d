// Finds and replaces ill-formed UTF-8.
#ifndef LOOKALIKE_IO_UTF8_H_
#define LOOKALIKE_IO_UTF8_H_

#include <string>
#include <string_view>

namespace lookalike {

/// Whether `bytes` is well-formed UTF-8 (no surrogates, no overlong forms).
bool IsUtf8(std::string_view bytes);

/// `bytes` with U+FFFD for each maximal ill-formed part (Unicode Core Specification 3.9, U+FFFD
/// Substitution of Maximal Subparts). At most three times as long as `bytes`.
std::string RepairUtf8(std::string_view bytes);

}  // namespace lookalike

#endif  // LOOKALIKE_IO_UTF8_H_
