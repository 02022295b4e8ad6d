// The binomial distribution in plain arithmetic, so that every platform gets the same bits: the
// functions of the C library differ between platforms, IEEE products and quotients do not.
#ifndef LOOKALIKE_MEASURES_BINOMIAL_H_
#define LOOKALIKE_MEASURES_BINOMIAL_H_

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace lookalike {

inline double Power(double base, uint32_t exponent) {
  double result = 1;
  for (; exponent > 0; exponent >>= 1, base *= base) {
    if (exponent & 1) result *= base;
  }
  return result;
}

/// Returns the probabilities of 0..n successes, computed outwards from the mode so that nothing
/// underflows on the way.
inline std::vector<double> Binomial(uint32_t n, double p) {
  std::vector<double> weight(n + 1, 0.0);
  if (p <= 0 || p >= 1) {
    weight[p <= 0 ? 0 : n] = 1;
    return weight;
  }
  const double odds = p / (1 - p);
  const uint32_t mode = std::min(n, static_cast<uint32_t>((n + 1) * p));
  weight[mode] = 1;
  for (uint32_t m = mode; m < n; ++m) weight[m + 1] = weight[m] * odds * (n - m) / (m + 1);
  for (uint32_t m = mode; m > 0; --m) weight[m - 1] = weight[m] * m / (odds * (n - m + 1));
  const double sum = std::accumulate(weight.begin(), weight.end(), 0.0);
  for (double& w : weight) w /= sum;
  return weight;
}

/// Returns the largest number of successes that all but a share `miss` of the outcomes reach.
inline uint32_t BinomialFloor(uint32_t n, double p, double miss) {
  const std::vector<double> probability = Binomial(n, p);
  double below = 0;
  for (uint32_t successes = 0; successes < n; ++successes) {
    below += probability[successes];
    if (below > miss) return successes;
  }
  return n;
}

}  // namespace lookalike

#endif  // LOOKALIKE_MEASURES_BINOMIAL_H_
