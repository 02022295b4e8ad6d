#include "lookalike/size.h"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <string>
#include <utility>

namespace lookalike {
namespace {

constexpr std::string_view kPrefixes = "KMGT";

Result<uint64_t> NotASize(std::string_view text) {
  return OptionError(
      fmt::format("'{}' is not a size; use a number with a unit, such as 64KiB, 256M or "
                  "1.5G",
                  text));
}

/// Returns the bytes of one unit ("", "b", "k", "kib", "kb", "m", ...), or 0 if the unit is
/// unknown.
double BytesOfUnit(std::string_view unit) {
  if (unit.empty() || unit == "b") return 1;
  for (size_t i = 0; i < kPrefixes.size(); ++i) {
    if (unit[0] != std::tolower(kPrefixes[i])) continue;
    const std::string_view rest = unit.substr(1);
    const int power = static_cast<int>(i) + 1;
    if (rest.empty() || rest == "ib") return std::pow(1024.0, power);
    if (rest == "b") return std::pow(1000.0, power);
  }
  return 0;
}

}  // namespace

Result<uint64_t> ParseSize(std::string_view text) {
  const size_t digits = std::min(text.find_first_not_of("0123456789."), text.size());
  const std::string_view number = text.substr(0, digits);
  std::string unit(text.substr(digits));
  for (char& c : unit) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const double scale = BytesOfUnit(unit);
  if (scale == 0) return NotASize(text);
  const char* const last = number.data() + number.size();
  uint64_t whole = 0;  // whole numbers stay exact beyond the 53 bits of a double
  const auto [whole_end, whole_error] = std::from_chars(number.data(), last, whole);
  if (whole_error == std::errc() && whole_end == last) {
    const auto unit_bytes = static_cast<uint64_t>(scale);
    if (whole > UINT64_MAX / unit_bytes) return NotASize(text);
    return whole * unit_bytes;
  }
  double value = 0;
  const auto [end, error] = std::from_chars(number.data(), last, value);
  if (error != std::errc() || end != last || value * scale >= 0x1p64) return NotASize(text);
  return static_cast<uint64_t>(value * scale);
}

std::string FormatSize(uint64_t bytes) {
  size_t power = 0;
  while (bytes != 0 && bytes % 1024 == 0 && power < kPrefixes.size()) bytes /= 1024, ++power;
  return power == 0 ? fmt::format("{}", bytes) : fmt::format("{}{}", bytes, kPrefixes[power - 1]);
}

}  // namespace lookalike
