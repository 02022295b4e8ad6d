// A fast check of UTF-8, together with its repair.
#ifndef LOOKALIKE_IO_UTF8_H_
#define LOOKALIKE_IO_UTF8_H_

#include <string_view>

#include "text/utf8.h"  // IWYU pragma: export

namespace lookalike {

/// True if `bytes` is well-formed UTF-8 (no surrogates, no overlong forms).
bool IsUtf8(std::string_view bytes);

}  // namespace lookalike

#endif  // LOOKALIKE_IO_UTF8_H_
