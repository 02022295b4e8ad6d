#include "quantity.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace lookalike::cli {

std::string Count(uint64_t n) {
  std::string digits = fmt::format("{}", n);
  for (size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

std::string Count(uint64_t n, std::string_view name) {
  return fmt::format("{} {}{}", Count(n), name, n == 1 ? "" : "s");
}

std::string Bytes(double bytes) {
  constexpr std::array<std::string_view, 5> kUnits = {"bytes", "KB", "MB", "GB", "TB"};
  size_t unit = 0;
  while (bytes >= 1000 && unit + 1 < kUnits.size()) bytes /= 1000, ++unit;
  return unit == 0 ? fmt::format("{:.0f} bytes", bytes)
                   : fmt::format("{:.1f} {}", bytes, kUnits[unit]);
}

std::string Duration(double seconds) {
  if (!(seconds > 0)) return "0 s";
  if (seconds < 1) return fmt::format("{:.2f} s", seconds);
  if (seconds < 10) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<uint64_t>(std::llround(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

std::string Percent(uint64_t part, uint64_t whole) {
  if (whole == 0) return "0 %";
  return fmt::format("{:.1f} %", 100 * static_cast<double>(part) / static_cast<double>(whole));
}

}  // namespace lookalike::cli
