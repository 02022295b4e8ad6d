// Polynomials over GF(2) for Rabin's fingerprints: bit i of a number is the coefficient of t^i, and
// addition is exclusive or.
#ifndef LOOKALIKE_KERNELS_POLYNOMIAL_H_
#define LOOKALIKE_KERNELS_POLYNOMIAL_H_

#include <cstdint>

namespace lookalike {

/// The polynomial t^degree + low. REQUIRES: degree from 1 to 64, low below t^degree.
struct Polynomial {
  uint32_t degree = 64;
  uint64_t low = 0;

  bool operator==(const Polynomial&) const = default;
};

/// Returns a t modulo P. REQUIRES: a below t^degree.
constexpr uint64_t TimesT(uint64_t a, const Polynomial& modulus) {
  const uint64_t top = uint64_t{1} << (modulus.degree - 1);
  return (a & ~top) << 1 ^ ((a & top) != 0 ? modulus.low : 0);
}

/// Returns a b modulo P, computed bit by bit. REQUIRES: both below t^degree.
uint64_t MultiplyModulo(uint64_t a, uint64_t b, const Polynomial& modulus);

/// True if P is not a product of two others, by Ben-Or's test: P has no factor in common with
/// t^(2^i) - t, which is the product of all irreducible polynomials whose degree divides i, for any
/// i up to half its degree (FOCS 1981).
bool IsIrreducible(const Polynomial& polynomial);

/// Returns the first irreducible polynomial of that degree that splitmix64 draws from `seed`: all
/// of them are equally likely. docs/format/fingerprint-v1.md has the details. REQUIRES: degree from
/// 1 to 64.
Polynomial RandomIrreducible(uint32_t degree, uint64_t seed);

}  // namespace lookalike

#endif  // LOOKALIKE_KERNELS_POLYNOMIAL_H_
