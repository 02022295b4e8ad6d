#include "text/utf8.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace lookalike {
namespace {

constexpr uint64_t kHighBits = 0x8080808080808080;

uint64_t LoadWord(const char* bytes) {
  uint64_t word;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

bool IsContinuation(uint8_t byte) { return (byte & 0xC0) == 0x80; }

}  // namespace

size_t IllFormedLength(std::string_view text) {
  const auto byte = [text](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t lead = byte(0);
  if (lead < 0xE0 || lead > 0xF4 || text.size() < 2) return 1;
  // The range of the second byte excludes overlong forms, surrogates and values above U+10FFFF.
  const uint8_t low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  const uint8_t high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  if (byte(1) < low || byte(1) > high) return 1;
  return lead >= 0xF0 && text.size() > 2 && IsContinuation(byte(2)) ? 3 : 2;
}

size_t CountAsciiPrefix(std::string_view text) {
  const char* const data = text.data();
  const size_t size = text.size();
  size_t at = 0;
  for (; at + 32 <= size; at += 32) {
    const uint64_t all = LoadWord(data + at) | LoadWord(data + at + 8) | LoadWord(data + at + 16) |
                         LoadWord(data + at + 24);
    if ((all & kHighBits) != 0) break;
  }
  while (at + 8 <= size && (LoadWord(data + at) & kHighBits) == 0) at += 8;
  while (at < size && static_cast<uint8_t>(data[at]) < 0x80) ++at;
  return at;
}

size_t CountValidPrefix(std::string_view text) {
  size_t at = 0;
  while (at < text.size()) {
    const CodePoint code_point = ReadCodePoint(text.substr(at));
    if (code_point.length == 0) break;
    at += code_point.length;
    if (code_point.length == 1) at += CountAsciiPrefix(text.substr(at));
  }
  return at;
}

void RepairUtf8(std::string_view text, size_t valid_prefix, std::string* repaired) {
  repaired->assign(text.substr(0, valid_prefix));
  size_t at = valid_prefix;
  while (at < text.size()) {
    const size_t valid = CountValidPrefix(text.substr(at));
    repaired->append(text.substr(at, valid));
    at += valid;
    if (at == text.size()) break;
    repaired->append("\xEF\xBF\xBD");
    at += IllFormedLength(text.substr(at));
  }
}

std::string RepairUtf8(std::string_view text) {
  std::string repaired;
  RepairUtf8(text, 0, &repaired);
  return repaired;
}

void AppendCodePoints(std::string_view text, std::u32string* points) {
  for (size_t at = 0; at < text.size();) {
    const CodePoint point = ReadValidCodePoint(text.data() + at);
    *points += point.value;
    at += point.length;
  }
}

size_t CountCodePoints(std::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char byte) {
    return !IsContinuation(static_cast<uint8_t>(byte));
  }));
}

size_t SkipCodePoints(std::string_view text, size_t byte, uint64_t count) {
  // So many bytes have at most so many code points: what is missing is skipped next.
  while (count > 0 && byte < text.size()) {
    const std::string_view next = text.substr(byte, count);
    count -= CountCodePoints(next);
    byte += next.size();
  }
  while (byte < text.size() && IsContinuation(static_cast<uint8_t>(text[byte]))) ++byte;
  return byte;
}

}  // namespace lookalike
