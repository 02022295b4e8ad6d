#include "text/decimal.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <system_error>

namespace lookalike {
namespace {

constexpr int64_t kMostWhole = 40;          // digits before the point, written out
constexpr int64_t kMostZeros = 6;           // after the point
constexpr size_t kMostExponentDigits = 15;  // so that no sum of places overflows

/// Writes the number 0.DIGITS times 10 to the power of `point`, DIGITS without zeros at either end.
std::string Write(std::string_view digits, int64_t point) {
  const auto count = static_cast<int64_t>(digits.size());
  if (point > kMostWhole || point <= -kMostZeros) {
    std::string text(digits.substr(0, 1));
    if (count > 1) text += '.';
    text += digits.substr(1);
    return text + "e" + std::to_string(point - 1);
  }
  if (point <= 0) return "0." + std::string(static_cast<size_t>(-point), '0') + std::string(digits);
  std::string text(digits.substr(0, static_cast<size_t>(point)));
  if (point >= count) return text + std::string(static_cast<size_t>(point - count), '0');
  return text + "." + std::string(digits.substr(static_cast<size_t>(point)));
}

/// Reads the digits after the "e"; false if there are too many.
bool ReadExponent(std::string_view written, int64_t* exponent) {
  if (written.starts_with('+')) written.remove_prefix(1);
  if (written.size() > kMostExponentDigits) return false;
  const char* const end = written.data() + written.size();
  const auto read = std::from_chars(written.data(), end, *exponent);
  return read.ec == std::errc() && read.ptr == end;
}

}  // namespace

std::string CanonicalDecimal(std::string_view token) {
  std::string_view unsigned_part = token;
  const bool negative = unsigned_part.starts_with('-');
  if (negative) unsigned_part.remove_prefix(1);
  const size_t e = std::min(unsigned_part.find_first_of("eE"), unsigned_part.size());
  int64_t exponent = 0;
  if (e < unsigned_part.size() && !ReadExponent(unsigned_part.substr(e + 1), &exponent)) {
    return std::string(token);
  }
  const std::string_view written = unsigned_part.substr(0, e);
  const size_t whole = std::min(written.find('.'), written.size());
  std::string digits(written.substr(0, whole));
  if (whole < written.size()) digits += written.substr(whole + 1);
  const size_t first = digits.find_first_not_of('0');
  if (first == std::string::npos) return "0";
  digits.erase(digits.find_last_not_of('0') + 1);
  digits.erase(0, first);
  const int64_t point = static_cast<int64_t>(whole) - static_cast<int64_t>(first) + exponent;
  return (negative ? "-" : "") + Write(digits, point);
}

std::string CanonicalDecimal(double number) { return CanonicalDecimal(fmt::format("{}", number)); }

std::string CanonicalDecimal(float number) { return CanonicalDecimal(fmt::format("{}", number)); }

}  // namespace lookalike
