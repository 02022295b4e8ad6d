#include "kernels/fold.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/fold.cc"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "kernels/long_word.h"

HWY_BEFORE_NAMESPACE();
namespace lookalike {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr size_t kBlock = 64;
constexpr size_t kLongestSequence = 4;
constexpr int kFewLeads = 4;  // for which uniform ranges are not worth finding

// What a block of 64 bytes holds: bit i stands for byte i.
struct BlockBits {
  uint64_t word;  // an ASCII letter, digit or '_'
  uint64_t high;  // not ASCII
};

// The bytes of a block that are not ASCII. Sequences of three and four bytes begin in `from3`.
struct Utf8Bits {
  uint64_t tails;  // 80 to BF
  uint64_t from3;  // E0 and up
  uint64_t from4;  // F0 and up
  uint64_t wrong;  // never in well-formed text, or not before the byte after it
};

// First bytes of sequences in uniform ranges, and those of words by themselves among them.
struct UniformBits {
  uint64_t kept, alone;
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

HWY_INLINE UniformBits FindUniform(const char* text, const UniformRanges& uniform) {
  const hn::CappedTag<uint8_t, kBlock> d;
  const auto* bytes = reinterpret_cast<const uint8_t*>(text);
  const hn::Repartition<uint16_t, decltype(d)> d16;
  HWY_ALIGN static constexpr uint8_t kBits[16] = {1, 2, 4, 8, 16, 32, 64, 128,
                                                  1, 2, 4, 8, 16, 32, 64, 128};
  const auto range_bits = hn::LoadDup128(d, kBits);
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
#endif

#if HWY_TARGET <= HWY_AVX3
HWY_ALIGN constexpr uint32_t kSixteen[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
#endif

// Writes base + i for every bit i; room for 64 values. Returns how many there are.
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
  // Eight at a time, whatever is left of them: the number of rounds is easier to foresee.
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

// The code point at a well-formed sequence that is not ASCII. Four bytes are readable.
HWY_INLINE char32_t Decode(const char* text) {
  uint32_t x;
  std::memcpy(&x, text, sizeof x);
  const uint32_t lead = x & 0xFF;
  if (lead < 0xE0) return (x & 0x1F) << 6 | (x >> 8 & 0x3F);
  if (lead < 0xF0) return (x & 0x0F) << 12 | (x >> 8 & 0x3F) << 6 | (x >> 16 & 0x3F);
  return (x & 7) << 18 | (x >> 8 & 0x3F) << 12 | (x >> 16 & 0x3F) << 6 | (x >> 24 & 0x3F);
}

// Returns how many bytes were written.
HWY_INLINE uint32_t Encode(char32_t c, char* out) {
  const auto put = [out](size_t i, char32_t byte) { out[i] = static_cast<char>(byte); };
  const auto tail = [](char32_t bits) { return 0x80 | (bits & 0x3F); };
  if (c < 0x80) return put(0, c), 1;
  if (c < 0x800) return put(0, 0xC0 | c >> 6), put(1, tail(c)), 2;
  if (c < 0x10000) {
    return put(0, 0xE0 | c >> 12), put(1, tail(c >> 6)), put(2, tail(c)), 3;
  }
  return put(0, 0xF0 | c >> 18), put(1, tail(c >> 12)), put(2, tail(c >> 6)), put(3, tail(c)), 4;
}

// The bytes of a block that were folded, and the words among them.
struct WordBits {
  uint64_t word;    // bytes of word code points
  uint64_t starts;  // first and last bytes of those that are words by themselves
  uint64_t ends;
};

class WordFolder {
 public:
  WordFolder(const char* text, const FoldTable& table, char* out, uint32_t* edges)
      : text_(text), table_(table), out_(out), edges_(edges) {}

  // Returns the number of words.
  size_t Run(size_t count) {
    const size_t room = FoldRoom(count);
    char tail[2 * kBlock];
    for (size_t at = 0; at < count;) {
      if (room - to_ < 2 * kBlock) return kNotFolded;
      const char* here = text_ + at;
      const size_t left = count - at;
      if (left < kBlock + kLongestSequence) {
        std::memset(tail, 0, sizeof tail);
        here = static_cast<const char*>(std::memcpy(tail, here, left));
      }
      const BlockBits bits = FoldBlock(here, out_ + to_);
      const size_t size = HWY_MIN(left, kBlock);
      size_t taken = size;
      if (bits.high == 0) {
        EndAsciiBlock(bits.word, size);
      } else {
        taken = FoldMixedBlock(here, at, size, bits);
        if (taken == 0) return kNotFolded;
      }
      at += taken;
    }
    if (inside_ != 0) edges_[edge_count_++] = static_cast<uint32_t>(to_);
    return edge_count_ / 2;
  }

 private:
  // `size` bytes were written, of which `word` belong to words.
  HWY_INLINE void EndAsciiBlock(uint64_t word, size_t size) {
    const uint64_t before = word << 1 | inside_;
    uint64_t turns = (word ^ before) | cut_;
    turns &= ~uint64_t{0} >> (kBlock - size);
    if (HWY_UNLIKELY((cut_ & word) != 0)) {  // a word ends where the next one begins
      edges_[edge_count_++] = static_cast<uint32_t>(to_);
    }
    edge_count_ += StoreBits(turns, static_cast<uint32_t>(to_), edges_ + edge_count_);
    inside_ = word >> (size - 1) & 1;
    cut_ = 0;
    to_ += size;
  }

  HWY_INLINE void EndMixedBlock(WordBits bits, size_t size) {
    if (size == 0) return;
    const uint64_t written = ~uint64_t{0} >> (kBlock - size);
    const uint64_t word = bits.word & written;
    const uint64_t before = word << 1 | inside_;
    const uint64_t borders = bits.starts | bits.ends << 1 | cut_;
    const uint64_t begins = word & (~before | borders);
    const uint64_t ends = before & (~word | borders) & written;
    uint32_t* next = edges_ + edge_count_;
    const auto base = static_cast<uint32_t>(to_);
    if ((begins & ends) == 0) {
      next += StoreBits(begins | ends, base, next);
    } else {
      for (uint64_t turns = begins | ends; turns != 0; turns &= turns - 1) {
        const auto i = static_cast<uint32_t>(std::countr_zero(turns));
        next[0] = next[1] = base + i;
        next += 1 + ((begins & ends) >> i & 1);
      }
    }
    edge_count_ = static_cast<size_t>(next - edges_);
    inside_ = word >> (size - 1) & 1;
    cut_ = bits.ends >> (size - 1) & 1;
    to_ += size;
  }

  // A block whose ASCII part is folded. Ends it early before a code point that changes its length
  // or does not fit. Returns how many bytes of text it took, 0: not to be folded here.
  size_t FoldMixedBlock(const char* here, size_t at, size_t size, BlockBits block) {
    const Utf8Bits utf8 = ClassifyUtf8(here);
    const size_t whole = WholeSequences(utf8, block.high, size);
    if (whole == 0) return 0;
    const uint64_t all_leads = block.high & ~utf8.tails & ~uint64_t{0} >> (kBlock - whole);
    UniformBits uniform = {0, 0};
    if (std::popcount(all_leads) > kFewLeads) uniform = FindUniform(here, table_.uniform());
    uint64_t word = uniform.kept & all_leads, alone = uniform.alone & all_leads;  // bits of leads
    for (uint64_t leads = all_leads & ~uniform.kept; leads != 0; leads &= leads - 1) {
      const auto i = static_cast<size_t>(std::countr_zero(leads));
      const char32_t value = Decode(here + i);
      uint32_t plain = HWY_LIKELY(value < 0x10000) ? table_.PlainClass(value) : 0;
      if (HWY_UNLIKELY(plain == 0)) {
        const FoldEntry entry = EntryOf(value);
        const size_t end = i + SequenceLength(utf8, i);
        if (entry.kind() == FoldKind::kString) {
          const uint64_t before = (uint64_t{1} << i) - 1;
          EndMixedBlock(Expand(block.word, word & before, alone & before, utf8), i);
          return AppendString(value, entry, at + i, at + end) ? end : 0;
        }
        if (entry.kind() == FoldKind::kChanged) Encode(entry.target(), out_ + to_ + i);
        if (entry.kind() == FoldKind::kMark && !AcceptMarkAt(entry, at + i, at + end)) return 0;
        plain = entry.bits;
      }
      word |= static_cast<uint64_t>(plain & 1) << i;
      alone |= static_cast<uint64_t>(plain >> 1 & 1) << i;
    }
    EndMixedBlock(Expand(block.word, word, alone, utf8), whole);
    return whole;
  }

  FoldEntry EntryOf(char32_t value) const {
    return table_.PageOf(value).entries[value % FoldPage::kSize];
  }

  // How many bytes of a block hold whole sequences; 0: it holds ill-formed ones.
  static HWY_INLINE size_t WholeSequences(const Utf8Bits& utf8, uint64_t high, size_t size) {
    const uint64_t leads = high & ~utf8.tails;
    const uint64_t top = uint64_t{1} << (size - 1);
    const uint64_t cut = (leads & top) | (utf8.from3 & (top >> 1)) | (utf8.from4 & (top >> 2));
    if (cut != 0) {
      // Only more text can hold the rest.
      if (size < kBlock) return 0;
      size = static_cast<size_t>(std::countr_zero(cut));
    }
    const uint64_t inside = ~uint64_t{0} >> (kBlock - size);
    const uint64_t tails = leads << 1 | utf8.from3 << 2 | utf8.from4 << 3;
    return (((tails ^ utf8.tails) | utf8.wrong) & inside) == 0 ? size : 0;
  }

  static HWY_INLINE size_t SequenceLength(const Utf8Bits& utf8, size_t i) {
    return 2 + (utf8.from3 >> i & 1) + (utf8.from4 >> i & 1);
  }

  // From bits of the first bytes of code points to bits of all their bytes.
  static HWY_INLINE WordBits Expand(uint64_t ascii, uint64_t word, uint64_t alone,
                                    const Utf8Bits& utf8) {
    const uint64_t only2 = alone & ~utf8.from3, only3 = alone & utf8.from3 & ~utf8.from4;
    return {ascii | word | word << 1 | (word & utf8.from3) << 2 | (word & utf8.from4) << 3, alone,
            only2 << 1 | only3 << 2 | (alone & utf8.from4) << 3};
  }

  // Makes `last_` what ends at byte `at` of the text.
  void JoinLast(size_t at) {
    if (at == last_end_) return;
    size_t lead = at - 1;
    if (static_cast<uint8_t>(text_[lead]) < 0x80) {
      last_ = kAscii;
      return;
    }
    while ((static_cast<uint8_t>(text_[lead]) & 0xC0) == 0x80) --lead;
    last_ = EntryOf(Decode(text_ + lead));  // neither a mark nor a string: those set `last_`
  }

  bool AcceptMarkAt(FoldEntry mark, size_t begin, size_t end) {
    JoinLast(begin);
    last_end_ = end;
    return AcceptMark(mark);
  }

  // Whether the form stays in normal form with a mark after it.
  bool AcceptMark(FoldEntry mark) {
    const uint32_t order = mark.combining_class();
    if (mark.composes() && last_.open()) return false;
    if (order == 0) {
      last_ = mark;
      return true;
    }
    if (last_.combining_class() > order) return false;
    last_.bits = (mark.bits & ~FoldEntry::Kept(WordClass::kNone, true).bits) |
                 (last_.bits & FoldEntry::Kept(WordClass::kNone, true).bits);
    return true;
  }

  bool AppendString(char32_t value, FoldEntry entry, size_t begin, size_t end) {
    JoinLast(begin);
    last_end_ = end;
    const FoldString& string = table_.PageOf(value).strings[entry.target()];
    for (const FoldString::Point& point : string.points) {
      if (!string.sealed && point.entry.kind() == FoldKind::kMark) {
        if (!AcceptMark(point.entry)) return false;
      } else {
        last_ = point.entry;
        last_.bits |= FoldEntry::Kept(WordClass::kNone, true).bits;
      }
      Append(point);
    }
    return true;
  }

  void Append(const FoldString::Point& point) {
    const WordClass word = point.entry.word();
    const bool joined = inside_ != 0 && cut_ == 0 && word == WordClass::kWord;
    if (inside_ != 0 && !joined) edges_[edge_count_++] = static_cast<uint32_t>(to_);
    if (word != WordClass::kNone && !joined) edges_[edge_count_++] = static_cast<uint32_t>(to_);
    inside_ = word != WordClass::kNone ? 1 : 0;
    cut_ = word == WordClass::kAlone ? 1 : 0;
    to_ += Encode(point.value, out_ + to_);
  }

  // Any ASCII code point: letters compose with marks.
  static constexpr FoldEntry kAscii = {1 << 2};

  const char* text_;
  const FoldTable& table_;
  char* out_;
  uint32_t* edges_;
  size_t to_ = 0;          // bytes written
  size_t edge_count_ = 0;  // edges written
  uint64_t inside_ = 0;    // whether the last byte written is of a word
  uint64_t cut_ = 0;       // whether that word ends with it
  FoldEntry last_;         // the end of the form as a mark sees it, after a mark or a string
  size_t last_end_ = 0;    // where that mark or string ended in the text
};

size_t FoldWords(const char* text, size_t count, const FoldTable& table, char* out,
                 uint32_t* edges) {
  return WordFolder(text, table, out, edges).Run(count);
}

HWY_INLINE uint64_t Load64(const char* p) {
  uint64_t v;
  std::memcpy(&v, p, sizeof v);
  return v;
}

// The low `bytes` bytes of v; bytes <= 8.
HWY_INLINE uint64_t LowBytes(uint64_t v, size_t bytes) {
  return bytes == 0 ? 0 : v & (~uint64_t{0} >> (64 - 8 * bytes));
}

HWY_INLINE uint64_t HashShortWord(const char* p, size_t length) {
  const uint64_t a = LowBytes(Load64(p), HWY_MIN(length, size_t{8}));
  const uint64_t b = LowBytes(Load64(p + 8), HWY_MAX(length, size_t{8}) - 8);
  uint64_t x = (a ^ kWord0 ^ length) * kWord1;
  x ^= x >> 32;
  x = (x + b) * kWord2;
  return x ^ (x >> 29);
}

HWY_INLINE uint64_t HashWord(const char* text, const uint32_t* edges) {
  const size_t length = edges[1] - edges[0];
  return length <= kShortWord ? HashShortWord(text + edges[0], length)
                              : HashLongWord(text + edges[0], length);
}

#if HWY_TARGET <= HWY_AVX3
// Eight words, which are loaded whole: gathers are slower. The hashes of long ones are wrong.
HWY_INLINE hn::Vec<hn::Full512<uint64_t>> HashEight(const char* text, const uint32_t* edges,
                                                    hn::Vec<hn::Full512<uint64_t>> length) {
  const hn::Full512<uint64_t> d;
  const hn::Full256<uint64_t> d256;
  const hn::Full128<uint64_t> d128;
  const hn::Full128<uint8_t> bytes;
  const auto load = [&](size_t word) {
    const auto* at = reinterpret_cast<const uint8_t*>(text + edges[2 * word]);
    return hn::BitCast(d128, hn::LoadU(bytes, at));
  };
  const auto even =
      hn::Combine(d, hn::Combine(d256, load(6), load(4)), hn::Combine(d256, load(2), load(0)));
  const auto odd =
      hn::Combine(d, hn::Combine(d256, load(7), load(5)), hn::Combine(d256, load(3), load(1)));
  const auto c8 = hn::Set(d, 8);
  const auto ones = hn::Set(d, ~uint64_t{0});
  const auto c64 = hn::Set(d, 64);
  // Shifts by 64 are avoided: the second half of a word that has none is 0 by its own condition.
  const auto cut_a = hn::Sub(c64, hn::ShiftLeft<3>(hn::Min(length, c8)));
  const auto cut_b = hn::Sub(hn::Set(d, 128), hn::ShiftLeft<3>(hn::Min(length, hn::Set(d, 16))));
  const auto a = hn::And(hn::InterleaveLower(d, even, odd), hn::Shr(ones, cut_a));
  const auto b = hn::IfThenElseZero(
      hn::Gt(length, c8), hn::And(hn::InterleaveUpper(d, even, odd), hn::Shr(ones, cut_b)));
  auto x = hn::Mul(hn::Xor(hn::Xor(a, hn::Set(d, kWord0)), length), hn::Set(d, kWord1));
  x = hn::Xor(x, hn::ShiftRight<32>(x));
  x = hn::Mul(hn::Add(x, b), hn::Set(d, kWord2));
  return hn::Xor(x, hn::ShiftRight<29>(x));
}

HWY_INLINE void HashEightWords(const char* text, const uint32_t* edges, uint64_t* out) {
  const hn::Full512<uint64_t> d;
  const hn::Full512<uint32_t> d32;
  const auto ends = hn::BitCast(d, hn::LoadU(d32, edges));
  const auto length = hn::Sub(hn::ShiftRight<32>(ends), hn::And(ends, hn::Set(d, 0xFFFFFFFF)));
  hn::StoreU(HashEight(text, edges, length), d, out);
  const auto long_words = hn::Gt(length, hn::Set(d, kShortWord));
  if (HWY_LIKELY(hn::AllFalse(d, long_words))) return;
  for (size_t i = 0; i < 8; ++i) {
    if (edges[2 * i + 1] - edges[2 * i] > kShortWord) out[i] = HashWord(text, edges + 2 * i);
  }
}
#endif

void HashWords(const char* text, const uint32_t* edges, size_t words, uint64_t* HWY_RESTRICT out) {
  size_t i = 0;
#if HWY_TARGET <= HWY_AVX3
  for (; i + 8 <= words; i += 8) HashEightWords(text, edges + 2 * i, out + i);
#endif
  for (; i < words; ++i) out[i] = HashWord(text, edges + 2 * i);
}

}  // namespace HWY_NAMESPACE
}  // namespace lookalike
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lookalike {
namespace {

HWY_EXPORT(FoldWords);
HWY_EXPORT(HashWords);

}  // namespace

size_t FoldWords(std::string_view text, const FoldTable& table, char* out, uint32_t* edges) {
  return HWY_DYNAMIC_DISPATCH(FoldWords)(text.data(), text.size(), table, out, edges);
}

void HashWords(const char* text, const uint32_t* edges, size_t words, uint64_t* out) {
  HWY_DYNAMIC_DISPATCH(HashWords)(text, edges, words, out);
}

}  // namespace lookalike
#endif  // HWY_ONCE
