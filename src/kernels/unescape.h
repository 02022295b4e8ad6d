// Copying the inside of a JSON string without its escapes.
#ifndef LOOKALIKE_KERNELS_UNESCAPE_H_
#define LOOKALIKE_KERNELS_UNESCAPE_H_

#include <cstddef>
#include <optional>

namespace lookalike {

/// How many bytes beyond `in` and `out` UnescapeShort may read and write.
inline constexpr size_t kUnescapeRoom = 64;

/// Copies the inside of a JSON string to `out`, each two-byte escape as what it stands for (RFC
/// 8259, section 7), and returns how many bytes that makes. Nothing where it has a \u or a
/// malformed escape. REQUIRES: kUnescapeRoom bytes behind in + count may be read, and `out` has
/// room for count + kUnescapeRoom.
std::optional<size_t> UnescapeShort(const char* in, size_t count, char* out);

}  // namespace lookalike

#endif  // LOOKALIKE_KERNELS_UNESCAPE_H_
