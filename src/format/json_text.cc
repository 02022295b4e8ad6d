#include "format/json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>

#include "text/utf8.h"

namespace lookalike {
namespace {

void AppendEscaped(std::string* out, char byte) {
  switch (byte) {
    case '"':
      out->append("\\\"");
      return;
    case '\\':
      out->append("\\\\");
      return;
    case '\b':
      out->append("\\b");
      return;
    case '\f':
      out->append("\\f");
      return;
    case '\n':
      out->append("\\n");
      return;
    case '\r':
      out->append("\\r");
      return;
    case '\t':
      out->append("\\t");
      return;
    default:
      fmt::format_to(std::back_inserter(*out), "\\u{:04x}", static_cast<uint8_t>(byte));
  }
}

/// Appends one sequence that starts with a byte >= 0x80; returns its length.
size_t AppendMultibyte(std::string* out, std::string_view text) {
  const size_t length = ReadCodePoint(text).length;
  if (length == 0) {
    out->append("\\ufffd");
    return IllFormedLength(text);
  }
  const std::string_view bytes = text.substr(0, length);
  if (bytes == "\xE2\x80\xA8") {
    out->append("\\u2028");
  } else if (bytes == "\xE2\x80\xA9") {
    out->append("\\u2029");
  } else {
    out->append(bytes);
  }
  return length;
}

constexpr std::array<bool, 256> MakePlain() {
  std::array<bool, 256> plain{};
  for (size_t i = 0x20; i < 0x80; ++i) plain[i] = true;
  plain['"'] = plain['\\'] = plain[0x7F] = false;
  return plain;
}
constexpr std::array<bool, 256> kPlain = MakePlain();

}  // namespace

void AppendJsonString(std::string* out, std::string_view utf8) {
  out->push_back('"');
  size_t at = 0;
  while (at < utf8.size()) {
    size_t end = at;
    while (end < utf8.size() && kPlain[static_cast<uint8_t>(utf8[end])]) ++end;
    out->append(utf8.substr(at, end - at));
    at = end;
    if (at == utf8.size()) break;
    if (static_cast<uint8_t>(utf8[at]) >= 0x80) {
      at += AppendMultibyte(out, utf8.substr(at));
    } else {
      AppendEscaped(out, utf8[at++]);
    }
  }
  out->push_back('"');
}

void AppendJsonNumber(std::string* out, double number) {
  if (!std::isfinite(number)) {
    out->append("null");
    return;
  }
  size_t begin = out->size();
  fmt::format_to(std::back_inserter(*out), "{}", number);
  bool real = std::any_of(out->begin() + static_cast<std::ptrdiff_t>(begin), out->end(),
                          [](char c) { return c == '.' || c == 'e'; });
  if (!real) out->append(".0");
}

}  // namespace lookalike
