#include "io/utf8.h"

#include <simdjson.h>

#include <cstddef>
#include <cstdint>

namespace lookalike {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// Which second bytes may follow a lead byte, and how many bytes the sequence has (Unicode Core
// Specification, table 3-7). Length 0: no sequence begins with this byte.
struct LeadByte {
  int length;
  uint8_t second_low, second_high;
};

LeadByte Classify(uint8_t lead) {
  if (lead < 0x80) return {1, 0, 0};
  if (lead < 0xC2) return {0, 0, 0};
  if (lead < 0xE0) return {2, 0x80, 0xBF};
  if (lead == 0xE0) return {3, 0xA0, 0xBF};
  if (lead == 0xED) return {3, 0x80, 0x9F};
  if (lead < 0xF0) return {3, 0x80, 0xBF};
  if (lead == 0xF0) return {4, 0x90, 0xBF};
  if (lead < 0xF4) return {4, 0x80, 0xBF};
  if (lead == 0xF4) return {4, 0x80, 0x8F};
  return {0, 0, 0};
}

// The bytes from `at` that belong together: a whole sequence or a maximal ill-formed part.
struct Part {
  size_t length;
  bool well_formed;
};

Part NextPart(std::string_view bytes, size_t at) {
  const LeadByte lead = Classify(static_cast<uint8_t>(bytes[at]));
  if (lead.length == 0) return {1, false};
  for (int i = 1; i < lead.length; ++i) {
    const uint8_t low = i == 1 ? lead.second_low : uint8_t{0x80};
    const uint8_t high = i == 1 ? lead.second_high : uint8_t{0xBF};
    const size_t place = at + static_cast<size_t>(i);
    if (place == bytes.size()) return {static_cast<size_t>(i), false};
    const auto byte = static_cast<uint8_t>(bytes[place]);
    if (byte < low || byte > high) return {static_cast<size_t>(i), false};
  }
  return {static_cast<size_t>(lead.length), true};
}

}  // namespace

bool IsUtf8(std::string_view bytes) { return simdjson::validate_utf8(bytes.data(), bytes.size()); }

std::string RepairUtf8(std::string_view bytes) {
  std::string repaired;
  repaired.reserve(bytes.size() + 16);
  for (size_t at = 0; at < bytes.size();) {
    const Part part = NextPart(bytes, at);
    repaired += part.well_formed ? bytes.substr(at, part.length) : kReplacement;
    at += part.length;
  }
  return repaired;
}

}  // namespace lookalike
