#include "kernels/unescape.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/unescape.cc"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include <bit>
#include <cstdint>
#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace lookalike {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Masks are read as the integer whose lowest bit represents the first byte.
static_assert(std::endian::native == std::endian::little);

constexpr size_t kFailed = SIZE_MAX;

// Returns the meaning of a backslash and this byte; 0 if that is not a short escape.
constexpr char Meaning(char escaped) {
  switch (escaped) {
    case '"':
    case '\\':
    case '/':
      return escaped;
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    default:
      return 0;
  }
}

#if HWY_TARGET == HWY_AVX3
// Returns a mask of the bytes that are the second byte of an escape: in a run of backslashes and
// the byte after it, every other byte. `carry` says if the first byte is one, and on return if the
// byte after the last is. After simdjson (Langdale, Lemire, Parsing Gigabytes of JSON per Second,
// 2019, section 3.1.1).
HWY_INLINE uint64_t Escaped(uint64_t backslashes, uint64_t* carry) {
  constexpr uint64_t kEven = 0x5555555555555555ULL;
  backslashes &= ~*carry;
  const uint64_t follows = backslashes << 1 | *carry;
  const uint64_t odd_starts = backslashes & ~kEven & ~follows;
  uint64_t even_runs;
  *carry = __builtin_add_overflow(odd_starts, backslashes, &even_runs) ? 1 : 0;
  return (kEven ^ (even_runs << 1)) & follows;
}

struct alignas(64) MeaningTable {
  char of[128] = {};
  constexpr MeaningTable() {
    for (int i = 0; i < 128; ++i) of[i] = Meaning(static_cast<char>(i));
  }
};
constexpr MeaningTable kMeaning;

// Does the same with instructions that Highway has no name for: bytes are looked up in a table of
// 128, and those that stay are moved together at once.
__attribute__((target(HWY_TARGET_STR ",avx512vbmi,avx512vbmi2"))) size_t UnescapeCompressing(
    const char* HWY_RESTRICT in, size_t count, char* HWY_RESTRICT out) {
  const __m512i low = _mm512_load_si512(kMeaning.of);
  const __m512i high = _mm512_load_si512(kMeaning.of + 64);
  char* to = out;
  uint64_t carry = 0, malformed = 0;
  for (size_t i = 0; i < count; i += 64) {
    const uint64_t here = ~uint64_t{0} >> (64 - HWY_MIN(size_t{64}, count - i));
    const __m512i block = _mm512_loadu_si512(in + i);
    const uint64_t backslashes = _mm512_cmpeq_epi8_mask(block, _mm512_set1_epi8('\\')) & here;
    const uint64_t escaped = Escaped(backslashes, &carry);
    const __m512i meant = _mm512_permutex2var_epi8(low, block, high);
    malformed |=
        escaped & here & (_mm512_testn_epi8_mask(meant, meant) | _mm512_movepi8_mask(block));
    const uint64_t stays = here & ~(backslashes & ~escaped);
    const __m512i whole = _mm512_mask_mov_epi8(block, escaped, meant);
    _mm512_storeu_si512(to, _mm512_maskz_compress_epi8(stays, whole));
    to += std::popcount(stays);
    // A backslash at the very end of the string.
    malformed |= count - i < 64 ? escaped & ~here : 0;
  }
  return (malformed | carry) != 0 ? kFailed : static_cast<size_t>(to - out);
}

bool HasByteCompress() {
  static const bool has =
      __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2");
  return has;
}
#endif

// Copies whole blocks, then the bytes after each backslash again, one place further to the front.
size_t UnescapeShort(const char* HWY_RESTRICT in, size_t count, char* HWY_RESTRICT out) {
#if HWY_TARGET == HWY_AVX3
  if (HasByteCompress()) return UnescapeCompressing(in, count, out);
#endif
  const hn::CappedTag<uint8_t, kUnescapeRoom> d;
  const size_t lanes = hn::Lanes(d);
  const auto copy = [&](const char* from, char* to) {
    const auto block = hn::LoadU(d, reinterpret_cast<const uint8_t*>(from));
    hn::StoreU(block, d, reinterpret_cast<uint8_t*>(to));
    return block;
  };
  char* to = out;
  bool escaped = false;  // true if the block begins with the second byte of an escape
  for (size_t i = 0; i < count; i += lanes) {
    const size_t here = HWY_MIN(lanes, count - i);
    const auto is_backslash = hn::Eq(copy(in + i, to), hn::Set(d, uint8_t{'\\'}));
    uint8_t bytes[8] = {};
    hn::StoreMaskBits(d, is_backslash, bytes);
    uint64_t backslashes;
    std::memcpy(&backslashes, bytes, sizeof backslashes);
    backslashes &= ~uint64_t{0} >> (64 - here);
    if (escaped) {
      if ((*to = Meaning(in[i])) == 0) return kFailed;
      backslashes &= ~uint64_t{1};
      escaped = false;
    }
    size_t dropped = 0;
    while (backslashes != 0) {
      const auto at = static_cast<size_t>(std::countr_zero(backslashes));
      char* const place = to + at - dropped++;
      if (at + 1 == here) {
        escaped = true;
        break;
      }
      copy(in + i + at + 1, place);
      if ((*place = Meaning(in[i + at + 1])) == 0) return kFailed;
      backslashes &= ~(uint64_t{3} << at);
    }
    to += here - dropped;
  }
  return escaped ? kFailed : static_cast<size_t>(to - out);
}

}  // namespace HWY_NAMESPACE
}  // namespace lookalike
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lookalike {
namespace {

HWY_EXPORT(UnescapeShort);

}  // namespace

std::optional<size_t> UnescapeShort(const char* in, size_t count, char* out) {
  const size_t made = HWY_DYNAMIC_DISPATCH(UnescapeShort)(in, count, out);
  return made == SIZE_MAX ? std::nullopt : std::optional(made);
}

}  // namespace lookalike
#endif  // HWY_ONCE
