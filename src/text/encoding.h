// Bytes of the web as UTF-8, by the Encoding standard (encoding.spec.whatwg.org).
#ifndef LOOKALIKE_TEXT_ENCODING_H_
#define LOOKALIKE_TEXT_ENCODING_H_

#include <string>
#include <string_view>

namespace lookalike {

/// What is known of an encoding besides the bytes.
struct EncodingHints {
  std::string_view label;  ///< What a header says, such as "Shift_JIS"; empty: nothing.
  bool is_html = false;    ///< Whether the bytes may say it themselves, in a <meta>.
};

/// `bytes` as UTF-8, in `storage` where they are something else. Their encoding is told by a byte
/// order mark; else by the label; else by the first 1024 bytes of a page, as the HTML standard
/// prescans them (13.2.3.2); else it is UTF-8 where they are valid UTF-8, and windows-1252 where
/// not. Labels that the Encoding standard does not know, or knows as unsafe, say nothing. A byte
/// order mark is left out. What another encoding does not have becomes U+FFFD; invalid UTF-8 stays
/// as it is. At most three times as long. Memory that cannot be had throws std::bad_alloc.
std::string_view ToUtf8(std::string_view bytes, const EncodingHints& hints, std::string* storage);

}  // namespace lookalike

#endif  // LOOKALIKE_TEXT_ENCODING_H_
