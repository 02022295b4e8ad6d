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

constexpr size_t kFailed = SIZE_MAX;

// What a backslash and this byte stand for; 0 where that is no short escape.
HWY_INLINE char Meaning(char escaped) {
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

// Copies blocks whole, then what follows each backslash again, one place further to the front.
size_t UnescapeShort(const char* HWY_RESTRICT in, size_t count, char* HWY_RESTRICT out) {
  const hn::CappedTag<uint8_t, kUnescapeRoom> d;
  const size_t lanes = hn::Lanes(d);
  const auto copy = [&](const char* from, char* to) {
    const auto block = hn::LoadU(d, reinterpret_cast<const uint8_t*>(from));
    hn::StoreU(block, d, reinterpret_cast<uint8_t*>(to));
    return block;
  };
  char* to = out;
  bool escaped = false;  // whether the block begins with the second byte of an escape
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
