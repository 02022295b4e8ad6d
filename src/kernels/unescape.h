// Copying of the inside of a JSON string without its escapes.
#ifndef LOOKALIKE_KERNELS_UNESCAPE_H_
#define LOOKALIKE_KERNELS_UNESCAPE_H_

#include <cstddef>
#include <optional>

namespace lookalike {

/// The number of bytes beyond `in` and `out` that UnescapeShort may read and write.
inline constexpr size_t kUnescapeRoom = 64;

/// Copies the inside of a JSON string to `out`, replacing each two-byte escape by its meaning (RFC
/// 8259, section 7), and returns the number of bytes written. Returns nothing if it has a \u or a
/// malformed escape. REQUIRES: kUnescapeRoom bytes after in + count may be read, and `out` has room
/// for count + kUnescapeRoom.
std::optional<size_t> UnescapeShort(const char* in, size_t count, char* out);

}  // namespace lookalike

#endif  // LOOKALIKE_KERNELS_UNESCAPE_H_
