#include "stages/guards/number_tokens.h"

#include <unicode/uchar.h>

#include <bit>
#include <cstdint>
#include <cstring>

#include "text/utf8.h"

namespace lookalike {
namespace {

/// A character that can be part of a number: its ASCII form (0 for any other character), and its
/// length in bytes.
struct NumberPart {
  char ascii;
  uint32_t length;

  [[nodiscard]] bool is_digit() const { return ascii >= '0' && ascii <= '9'; }
};

/// Returns the digit's value for decimal digits that Unicode 14 has, otherwise -1. The version is
/// pinned, so that a newer ICU changes nothing.
int DigitValue(char32_t point) {
  constexpr uint8_t kPinned = 14;
  const auto character = static_cast<UChar32>(point);
  if (u_charType(character) != U_DECIMAL_DIGIT_NUMBER) return -1;
  UVersionInfo age;
  u_charAge(character, age);
  return age[0] > kPinned ? -1 : u_charDigitValue(character);
}

char AsciiOf(char32_t point) {
  switch (point) {
    case U'\uff0e':  // full-width full stop
    case U'\u066b':  // Arabic decimal separator
      return '.';
    case U'\uff0c':  // full-width comma
    case U'\u066c':  // Arabic thousands separator
      return ',';
    case U'\u2019':  // right single quotation mark
    case U'\uff07':  // full-width apostrophe
      return '\'';
    default:
      break;
  }
  const int digit = DigitValue(point);
  return digit < 0 ? '\0' : static_cast<char>('0' + digit);
}

NumberPart PartAt(std::string_view text, size_t at) {
  if (at >= text.size()) return {'\0', 1};
  const char c = text[at];
  if (static_cast<unsigned char>(c) < 0x80) {
    const bool part = (c >= '0' && c <= '9') || c == '.' || c == ',' || c == '\'';
    return {part ? c : '\0', 1};
  }
  const CodePoint point = ReadCodePoint(text.substr(at));
  if (point.length == 0) return {'\0', 1};  // ill-formed
  return {AsciiOf(point.value), point.length};
}

bool IsAsciiDigit(char c) { return c >= '0' && c <= '9'; }

/// True if no digit begins with this byte of UTF-8, and most characters of texts that are not ASCII
/// do: those below U+0640, and from U+2000 to U+D7FF but for some from U+A000 on.
bool BeginsNoDigit(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 && (byte < 0xd9 || (byte >= 0xe2 && byte <= 0xed && byte != 0xea));
}

/// Calls `take` for the parts of the number that begins at `at`, and returns its end.
/// REQUIRES: a digit is there.
template <class Take>
size_t ReadNumber(std::string_view text, size_t at, Take take) {
  while (true) {
    const size_t begin = at;
    while (at < text.size() && IsAsciiDigit(text[at])) ++at;
    if (at > begin) take(text.substr(begin, at - begin));
    const NumberPart part = PartAt(text, at);
    if (part.ascii == '\0') return at;
    if (!part.is_digit() && !PartAt(text, at + part.length).is_digit()) return at;
    take(std::string_view(&part.ascii, 1));
    at += part.length;
  }
}

/// Calls `found(at)` where a number begins, which returns its end.
template <class Found>
void ForEachNumber(std::string_view text, Found found) {
  for (size_t at = SkipToDigit(text, 0); at < text.size(); at = SkipToDigit(text, at)) {
    if (BeginsNoDigit(text[at])) {
      ++at;
      continue;
    }
    const NumberPart part = PartAt(text, at);
    at = part.is_digit() ? found(at) : at + part.length;
  }
}

}  // namespace

size_t SkipToDigit(std::string_view text, size_t from) {
  // Looks at eight bytes at a time: most text has few digits.
  constexpr uint64_t kOnes = 0x0101010101010101;
  constexpr uint64_t kHigh = 0x8080808080808080;
  const auto is_stop = [](char c) { return IsAsciiDigit(c) || (c & '\x80') != 0; };
  size_t at = from;
  for (; at + sizeof(uint64_t) <= text.size(); at += sizeof(uint64_t)) {
    uint64_t bytes;
    std::memcpy(&bytes, text.data() + at, sizeof(bytes));
    const uint64_t from_zero = bytes ^ (kOnes * '0');  // digits become 0 to 9
    const uint64_t digits = (from_zero - kOnes * 10) & ~from_zero & kHigh;
    const uint64_t stops = (bytes & kHigh) | digits;  // the first one is exact
    if (stops != 0) return at + static_cast<size_t>(std::countr_zero(stops)) / 8;
  }
  while (at < text.size() && !is_stop(text[at])) ++at;
  return at;
}

void FindNumbers(std::string_view text, TokenList* tokens) {
  ForEachNumber(text, [&](size_t at) {
    const size_t end = ReadNumber(text, at, [&](std::string_view part) { tokens->Append(part); });
    tokens->End();
    return end;
  });
}

void MaskNumbers(std::string_view text, std::string* masked) {
  size_t copied = 0;
  ForEachNumber(text, [&](size_t at) {
    masked->append(text.substr(copied, at - copied));
    *masked += '0';
    return copied = ReadNumber(text, at, [](std::string_view) {});
  });
  masked->append(text.substr(copied));
}

}  // namespace lookalike
