#include "stages/input/json_repair.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "stages/input/json_tokens.h"

namespace lookalike {
namespace {

constexpr size_t kEscapeLength = 6;  // \uXXXX

// Returns the UTF-16 unit of a \uXXXX escape at `at`, if there is one.
std::optional<uint32_t> EscapedUnit(std::string_view line, size_t at) {
  if (at + kEscapeLength > line.size() || line[at] != '\\' || line[at + 1] != 'u') return {};
  uint32_t unit = 0;
  for (const char digit : line.substr(at + 2, 4)) {
    const char lower = static_cast<char>(digit | 0x20);
    if (digit >= '0' && digit <= '9') {
      unit = unit << 4 | static_cast<uint32_t>(digit - '0');
    } else if (lower >= 'a' && lower <= 'f') {
      unit = unit << 4 | static_cast<uint32_t>(lower - 'a' + 10);
    } else {
      return {};
    }
  }
  return unit;
}

bool IsHighSurrogate(uint32_t unit) { return (unit & 0xFC00U) == 0xD800U; }
bool IsLowSurrogate(uint32_t unit) { return (unit & 0xFC00U) == 0xDC00U; }

// Returns the length of the run of digits at `at`.
size_t Digits(std::string_view text, size_t at) {
  size_t end = at;
  while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
  return end - at;
}

// Returns the length of the number (RFC 8259, section 6) at the front of `text`; 0 if there is
// none.
size_t NumberLength(std::string_view text) {
  size_t end = 0;
  if (end < text.size() && text[end] == '-') ++end;
  const size_t whole = Digits(text, end);
  if (whole == 0 || (whole > 1 && text[end] == '0')) return 0;
  end += whole;
  if (end < text.size() && text[end] == '.') {
    const size_t fraction = Digits(text, end + 1);
    if (fraction == 0) return 0;
    end += 1 + fraction;
  }
  if (end < text.size() && (text[end] == 'e' || text[end] == 'E')) {
    ++end;
    if (end < text.size() && (text[end] == '+' || text[end] == '-')) ++end;
    const size_t exponent = Digits(text, end);
    if (exponent == 0) return 0;
    end += exponent;
  }
  return end;
}

// True for the bytes of numbers and of the words of JSON.
bool IsWordByte(char byte) {
  const char lower = static_cast<char>(byte | 0x20);
  return (byte >= '0' && byte <= '9') || (lower >= 'a' && lower <= 'z') || byte == '-' ||
         byte == '+' || byte == '.';
}

size_t WordLength(std::string_view text) {
  const auto end = std::find_if_not(text.begin(), text.end(), IsWordByte);
  return static_cast<size_t>(end - text.begin());
}

}  // namespace

std::string ReplaceLoneSurrogates(std::string_view line) {
  std::string result;
  result.reserve(line.size());
  for (size_t at = 0; at < line.size();) {
    const size_t escape = line.find('\\', at);
    result += line.substr(at, escape - at);
    if (escape == std::string_view::npos) break;
    const std::optional<uint32_t> unit = EscapedUnit(line, escape);
    size_t length = unit ? kEscapeLength : 2;
    bool lone = unit && IsLowSurrogate(*unit);
    if (unit && IsHighSurrogate(*unit)) {
      const std::optional<uint32_t> next = EscapedUnit(line, escape + kEscapeLength);
      lone = !next || !IsLowSurrogate(*next);
      if (!lone) length = 2 * kEscapeLength;
    }
    result += lone ? std::string_view("\\ufffd") : line.substr(escape, length);
    at = escape + length;
  }
  return result;
}

std::string ReplaceNumbers(std::string_view line) {
  std::string result;
  result.reserve(line.size());
  bool in_string = false;
  for (size_t at = 0; at < line.size();) {
    const char byte = line[at];
    size_t length = 1;
    if (in_string) {
      if (byte == '\\') length = 2;
      in_string = byte != '"';
    } else if (byte == '"') {
      in_string = true;
    } else if (IsWordByte(byte)) {
      length = WordLength(line.substr(at));
      const std::string_view word = line.substr(at, length);
      if (NumberLength(word) == length || IsNonFinite(word)) {
        result += '0';
        at += length;
        continue;
      }
    }
    result += line.substr(at, length);
    at += length;
  }
  return result;
}

}  // namespace lookalike
