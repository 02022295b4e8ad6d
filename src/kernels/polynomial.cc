#include "kernels/polynomial.h"

#include <bit>
#include <utility>

#include "kernels/splitmix.h"

namespace lookalike {
namespace {

/// Separates these draws from other uses of the same seed.
constexpr uint64_t kSeedOfPolynomials = 0x726162696e;  // "rabin"

/// Returns a modulo b. REQUIRES: b != 0.
uint64_t Remainder(uint64_t a, uint64_t b) {
  while (std::bit_width(a) >= std::bit_width(b)) a ^= b << (std::bit_width(a) - std::bit_width(b));
  return a;
}

/// True if P has a factor in common with a, which is below t^degree. P has one bit too many for a
/// number, so the first step of Euclid's algorithm is done by multiplications with t.
bool HasCommonFactor(const Polynomial& polynomial, uint64_t a) {
  if (a == 0) return true;
  if (a == 1) return false;
  const Polynomial modulus = {static_cast<uint32_t>(std::bit_width(a)) - 1, a ^ std::bit_floor(a)};
  uint64_t remainder = 1;
  for (uint32_t i = 0; i < polynomial.degree; ++i) remainder = TimesT(remainder, modulus);
  remainder ^= Remainder(polynomial.low, a);
  while (remainder != 0) a = std::exchange(remainder, Remainder(a, remainder));
  return a != 1;
}

}  // namespace

uint64_t MultiplyModulo(uint64_t a, uint64_t b, const Polynomial& modulus) {
  uint64_t product = 0;
  for (uint32_t i = modulus.degree; i-- > 0;) {
    product = TimesT(product, modulus) ^ ((b >> i & 1) != 0 ? a : 0);
  }
  return product;
}

bool IsIrreducible(const Polynomial& polynomial) {
  if (polynomial.degree == 1) return true;
  constexpr uint64_t t = 2;
  uint64_t power = t;
  for (uint32_t i = 1; i <= polynomial.degree / 2; ++i) {
    power = MultiplyModulo(power, power, polynomial);
    if (HasCommonFactor(polynomial, power ^ t)) return false;
  }
  return true;
}

Polynomial RandomIrreducible(uint32_t degree, uint64_t seed) {
  SplitMix64 random(seed ^ kSeedOfPolynomials);
  Polynomial drawn{degree, 0};
  do {
    drawn.low = random.Next() >> (64 - degree);
  } while (!IsIrreducible(drawn));
  return drawn;
}

}  // namespace lookalike
