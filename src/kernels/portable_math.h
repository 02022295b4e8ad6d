// Logarithm, exponential and arc tangent with the same bits on every machine: they only use + - * /
// (IEEE 754 rounds these in one way). The functions of C libraries differ in the last bit.
#ifndef LOOKALIKE_KERNELS_PORTABLE_MATH_H_
#define LOOKALIKE_KERNELS_PORTABLE_MATH_H_

#include <array>
#include <bit>
#include <cstdint>

namespace lookalike {

inline constexpr double kLn2 = 0x1.62e42fefa39efp-1;
/// ln 2 in two parts: the first ends in zeros, so that small multiples are exact.
inline constexpr double kLn2High = 0x1.62e42feep-1, kLn2Low = 0x1.a39ef35793c76p-33;

/// Returns the natural logarithm, to within a few units in the last place. REQUIRES: x positive,
/// finite, normal.
constexpr double PortableLog(double x) {
  const auto bits = std::bit_cast<uint64_t>(x);
  auto exponent = static_cast<int64_t>(bits >> 52) - 1023;
  double m = std::bit_cast<double>((bits & 0xfffffffffffff) | 0x3ff0000000000000);
  if (m > 0x1.6a09e667f3bcdp0) {  // the root of 2
    m /= 2;
    ++exponent;
  }
  // ln m = 2 artanh s, |s| < .1716: the terms fall by 34 each.
  const double s = (m - 1) / (m + 1), square = s * s;
  double sum = 0;
  for (int odd = 23; odd >= 3; odd -= 2) sum = (sum + 1.0 / odd) * square;
  const auto scale = static_cast<double>(exponent);
  return scale * kLn2High + (scale * kLn2Low + 2 * (s + s * sum));
}

/// Returns e to the power of x, to within a few units in the last place. REQUIRES: |x| <= 700.
constexpr double PortableExp(double x) {
  const double scaled = x / kLn2;
  const auto whole = static_cast<int64_t>(scaled + (scaled < 0 ? -0.5 : 0.5));
  const auto scale = static_cast<double>(whole);
  const double rest = (x - scale * kLn2High) - scale * kLn2Low;  // at most .35
  double sum = 1;
  for (int i = 15; i >= 1; --i) sum = 1 + rest * (1.0 / i) * sum;
  return sum * std::bit_cast<double>(static_cast<uint64_t>(whole + 1023) << 52);
}

inline constexpr double kPi = 0x1.921fb54442d18p1;

/// Returns the angle from 0 to pi / 2 whose tangent is y / x, to within a few units in the last
/// place. REQUIRES: both finite, 0 or more, not both 0.
constexpr double PortableAtan2(double y, double x) {
  if (y > x) return kPi / 2 - PortableAtan2(x, y);
  double t = y / x, turned = 0;
  if (t > 0x1.a827999fcef32p-2) {  // the tangent of pi / 8
    turned = kPi / 4;
    t = (t - 1) / (t + 1);
  }
  // t - t^3/3 + t^5/5 - ..., |t| <= .4143: the terms fall by 5.8 each.
  constexpr auto kInverse = [] {
    std::array<double, 21> inverse{};
    for (int i = 0; i < 21; ++i) inverse[i] = 1.0 / (43 - 2 * i);
    return inverse;
  }();
  const double square = t * t;
  double sum = 0;
  for (const double inverse : kInverse) sum = (inverse - sum) * square;
  return turned + (t - t * sum);
}

}  // namespace lookalike

#endif  // LOOKALIKE_KERNELS_PORTABLE_MATH_H_
