// Text in the form of the committed vector files (tests/data/*.tsv).
#ifndef LOOKALIKE_VECTORS_ESCAPED_TEXT_H_
#define LOOKALIKE_VECTORS_ESCAPED_TEXT_H_

#include <gtest/gtest.h>

#include <charconv>
#include <string>
#include <string_view>

namespace lookalike {

/// Turns each `\xNN` into its byte.
inline std::string Unescape(std::string_view escaped) {
  std::string bytes;
  for (size_t i = 0; i < escaped.size(); ++i) {
    if (escaped[i] != '\\') {
      bytes += escaped[i];
      continue;
    }
    unsigned char byte = 0;
    const char* digits = escaped.data() + i + 2;
    EXPECT_EQ(std::from_chars(digits, digits + 2, byte, 16).ptr, digits + 2);
    bytes += static_cast<char>(byte);
    i += 3;
  }
  return bytes;
}

}  // namespace lookalike

#endif  // LOOKALIKE_VECTORS_ESCAPED_TEXT_H_
