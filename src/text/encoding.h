// Conversion of bytes from the web to UTF-8, by the Encoding standard (encoding.spec.whatwg.org).
#ifndef LOOKALIKE_TEXT_ENCODING_H_
#define LOOKALIKE_TEXT_ENCODING_H_

#include <string>
#include <string_view>

namespace lookalike {

/// Hints about an encoding besides the bytes.
struct EncodingHints {
  std::string_view label;  ///< The encoding named in a header, such as "Shift_JIS"; empty: none.
  bool is_html = false;    ///< True if the bytes may declare it themselves, in a <meta>.
};

/// Returns `bytes` as UTF-8, in `storage` if they are in another encoding. The encoding is taken
/// from a byte order mark; else from the label; else from the first 1024 bytes of a page, as the
/// HTML standard prescans them (13.2.3.2); else it is UTF-8 if the bytes are valid UTF-8, and
/// windows-1252 otherwise. Labels that the Encoding standard does not know, or knows as unsafe, are
/// ignored. A byte order mark is dropped. Bytes that are invalid in another encoding become U+FFFD;
/// invalid UTF-8 stays as it is. The result is at most three times as long. Throws std::bad_alloc
/// if memory runs out.
std::string_view ToUtf8(std::string_view bytes, const EncodingHints& hints, std::string* storage);

}  // namespace lookalike

#endif  // LOOKALIKE_TEXT_ENCODING_H_
