#include "kernels/fold.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/fold.cc"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "kernels/long_word.h"
#include "kernels/text_block-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lookalike {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr size_t kLongestSequence = 4;
constexpr int kFewLeads = 4;   // too few to make a look at a whole block worthwhile
constexpr int kMostPages = 4;  // looked up in one block

// Returns the code point at a well-formed sequence that is not ASCII. Four bytes are readable.
HWY_INLINE char32_t Decode(const char* text) {
  uint32_t x;
  std::memcpy(&x, text, sizeof x);
  const uint32_t lead = x & 0xFF;
  if (lead < 0xE0) return (x & 0x1F) << 6 | (x >> 8 & 0x3F);
  if (lead < 0xF0) return (x & 0x0F) << 12 | (x >> 8 & 0x3F) << 6 | (x >> 16 & 0x3F);
  return (x & 7) << 18 | (x >> 8 & 0x3F) << 12 | (x >> 16 & 0x3F) << 6 | (x >> 24 & 0x3F);
}

// Encodes a code point; returns the number of bytes written.
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

// The bytes of words in a block.
struct WordBits {
  uint64_t word;    // bytes of word code points
  uint64_t starts;  // first and last bytes of code points that are words by themselves
  uint64_t ends;
};

// A block, or the rest of one, that is not all ASCII. Except in `ascii`, bits mark first bytes.
struct MixedBits {
  uint64_t ascii;         // word bytes
  uint64_t from3, from4;  // as in Utf8Bits
  uint64_t leads;         // of code points that have not been looked at yet
  uint64_t word, alone;   // of code points in words, and of words by themselves

  [[nodiscard]] HWY_INLINE size_t SequenceLength(size_t i) const {
    return 2 + (from3 >> i & 1) + (from4 >> i & 1);
  }

  // Extends the bits of first bytes to all bytes of the code points.
  [[nodiscard]] HWY_INLINE WordBits Words() const {
    const uint64_t only2 = alone & ~from3, only3 = alone & from3 & ~from4;
    return {ascii | word | word << 1 | (word & from3) << 2 | (word & from4) << 3, alone,
            only2 << 1 | only3 << 2 | (alone & from4) << 3};
  }

  // Leaves out the first `count` bytes, fewer than a block.
  HWY_INLINE void Drop(size_t count) {
    for (uint64_t* bits : {&ascii, &from3, &from4, &leads, &word, &alone}) *bits >>= count;
  }
};

class WordFolder {
 public:
  WordFolder(const char* text, const FoldTable& table, char* out, uint32_t* edges)
      : text_(text), table_(table), out_(out), edges_(edges) {}

  // Returns the number of words.
  size_t Run(size_t count) {
    room_ = FoldRoom(count);
    char tail[2 * kBlock];
    for (size_t at = 0; at < count;) {
      if (room_ - to_ < 2 * kBlock) return kNotFolded;
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
        taken = FoldMixedBlock(here, at, left, bits);
        if (taken == 0) return kNotFolded;
      }
      at += taken;
    }
    if (inside_ != 0) edges_[edge_count_++] = static_cast<uint32_t>(to_);
    return edge_count_ / 2;
  }

 private:
  // Ends a block of which `size` bytes were written; `word` marks the bytes that belong to words.
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

  // Ends a block of which `size` bytes were written. Bits after these bytes are ignored.
  HWY_INLINE void EndMixedBlock(const MixedBits& mixed, size_t size) {
    if (size == 0) return;
    const WordBits bits = mixed.Words();
    const uint64_t written = ~uint64_t{0} >> (kBlock - size);
    const uint64_t word = bits.word & written;
    const uint64_t before = word << 1 | inside_;
    const uint64_t borders = bits.starts | bits.ends << 1 | cut_;
    const uint64_t begins = word & (~before | borders);
    const uint64_t ends = before & (~word | borders) & written;
    uint32_t* next = edges_ + edge_count_;
    const auto base = static_cast<uint32_t>(to_);
    const uint64_t inside = word >> (size - 1) & 1;
    if ((begins & ends) == 0) {
      next += StoreBits(begins | ends, base, next);
    } else if ((ends & ~uint64_t{1}) == (begins << 3 & written)) {
      // Words of three bytes each, after the end of a word that began before, if any. The last one
      // may end with the block; the next block will tell.
      *next = base;
      next += inside_;
      next += StoreTriples(begins, base, next) - inside;
    } else {
      for (uint64_t turns = begins | ends; turns != 0; turns &= turns - 1) {
        const auto i = static_cast<uint32_t>(std::countr_zero(turns));
        next[0] = next[1] = base + i;
        next += 1 + ((begins & ends) >> i & 1);
      }
    }
    edge_count_ = static_cast<size_t>(next - edges_);
    inside_ = inside;
    cut_ = bits.ends >> (size - 1) & 1;
    to_ += size;
  }

  // Folds a block whose ASCII part is already folded; `left` bytes of text are readable. May end
  // the block early at a code point that changes its length or that is cut by the end. Returns the
  // number of bytes of text it took; 0: not to be folded here.
  size_t FoldMixedBlock(const char* here, size_t at, size_t left, BlockBits block) {
    const Utf8Bits utf8 = ClassifyUtf8(here);
    const size_t whole = WholeSequences(utf8, block.high, HWY_MIN(left, kBlock));
    if (whole == 0) return 0;
    MixedBits bits = FindCodePoints(here, block, utf8, ~uint64_t{0} >> (kBlock - whole));
    const size_t part = FoldPart(here, at, whole, &bits);
    if (HWY_LIKELY(part == whole || part == 0 || left < 2 * kBlock)) return part;
    return FoldRest(here, at, whole, part, bits);
  }

  // Folds the rest of a block after its first `done` bytes, the last of which changed their length:
  // the rest is written again in the right place. Another whole block of text is readable after it.
  HWY_NOINLINE size_t FoldRest(const char* here, size_t at, size_t whole, size_t done,
                               MixedBits bits) {
    for (size_t part = done; done < whole && room_ - to_ >= 2 * kBlock; done += part) {
      FoldBlock(here + done, out_ + to_);
      bits.Drop(part);
      part = FoldPart(here + done, at + done, whole - done, &bits);
      if (part == 0) return 0;
    }
    return done;
  }

  // Finds the code points of a block and everything known about them.
  HWY_INLINE MixedBits FindCodePoints(const char* here, BlockBits block, const Utf8Bits& utf8,
                                      uint64_t inside) const {
    const uint64_t leads = block.high & ~utf8.tails & inside;
    MixedBits bits = {block.word, utf8.from3, utf8.from4, leads, 0, 0};
    if (std::popcount(leads) <= kFewLeads) return bits;
    const UniformBits uniform = FindUniform(here, table_.uniform());
    const uint64_t kept = uniform.kept & leads;
    bits.leads ^= kept;
    bits.word = kept;
    bits.alone = uniform.alone & kept;
#if HWY_TARGET != HWY_SCALAR  // scalar code is faster one by one
    const uint64_t sought = bits.leads & utf8.from3 & ~utf8.from4;
    if (std::popcount(sought) > kFewLeads) FindOnPages(here, sought, ~block.high, &bits);
#endif
    return bits;
  }

#if HWY_TARGET != HWY_SCALAR
  // Does the same for many code points `sought` of three bytes, page by page.
  HWY_INLINE void FindOnPages(const char* here, uint64_t sought, uint64_t ascii,
                              MixedBits* bits) const {
    uint64_t kept = bits->word, marks = 0;
    for (int i = 0; i < kMostPages && std::popcount(sought) > kFewLeads; ++i) {
      const auto first = static_cast<size_t>(std::countr_zero(sought));
      const PageBits page = FindPage(here, first, table_.PageOf(Decode(here + first)).rows);
      const uint64_t found = page.here & sought;
      kept |= page.kept & found;
      marks |= page.marks & found;
      bits->word |= page.word & found;
      bits->alone |= page.alone & found;
      sought ^= found;
    }
    bits->leads &= ~(kept | AcceptedMarks(marks, kept, ascii, bits->from3));
  }

  // Returns the bits of `marks` that follow a kept code point: there is nothing to reorder these
  // marks with. REQUIRES: the marks never compose and have three bytes. A mark after them looks
  // back by itself.
  static HWY_INLINE uint64_t AcceptedMarks(uint64_t marks, uint64_t kept, uint64_t ascii,
                                           uint64_t from3) {
    const uint64_t kept2 = kept & ~from3, kept3 = kept & from3;
    const uint64_t after = ascii << 1 | kept2 << 2 | kept3 << 3;
    return marks & after;
  }
#endif

  // Folds the front of a mixed block of `size` bytes, up to its end or a code point that changes
  // its length. Returns the number of bytes of text it took; 0: not to be folded here.
  HWY_INLINE size_t FoldPart(const char* here, size_t at, size_t size, MixedBits* bits) {
    for (uint64_t leads = bits->leads; leads != 0; leads &= leads - 1) {
      const auto i = static_cast<size_t>(std::countr_zero(leads));
      const char32_t value = Decode(here + i);
      uint32_t plain = HWY_LIKELY(value < 0x10000) ? table_.PlainClass(value) : 0;
      if (HWY_UNLIKELY(plain == 0)) {
        const FoldEntry entry = EntryOf(value);
        const size_t end = i + bits->SequenceLength(i);
        if (entry.kind() == FoldKind::kString) {
          EndMixedBlock(*bits, i);
          return AppendString(value, entry, at + i, at + end) ? end : 0;
        }
        if (entry.kind() == FoldKind::kChanged) Encode(entry.target(), out_ + to_ + i);
        if (entry.kind() == FoldKind::kMark && !AcceptMarkAt(entry, at + i, at + end)) return 0;
        plain = entry.bits;
      }
      bits->word |= static_cast<uint64_t>(plain & 1) << i;
      bits->alone |= static_cast<uint64_t>(plain >> 1 & 1) << i;
    }
    EndMixedBlock(*bits, size);
    return size;
  }

  FoldEntry EntryOf(char32_t value) const {
    return table_.PageOf(value).entries[value % FoldPage::kSize];
  }

  // Returns how many bytes of a block hold whole sequences; 0 if the block has ill-formed
  // sequences.
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

  // Sets `last_` to the end of the text up to byte `at`.
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

  // True if the form stays in normal form with a mark after it.
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

  // An ASCII code point: letters compose with marks.
  static constexpr FoldEntry kAscii = {1 << 2};

  const char* text_;
  const FoldTable& table_;
  char* out_;
  uint32_t* edges_;
  size_t room_ = 0;        // bytes that `out_` has room for
  size_t to_ = 0;          // bytes written
  size_t edge_count_ = 0;  // edges written
  uint64_t inside_ = 0;    // 1 if the last byte written belongs to a word
  uint64_t cut_ = 0;       // 1 if that word ends with it
  FoldEntry last_;         // the end of the form as a mark sees it, after a mark or a string
  size_t last_end_ = 0;    // the end of that mark or string in the text
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

// Returns the low `bytes` bytes of v; bytes <= 8.
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
// Hashes eight words, which are loaded whole: gathers are slower. The hashes of long words are
// wrong.
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
  // Avoids shifts by 64: the second half of a word that has none is 0 by its own condition.
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
