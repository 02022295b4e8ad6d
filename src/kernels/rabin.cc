#include "kernels/rabin.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/rabin.cc"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

// Highway has carry-less products everywhere, but those it emulates with other instructions are
// slower than tables.
#undef LOOKALIKE_PRODUCTS
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_SSE4 && !defined(HWY_DISABLE_PCLMUL_AES)
#define LOOKALIKE_PRODUCTS 1
#else
#define LOOKALIKE_PRODUCTS 0
#endif

HWY_BEFORE_NAMESPACE();
namespace lookalike {
namespace HWY_NAMESPACE {

bool HasProducts() { return LOOKALIKE_PRODUCTS != 0; }

#if LOOKALIKE_PRODUCTS
namespace hn = hwy::HWY_NAMESPACE;

HWY_INLINE hn::Vec<hn::Full128<uint8_t>> Turned(hn::Vec<hn::Full128<uint8_t>> bytes) {
  const hn::Full128<uint8_t> d;
  alignas(16) static constexpr uint8_t kBackwards[16] = {15, 14, 13, 12, 11, 10, 9, 8,
                                                         7,  6,  5,  4,  3,  2,  1, 0};
  return hn::TableLookupBytes(bytes, hn::Load(d, kBackwards));
}

/// Folds a string with the given fingerprint, and the blocks of 16 bytes that follow the string,
/// into 16 bytes with the fingerprint of the whole. If hi t^64 + lo stands for everything up to a
/// block, hi t^192 + lo t^128 + the next block has the fingerprint of everything up to the next
/// block.
void Fold(uint64_t fingerprint, const char* bytes, size_t blocks, const uint64_t* powers,
          char* out) {
  const hn::Full128<uint64_t> d;
  const hn::Full128<uint8_t> d8;
  const auto power = hn::LoadU(d, powers);
  auto all = hn::InterleaveLower(hn::Set(d, fingerprint), hn::Zero(d));
  for (size_t i = 0; i < blocks; ++i) {
    const auto* const at = reinterpret_cast<const uint8_t*>(bytes + 16 * i);
    const auto block = hn::BitCast(d, Turned(hn::LoadU(d8, at)));
    all = hn::Xor(hn::Xor(hn::CLMulLower(all, power), hn::CLMulUpper(all, power)), block);
  }
  hn::StoreU(Turned(hn::BitCast(d8, all)), d8, reinterpret_cast<uint8_t*>(out));
}

/// Multiplies and adds by Barrett's reduction, which is exact for polynomials, modulo t^64 + low;
/// `quotient` is the quotient of t^128, without its term t^64.
void MultiplyAdd(const uint64_t* a, const uint64_t* b, const uint64_t* c, size_t count,
                 uint64_t low, uint64_t quotient, int shift, uint64_t* out) {
  const hn::Full128<uint64_t> d;
  const auto p = hn::Set(d, low), q = hn::Set(d, quotient);
  for (size_t i = 0; i < count; ++i) {
    const auto product = hn::CLMulLower(hn::Set(d, a[i] << shift), hn::Set(d, b[i]));
    const auto times = hn::Xor(hn::CLMulUpper(product, q), product);  // upper half: the quotient
    const auto rest = hn::Xor(hn::CLMulUpper(times, p), product);
    out[i] = hn::GetLane(rest) >> shift ^ c[i];
  }
}
#else
void Fold(uint64_t, const char*, size_t, const uint64_t*, char*) {}
void MultiplyAdd(const uint64_t*, const uint64_t*, const uint64_t*, size_t, uint64_t, uint64_t, int,
                 uint64_t*) {}
#endif

}  // namespace HWY_NAMESPACE
}  // namespace lookalike
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lookalike {
namespace {

HWY_EXPORT(HasProducts);
HWY_EXPORT(Fold);
HWY_EXPORT(MultiplyAdd);

constexpr size_t kFoldedBytes = 16;
constexpr size_t kFoldFrom = 64;  // shorter strings take less time by the table

/// Returns the upper 64 terms of t^128 / (t^64 + low), by long division.
uint64_t QuotientOf(uint64_t low) {
  uint64_t quotient = 0, rest = low;
  for (int i = 63; i >= 0; --i) {
    if ((rest >> i & 1) == 0) continue;
    quotient |= uint64_t{1} << i;
    rest ^= i == 0 ? 0 : low >> (64 - i);
  }
  return quotient;
}

}  // namespace

bool HasCarrylessProducts() { return HWY_DYNAMIC_DISPATCH(HasProducts)(); }

RabinFunction::RabinFunction(const Polynomial& modulus)
    : modulus_(modulus),
      mask_(~uint64_t{0} >> (64 - modulus.degree)),
      quotient_(QuotientOf(modulus.low << (64 - modulus.degree))) {
  uint64_t power = modulus.low;
  for (size_t bit = 1; bit < over_.size(); bit *= 2) {
    for (size_t i = 0; i < bit; ++i) over_[bit + i] = over_[i] ^ power;
    power = TimesT(power, modulus);
  }
  fold_ = {Shift(16), Shift(24)};
}

uint64_t RabinFunction::Multiply(uint64_t a, uint64_t b) const {
  if (modulus_.degree < 4) return MultiplyModulo(a, b, modulus_);
  std::array<uint64_t, 16> multiples = {0, a};
  for (size_t i = 2; i < multiples.size(); ++i) {
    multiples[i] = i % 2 == 0 ? TimesT(multiples[i / 2], modulus_) : multiples[i - 1] ^ a;
  }
  uint64_t product = 0;
  for (int at = 60; at >= 0; at -= 4) {
    product = (product << 4 & mask_) ^ over_[product >> (modulus_.degree - 4)];
    product ^= multiples[b >> at & 15];
  }
  return product;
}

uint64_t RabinFunction::Shift(uint64_t bytes) const {
  uint64_t power = 1;
  for (uint64_t square = Push(1, 0); bytes != 0; bytes /= 2) {
    if (bytes % 2 == 1) power = Multiply(power, square);
    square = Multiply(square, square);
  }
  return power;
}

uint64_t RabinFunction::Extend(uint64_t fingerprint, std::string_view bytes) const {
  if (bytes.size() >= kFoldFrom && HasCarrylessProducts()) {
    const size_t blocks = bytes.size() / kFoldedBytes;
    std::array<char, kFoldedBytes> folded;
    HWY_DYNAMIC_DISPATCH(Fold)
    (fingerprint, bytes.data(), blocks, fold_.data(), folded.data());
    fingerprint = ExtendByTable(0, {folded.data(), folded.size()});
    bytes.remove_prefix(blocks * kFoldedBytes);
  }
  return ExtendByTable(fingerprint, bytes);
}

// A polynomial of lower degree is multiplied by t^(64 - degree), and so is one factor: the
// remainder is then the wanted one times t^(64 - degree).
void RabinFunction::MultiplyAdd(const uint64_t* a, const uint64_t* b, const uint64_t* c,
                                size_t count, uint64_t* out) const {
  if (!HasCarrylessProducts()) {
    for (size_t i = 0; i < count; ++i) out[i] = Multiply(a[i], b[i]) ^ c[i];
    return;
  }
  const int shift = 64 - static_cast<int>(modulus_.degree);
  HWY_DYNAMIC_DISPATCH(MultiplyAdd)
  (a, b, c, count, modulus_.low << shift, quotient_, shift, out);
}

RabinWindow::RabinWindow(const RabinFunction& function, uint64_t width) : function_(function) {
  const uint64_t shift = function.Shift(width);
  for (size_t c = 0; c < drop_.size(); ++c) {
    drop_[c] = function.Multiply(function.Push(0, static_cast<uint8_t>(c)), shift);
  }
}

}  // namespace lookalike
#endif  // HWY_ONCE
