// Code points of UTF-8, its well-formedness, and its repair.
#ifndef LOOKALIKE_TEXT_UTF8_H_
#define LOOKALIKE_TEXT_UTF8_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace lookalike {

/// Returns the number of ASCII bytes that `text` begins with.
size_t CountAsciiPrefix(std::string_view text);

/// A code point and its length in bytes; length 0 if the text is ill-formed.
struct CodePoint {
  char32_t value;
  uint32_t length;
};

/// Reads the code point at the head of `text`, which is not empty.
inline CodePoint ReadCodePoint(std::string_view text) {
  const auto byte = [text](size_t i) { return static_cast<unsigned char>(text[i]); };
  const auto is_tail = [byte](size_t i) { return (byte(i) & 0xC0) == 0x80; };
  const auto tail = [byte](size_t i) { return static_cast<char32_t>(byte(i) & 0x3F); };
  const char32_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  if (lead < 0xE0) {
    if (lead < 0xC2 || text.size() < 2 || !is_tail(1)) return {0, 0};
    return {(lead & 0x1F) << 6 | tail(1), 2};
  }
  if (lead < 0xF0) {
    if (text.size() < 3 || !is_tail(1) || !is_tail(2)) return {0, 0};
    const char32_t value = (lead & 0x0F) << 12 | tail(1) << 6 | tail(2);
    const bool overlong = value < 0x800, surrogate = value >= 0xD800 && value < 0xE000;
    return {value, overlong || surrogate ? 0U : 3U};
  }
  if (lead > 0xF4 || text.size() < 4 || !is_tail(1) || !is_tail(2) || !is_tail(3)) return {0, 0};
  const char32_t value = (lead & 0x07) << 18 | tail(1) << 12 | tail(2) << 6 | tail(3);
  return {value, value < 0x10000 || value > 0x10FFFF ? 0U : 4U};
}

/// Reads the code point at the head of well-formed text, without checking it.
inline CodePoint ReadValidCodePoint(const char* text) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(text);
  const char32_t lead = bytes[0];
  const auto tail = [bytes](size_t i) { return static_cast<char32_t>(bytes[i] & 0x3F); };
  if (lead < 0x80) return {lead, 1};
  if (lead < 0xE0) return {(lead & 0x1F) << 6 | tail(1), 2};
  if (lead < 0xF0) return {(lead & 0x0F) << 12 | tail(1) << 6 | tail(2), 3};
  return {(lead & 0x07) << 18 | tail(1) << 12 | tail(2) << 6 | tail(3), 4};
}

/// Appends the code points of well-formed text.
void AppendCodePoints(std::string_view text, std::u32string* points);

/// Returns the length of the maximal subpart of the ill-formed sequence at the head of `text`: the
/// part that some well-formed sequence begins with, or one byte (the standard's table 3-7).
/// REQUIRES: ReadCodePoint(text).length == 0.
size_t IllFormedLength(std::string_view text);

/// Returns the length in bytes of the well-formed UTF-8 that `text` begins with.
size_t CountValidPrefix(std::string_view text);

/// Sets `repaired` to `text` with U+FFFD for each maximal subpart of an ill-formed sequence (the
/// Unicode standard, 3.9, U+FFFD Substitution of Maximal Subparts). The first
/// `valid_prefix` bytes are known to be well-formed.
void RepairUtf8(std::string_view text, size_t valid_prefix, std::string* repaired);

/// Returns `text` repaired in the same way. The result is at most three times as long.
std::string RepairUtf8(std::string_view text);

/// Returns the number of code points in well-formed `text`.
size_t CountCodePoints(std::string_view text);

/// Returns the byte that follows `count` code points of well-formed `text` from `byte` on, or the
/// end of the text if there are fewer.
size_t SkipCodePoints(std::string_view text, size_t byte, uint64_t count);

}  // namespace lookalike

#endif  // LOOKALIKE_TEXT_UTF8_H_
