// The content of a block of 64 bytes of UTF-8 as bits: bit i represents byte i. Compiled once for
// every instruction set: included below hwy/foreach_target.h.
#if defined(LOOKALIKE_KERNELS_TEXT_BLOCK_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LOOKALIKE_KERNELS_TEXT_BLOCK_INL_H_
#undef LOOKALIKE_KERNELS_TEXT_BLOCK_INL_H_
#else
#define LOOKALIKE_KERNELS_TEXT_BLOCK_INL_H_
#endif

#include <hwy/highway.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "kernels/fold.h"

HWY_BEFORE_NAMESPACE();
namespace lookalike {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr size_t kBlock = 64;

// A block of any bytes.
struct BlockBits {
  uint64_t word;  // an ASCII letter, digit or '_'
  uint64_t high;  // not ASCII
};

// The bytes of a block that are not ASCII. `from3` marks the first bytes of sequences of three and
// four bytes.
struct Utf8Bits {
  uint64_t tails;  // 80 to BF
  uint64_t from3;  // E0 and up
  uint64_t from4;  // F0 and up
  uint64_t wrong;  // never in well-formed text, or not before the byte after it
};

// First bytes of sequences in uniform ranges, and the subset whose code points are words by
// themselves.
struct UniformBits {
  uint64_t kept, alone;
};

// First bytes of the sequences of three bytes whose code points are on one page, and the page's
// content for them.
struct PageBits {
  uint64_t here;
  uint64_t kept, marks, word, alone;  // also set elsewhere
};

#if HWY_TARGET == HWY_SCALAR
HWY_INLINE BlockBits FoldBlock(const char* text, char* out) {
  BlockBits bits = {0, 0};
  for (size_t i = 0; i < kBlock; ++i) {
    const char c = text[i];
    const char folded = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
    const bool is_word = (folded >= 'a' && folded <= 'z') || (c >= '0' && c <= '9') || c == '_';
    out[i] = folded;
    bits.word |= static_cast<uint64_t>(is_word) << i;
    bits.high |= static_cast<uint64_t>((c & 0x80) != 0) << i;
  }
  return bits;
}

HWY_INLINE Utf8Bits ClassifyUtf8(const char* text) {
  Utf8Bits bits = {0, 0, 0, 0};
  for (size_t i = 0; i < kBlock; ++i) {
    const auto c = static_cast<uint8_t>(text[i]);
    const auto next = static_cast<uint8_t>(text[i + 1]);
    const bool wrong = c == 0xC0 || c == 0xC1 || c > 0xF4 || (c == 0xE0 && next < 0xA0) ||
                       (c == 0xED && next > 0x9F) || (c == 0xF0 && next < 0x90) ||
                       (c == 0xF4 && next > 0x8F);
    bits.tails |= uint64_t{c >= 0x80 && c < 0xC0} << i;
    bits.from3 |= uint64_t{c >= 0xE0} << i;
    bits.from4 |= uint64_t{c >= 0xF0} << i;
    bits.wrong |= uint64_t{wrong} << i;
  }
  return bits;
}

HWY_INLINE UniformBits FindUniform(const char* text, const UniformRanges& uniform) {
  UniformBits bits = {0, 0};
  for (size_t i = 0; i < kBlock; ++i) {
    const auto c = static_cast<uint8_t>(text[i]);
    if (c < 0xC0 || c >= 0xF0) continue;
    const unsigned range = static_cast<uint8_t>(text[i + 1]) >> 3 & 7;
    bits.kept |= static_cast<uint64_t>(uniform.kept[c - 0xC0] >> range & 1) << i;
    if (c >= 0xE0) {
      bits.alone |= static_cast<uint64_t>(uniform.alone[c - 0xE0] >> range & 1) << i;
    }
  }
  return bits;
}
#else
template <class D, class M>
HWY_INLINE uint64_t MaskBits(D d, M mask) {
  uint8_t bytes[8] = {};
  hn::StoreMaskBits(d, mask, bytes);
  uint64_t bits;
  std::memcpy(&bits, bytes, sizeof bits);
  return bits;
}

// Lowers ASCII letters; other bytes are copied.
HWY_INLINE BlockBits FoldBlock(const char* text, char* out) {
  const hn::CappedTag<uint8_t, kBlock> d;
  const hn::RebindToSigned<decltype(d)> signed_d;
  const size_t lanes = hn::Lanes(d);
  const auto* in = reinterpret_cast<const uint8_t*>(text);
  auto* folded_out = reinterpret_cast<uint8_t*>(out);
  BlockBits bits = {0, 0};
  for (size_t i = 0; i < kBlock; i += lanes) {
    const auto c = hn::LoadU(d, in + i);
    const auto upper = hn::Lt(hn::Sub(c, hn::Set(d, 'A')), hn::Set(d, 26));
    const auto folded = hn::Or(c, hn::IfThenElseZero(upper, hn::Set(d, 0x20)));
    const auto letter = hn::Lt(hn::Sub(folded, hn::Set(d, 'a')), hn::Set(d, 26));
    const auto digit = hn::Lt(hn::Sub(c, hn::Set(d, '0')), hn::Set(d, 10));
    const auto is_word = hn::Or(hn::Or(letter, digit), hn::Eq(c, hn::Set(d, '_')));
    hn::StoreU(folded, d, folded_out + i);
    bits.word |= MaskBits(d, is_word) << i;
    const auto high = hn::Lt(hn::BitCast(signed_d, c), hn::Zero(signed_d));
    bits.high |= MaskBits(signed_d, high) << i;
  }
  return bits;
}

HWY_INLINE Utf8Bits ClassifyUtf8(const char* text) {
  const hn::CappedTag<uint8_t, kBlock> d;
  const auto* bytes = reinterpret_cast<const uint8_t*>(text);
  Utf8Bits bits = {0, 0, 0, 0};
  for (size_t i = 0; i < kBlock; i += hn::Lanes(d)) {
    const auto c = hn::LoadU(d, bytes + i);
    const auto next = hn::LoadU(d, bytes + i + 1);
    const auto is = [&](uint8_t byte) { return hn::Eq(c, hn::Set(d, byte)); };
    const auto above = [&](auto v, uint8_t byte) { return hn::Gt(v, hn::Set(d, byte)); };
    const auto from_c0 = above(c, 0xBF);
    bits.tails |= MaskBits(d, hn::AndNot(from_c0, above(c, 0x7F))) << i;
    bits.from3 |= MaskBits(d, above(c, 0xDF)) << i;
    bits.from4 |= MaskBits(d, above(c, 0xEF)) << i;
    const auto never =
        hn::Or(hn::Eq(hn::And(c, hn::Set(d, 0xFE)), hn::Set(d, 0xC0)), above(c, 0xF4));
    const auto too_low =
        hn::Or(hn::AndNot(above(next, 0x9F), is(0xE0)), hn::AndNot(above(next, 0x8F), is(0xF0)));
    const auto too_high =
        hn::Or(hn::And(above(next, 0x9F), is(0xED)), hn::And(above(next, 0x8F), is(0xF4)));
    bits.wrong |= MaskBits(d, hn::Or(never, hn::Or(too_low, too_high))) << i;
  }
  return bits;
}

HWY_ALIGN constexpr uint8_t kBitOf[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};

HWY_INLINE UniformBits FindUniform(const char* text, const UniformRanges& uniform) {
  const hn::CappedTag<uint8_t, kBlock> d;
  const auto* bytes = reinterpret_cast<const uint8_t*>(text);
  const hn::Repartition<uint16_t, decltype(d)> d16;
  const auto range_bits = hn::LoadDup128(d, kBitOf);
  const auto c0 = hn::LoadDup128(d, uniform.kept.data());
  const auto d0 = hn::LoadDup128(d, uniform.kept.data() + 16);
  const auto e0 = hn::LoadDup128(d, uniform.kept.data() + 32);
  const auto alone_e0 = hn::LoadDup128(d, uniform.alone.data());
  UniformBits bits = {0, 0};
  for (size_t i = 0; i < kBlock; i += hn::Lanes(d)) {
    const auto c = hn::LoadU(d, bytes + i);
    const auto low = hn::And(c, hn::Set(d, 0x0F));
    const auto high = hn::And(c, hn::Set(d, 0xF0));
    const auto of = [&](uint8_t byte, auto from) {
      return hn::IfThenElseZero(hn::Eq(high, hn::Set(d, byte)), hn::TableLookupBytes(from, low));
    };
    const auto next = hn::LoadU(d, bytes + i + 1);
    const auto range =
        hn::And(hn::BitCast(d, hn::ShiftRight<3>(hn::BitCast(d16, next))), hn::Set(d, 7));
    const auto bit = hn::TableLookupBytes(range_bits, range);
    const auto kept = hn::Or(hn::Or(of(0xC0, c0), of(0xD0, d0)), of(0xE0, e0));
    bits.kept |= MaskBits(d, hn::Ne(hn::And(kept, bit), hn::Zero(d))) << i;
    bits.alone |= MaskBits(d, hn::Ne(hn::And(of(0xE0, alone_e0), bit), hn::Zero(d))) << i;
  }
  return bits;
}

// Finds the code points on the same page as the code point at text[i], which has three bytes.
HWY_INLINE PageBits FindPage(const char* text, size_t i, const FoldPage::Rows& rows) {
  const hn::CappedTag<uint8_t, kBlock> d;
  const hn::Repartition<uint16_t, decltype(d)> d16;
  const auto* bytes = reinterpret_cast<const uint8_t*>(text);
  const auto lead = hn::Set(d, bytes[i]);
  const auto even = hn::Set(d, 0xFE);
  const auto second = hn::And(hn::Set(d, bytes[i + 1]), even);
  const auto bits_of = hn::LoadDup128(d, kBitOf);
  const auto kept = hn::LoadDup128(d, rows.kept.data());
  const auto marks = hn::LoadDup128(d, rows.marks.data());
  const auto word = hn::LoadDup128(d, rows.word.data());
  const auto alone = hn::LoadDup128(d, rows.alone.data());
  PageBits bits = {0, 0, 0, 0, 0};
  for (size_t j = 0; j < kBlock; j += hn::Lanes(d)) {
    const auto c = hn::LoadU(d, bytes + j);
    const auto next = hn::LoadU(d, bytes + j + 1);
    const auto third = hn::LoadU(d, bytes + j + 2);
    // A page has two second bytes: the last bit of the second byte and the upper three of the third
    // byte's six bits select the byte of a row.
    const auto upper =
        hn::And(hn::BitCast(d, hn::ShiftLeft<3>(hn::BitCast(d16, next))), hn::Set(d, 8));
    const auto lower =
        hn::And(hn::BitCast(d, hn::ShiftRight<3>(hn::BitCast(d16, third))), hn::Set(d, 7));
    const auto at = hn::Or(upper, lower);
    const auto bit = hn::TableLookupBytes(bits_of, hn::And(third, hn::Set(d, 7)));
    const auto found = [&](auto row) {
      const auto has = hn::And(hn::TableLookupBytes(row, at), bit);
      return MaskBits(d, hn::Ne(has, hn::Zero(d))) << j;
    };
    const auto here = hn::And(hn::Eq(c, lead), hn::Eq(hn::And(next, even), second));
    bits.here |= MaskBits(d, here) << j;
    bits.kept |= found(kept);
    bits.marks |= found(marks);
    bits.word |= found(word);
    bits.alone |= found(alone);
  }
  return bits;
}
#endif

#if HWY_TARGET <= HWY_AVX3
HWY_ALIGN constexpr uint32_t kSixteen[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
#endif

// Writes base + i for every bit i; room for 64 values. Returns their number.
HWY_INLINE size_t StoreBits(uint64_t bits, uint32_t base, uint32_t* out) {
#if HWY_TARGET <= HWY_AVX3
  const hn::CappedTag<uint32_t, 16> d;
  auto values = hn::Add(hn::Load(d, kSixteen), hn::Set(d, base));
  uint32_t* next = out;
  for (uint32_t i = 0; i < kBlock; i += 16) {
    const uint16_t part = static_cast<uint16_t>(bits >> i);
    uint8_t bytes[8] = {};
    std::memcpy(bytes, &part, sizeof part);
    const auto mask = hn::LoadMaskBits(d, bytes);
    hn::StoreU(hn::Compress(values, mask), d, next);
    values = hn::Add(values, hn::Set(d, 16));
    next += std::popcount(part);
  }
  return static_cast<size_t>(next - out);
#elif HWY_TARGET <= HWY_AVX2
  // Eight at a time, however many are left: the number of rounds is easier to predict.
  const auto count = static_cast<size_t>(std::popcount(bits));
  for (size_t done = 0; done < count; done += 8) {
    for (size_t i = 0; i < 8; ++i, bits &= bits - 1) {
      out[done + i] = base + static_cast<uint32_t>(std::countr_zero(bits));
    }
  }
  return count;
#else
  uint32_t* next = out;
  for (; bits != 0; bits &= bits - 1) {
    *next++ = base + static_cast<uint32_t>(std::countr_zero(bits));
  }
  return static_cast<size_t>(next - out);
#endif
}

// Writes base + i and base + i + 3 for every bit i. Bits are at least three apart. Returns the
// number of values written; room for 56 is needed.
HWY_INLINE size_t StoreTriples(uint64_t bits, uint32_t base, uint32_t* out) {
  uint32_t* next = out;
#if HWY_TARGET <= HWY_AVX3
  const hn::CappedTag<uint32_t, 16> d;
  const auto twice = hn::IndicesFromVec(d, hn::ShiftRight<1>(hn::Load(d, kSixteen)));
  const auto ends = hn::OddEven(hn::Set(d, 3), hn::Zero(d));
  auto values = hn::Add(hn::Load(d, kSixteen), hn::Set(d, base));
  for (uint32_t i = 0; i < kBlock; i += 16) {
    const uint16_t part = static_cast<uint16_t>(bits >> i);
    uint8_t bytes[8] = {};
    std::memcpy(bytes, &part, sizeof part);
    const auto begins = hn::Compress(values, hn::LoadMaskBits(d, bytes));  // six at most
    hn::StoreU(hn::Add(hn::TableLookupLanes(begins, twice), ends), d, next);
    values = hn::Add(values, hn::Set(d, 16));
    next += 2 * std::popcount(part);
  }
#else
  for (; bits != 0; bits &= bits - 1, next += 2) {
    next[0] = base + static_cast<uint32_t>(std::countr_zero(bits));
    next[1] = next[0] + 3;
  }
#endif
  return static_cast<size_t>(next - out);
}

}  // namespace HWY_NAMESPACE
}  // namespace lookalike
HWY_AFTER_NAMESPACE();

#endif  // LOOKALIKE_KERNELS_TEXT_BLOCK_INL_H_
