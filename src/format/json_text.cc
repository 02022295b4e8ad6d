#include "format/json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>

namespace lookalike {
namespace {

struct Sequence {
  size_t length;  ///< Bytes: of the code point, or of the maximal invalid part; at least 1.
  bool valid;
};

/// Bounds of the second byte for each lead byte (The Unicode Standard, table 3-7); they exclude
/// overlong forms, surrogates and values above U+10FFFF.
struct Lead {
  size_t length;
  uint8_t low, high;
};

Lead ClassifyLead(uint8_t byte) {
  if (byte >= 0xC2 && byte <= 0xDF) return {2, 0x80, 0xBF};
  if (byte == 0xE0) return {3, 0xA0, 0xBF};
  if (byte == 0xED) return {3, 0x80, 0x9F};
  if (byte >= 0xE1 && byte <= 0xEF) return {3, 0x80, 0xBF};
  if (byte == 0xF0) return {4, 0x90, 0xBF};
  if (byte >= 0xF1 && byte <= 0xF3) return {4, 0x80, 0xBF};
  if (byte == 0xF4) return {4, 0x80, 0x8F};
  return {1, 0, 0};
}

/// REQUIRES: text is not empty and starts with a byte >= 0x80.
Sequence ReadSequence(std::string_view text) {
  Lead lead = ClassifyLead(static_cast<uint8_t>(text[0]));
  if (lead.length == 1) return {1, false};
  for (size_t i = 1; i < lead.length; ++i) {
    if (i == text.size()) return {i, false};
    uint8_t byte = static_cast<uint8_t>(text[i]);
    if (byte < lead.low || byte > lead.high) return {i, false};
    lead.low = 0x80;
    lead.high = 0xBF;
  }
  return {lead.length, true};
}

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
  Sequence sequence = ReadSequence(text);
  std::string_view bytes = text.substr(0, sequence.length);
  if (!sequence.valid) {
    out->append("\\ufffd");
  } else if (bytes == "\xE2\x80\xA8") {
    out->append("\\u2028");
  } else if (bytes == "\xE2\x80\xA9") {
    out->append("\\u2029");
  } else {
    out->append(bytes);
  }
  return sequence.length;
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
