// Rabin's fingerprints: a string of bits, taken as a polynomial over GF(2), modulo a random
// irreducible one (Rabin, Fingerprinting by random polynomials, 1981; Broder, Some applications of
// Rabin's fingerprinting method, 1993).
//
// Two different strings of up to n bits have the same fingerprint for at most n / 2^k of the
// polynomials of degree k, whatever the strings; among m strings, some two do for at most m^2 n /
// 2^k of them.
#ifndef LOOKALIKE_KERNELS_RABIN_H_
#define LOOKALIKE_KERNELS_RABIN_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "kernels/polynomial.h"

namespace lookalike {

/// f(A) = A(t) mod P(t), where the first bit of A is the coefficient of the highest power, and the
/// first bit of a byte is its highest bit. Fingerprints of equal P obey, with ◆ for "followed by",
///
///     f(a ◆ b) = f(f(a) ◆ b)    f(a ^ b) = f(a) ^ f(b)    f(a · b) = f(f(a) · f(b))
///
/// and zero bits at the beginning make no difference unless a 1 bit comes before them: start from
/// 1, not 0. Immutable. The results are the same on every instruction set.
class RabinFunction {
 public:
  /// Makes tables of 2 KiB. The equations above hold for any polynomial; the bound on collisions
  /// only holds if it is irreducible and drawn at random.
  explicit RabinFunction(const Polynomial& modulus);

  [[nodiscard]] const Polynomial& modulus() const { return modulus_; }

  /// Returns f(a ◆ byte) from f(a), by one look-up.
  [[nodiscard]] uint64_t Push(uint64_t fingerprint, uint8_t byte) const {
    const uint32_t degree = modulus_.degree;
    if (degree < 8) {
      const uint64_t whole = fingerprint << 8 | byte;
      return (whole & mask_) ^ over_[whole >> degree];
    }
    return ((fingerprint << 8 | byte) & mask_) ^ over_[fingerprint >> (degree - 8)];
  }

  /// Returns f(a ◆ bytes) from f(a). Long strings use carry-less products if the machine has them.
  [[nodiscard]] uint64_t Extend(uint64_t fingerprint, std::string_view bytes) const;

  /// Returns the same by Push alone.
  [[nodiscard]] uint64_t ExtendByTable(uint64_t fingerprint, std::string_view bytes) const {
    for (const char byte : bytes) fingerprint = Push(fingerprint, static_cast<uint8_t>(byte));
    return fingerprint;
  }

  /// Returns f(bytes), and f(1 ◆ bytes).
  [[nodiscard]] uint64_t Of(std::string_view bytes) const { return Extend(0, bytes); }
  [[nodiscard]] uint64_t OfPrefixed(std::string_view bytes) const { return Extend(1, bytes); }

  /// Returns f(a · b) from f(a) and f(b), four bits of b at a time.
  [[nodiscard]] uint64_t Multiply(uint64_t a, uint64_t b) const;

  /// Returns t^(8 bytes) mod P, the factor that moves a string before that many bytes.
  [[nodiscard]] uint64_t Shift(uint64_t bytes) const;

  /// Returns f(a ◆ b) from f(a) and f(b), where b has `bytes_of_b` bytes.
  [[nodiscard]] uint64_t Concatenate(uint64_t a, uint64_t b, uint64_t bytes_of_b) const {
    return Multiply(a, Shift(bytes_of_b)) ^ b;
  }

  /// Sets out[i] = a[i] b[i] + c[i] mod P, by carry-less products if the machine has them.
  void MultiplyAdd(const uint64_t* a, const uint64_t* b, const uint64_t* c, size_t count,
                   uint64_t* out) const;

 private:
  Polynomial modulus_;
  uint64_t mask_;                        ///< The bits below t^degree.
  uint64_t quotient_;                    ///< t^128 / (P t^(64 - degree)), without its term t^64.
  std::array<uint64_t, 2> fold_;         ///< t^128 and t^192 mod P.
  std::array<uint64_t, 256> over_ = {};  ///< i t^degree mod P.
};

/// The fingerprints of all windows of `width` bytes of a string, one after the other.
class RabinWindow {
 public:
  /// REQUIRES: `function` outlives this.
  RabinWindow(const RabinFunction& function, uint64_t width);

  /// Returns the fingerprint of the window after dropping the byte `out` in front and adding `in`
  /// at its end.
  [[nodiscard]] uint64_t Slide(uint64_t fingerprint, uint8_t in, uint8_t out) const {
    return function_.Push(fingerprint, in) ^ drop_[out];
  }

 private:
  const RabinFunction& function_;
  std::array<uint64_t, 256> drop_;  ///< c t^(8 width) mod P.
};

/// True if the instruction set that kernels run on has carry-less products.
bool HasCarrylessProducts();

}  // namespace lookalike

#endif  // LOOKALIKE_KERNELS_RABIN_H_
