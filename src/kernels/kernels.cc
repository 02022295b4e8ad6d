#include "kernels/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/kernels.cc"
#include <hwy/contrib/sort/vqsort.h>
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "kernels/fresh_fill-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lookalike {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Multipliers of the finaliser of MurmurHash3 (fmix64): a bijection with full avalanche.
constexpr uint64_t kFinal1 = 0xff51afd7ed558ccdULL;
constexpr uint64_t kFinal2 = 0xc4ceb9fe1a85ec53ULL;

HWY_INLINE uint64_t Tap(uint64_t x, uint64_t unit, size_t j) {
  const uint64_t turned = std::rotl(unit, static_cast<int>(13 * j % 64));
  return j % 2 == 1 ? x + turned : x ^ turned;
}

HWY_INLINE uint64_t FinishWindow(uint64_t x) {
  x *= kFinal1;
  x ^= x >> 32;
  x *= kFinal2;
  return x ^ (x >> 32);
}

template <class D, class V>
HWY_INLINE V TapVector(D d, V x, V unit, size_t j) {
  const int left = static_cast<int>(13 * j % 64);
  const V turned =
      left == 0 ? unit : hn::Or(hn::ShiftLeftSame(unit, left), hn::ShiftRightSame(unit, 64 - left));
  (void)d;
  return j % 2 == 1 ? hn::Add(x, turned) : hn::Xor(x, turned);
}

void HashWindows(const uint64_t* units, size_t count, size_t window, uint64_t mask,
                 uint64_t* HWY_RESTRICT out) {
  const size_t windows = count - window + 1;
  size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  const hn::ScalableTag<uint64_t> d;
  const size_t lanes = hn::Lanes(d);
  const auto c1 = hn::Set(d, kFinal1);
  const auto c2 = hn::Set(d, kFinal2);
  const auto m = hn::Set(d, mask);
  for (; i + lanes <= windows; i += lanes) {
    auto x = hn::LoadU(d, units + i);
    for (size_t j = 1; j < window; ++j) x = TapVector(d, x, hn::LoadU(d, units + i + j), j);
    x = hn::Mul(hn::Xor(x, m), c1);
    x = hn::Mul(hn::Xor(x, hn::ShiftRight<32>(x)), c2);
    hn::StoreU(hn::Xor(x, hn::ShiftRight<32>(x)), d, out + i);
  }
#endif
  for (; i < windows; ++i) {
    uint64_t x = units[i];
    for (size_t j = 1; j < window; ++j) x = Tap(x, units[i + j], j);
    out[i] = FinishWindow(x ^ mask);
  }
}

template <class Bins>
HWY_INLINE uint32_t FinishRound(uint32_t mixed, Bins bins, uint32_t round) {
  return round << kValueBits | bins.Left(mixed) >> 5;
}

// The bins that have no value yet.
#if HWY_TARGET <= HWY_AVX3
struct EmptyBins {
  alignas(64) uint64_t bits[kMaxBins / 64];
  size_t count;
};

HWY_INLINE void FindEmpty(const uint32_t* bins, size_t count, EmptyBins* empty) {
  const hn::Full512<uint32_t> d;
  empty->count = 0;
  for (size_t at = 0; at < count; at += 64) {
    uint64_t bits = 0;
    for (size_t i = 0; i < HWY_MIN(count - at, size_t{64}); i += hn::Lanes(d)) {
      const auto none = EmptyFrom(d, bins, count, at + i);
      uint8_t bytes[8] = {};
      hn::StoreMaskBits(d, none, bytes);
      uint64_t these;
      std::memcpy(&these, bytes, sizeof these);
      bits |= these << i;
    }
    empty->bits[at / 64] = bits;
    empty->count += static_cast<size_t>(std::popcount(bits));
  }
}
#else
struct EmptyBins {
  size_t count;
};

HWY_INLINE void FindEmpty(const uint32_t* bins, size_t count, EmptyBins* empty) {
  size_t found = 0;
  for (size_t b = 0; b < count; ++b) found += bins[b] == kEmpty;
  empty->count = found;
}
#endif

// Runs one binned round over all features. Only bins that were empty before it change, because a
// value of a later round is larger: a test for empty bins would be an unpredictable branch.
template <class Bins>
HWY_INLINE void BinnedRound(const uint32_t* low_bits, size_t count, uint32_t round, Bins bins,
                            uint32_t* out) {
  const hn::ScalableTag<uint32_t> d;
  const size_t lanes = hn::Lanes(d);
  const auto seed = RoundSeeds(d, hn::Set(d, round));
  HWY_ALIGN uint32_t mixed[64];
  for (size_t i = 0; i < count; i += lanes) {
    hn::Store(MixFeatures(d, hn::LoadU(d, low_bits + i), seed), d, mixed);
    const size_t here = HWY_MIN(lanes, count - i);
    for (size_t j = 0; j < here; ++j) {
      const size_t bin = bins.Of(mixed[j]);
      out[bin] = HWY_MIN(out[bin], FinishRound(mixed[j], bins, round));
    }
  }
}

#if HWY_TARGET <= HWY_AVX3
// Does the same if a vector holds the bits of all bins: only features that fall into an empty bin
// leave the vectors. Slower on narrower vectors. `hits` has room for `count` rounded up to whole
// vectors and one more.
template <class Bins>
HWY_INLINE void FilteredRound(const uint32_t* low_bits, size_t count, uint32_t round, Bins bins,
                              const EmptyBins& empty, uint32_t* hits, uint32_t* out) {
  const hn::Full512<uint32_t> d;
  const auto seed = RoundSeeds(d, hn::Set(d, round));
  const auto words = hn::Load(d, reinterpret_cast<const uint32_t*>(empty.bits));
  const auto c31 = hn::Set(d, 31);
  uint32_t* end = hits;
  for (size_t i = 0; i < count; i += hn::Lanes(d)) {
    const auto x = MixFeatures(d, hn::LoadU(d, low_bits + i), seed);
    const auto bin = bins.Of(d, x);
    const auto word = hn::TableLookupLanes(words, hn::IndicesFromVec(d, hn::ShiftRight<5>(bin)));
    const auto bit = hn::And(hn::Shr(word, hn::And(bin, c31)), hn::Set(d, 1));
    const auto hit = hn::Ne(bit, hn::Zero(d));
    hn::StoreU(hn::Compress(x, hit), d, end);
    end += hn::CountTrue(d, hit);
  }
  for (const uint32_t* hit = hits; hit != end; ++hit) {
    const size_t bin = bins.Of(*hit);
    out[bin] = HWY_MIN(out[bin], FinishRound(*hit, bins, round));
  }
}
#endif

// Runs rounds 1 to 15 until no bin is empty.
template <class Bins>
HWY_INLINE void BinnedRounds(const uint32_t* low_bits, size_t count, Bins bins, EmptyBins* empty,
                             uint32_t* hits, uint32_t* out) {
  for (uint32_t round = 1; round < kRounds && empty->count != 0; ++round) {
#if HWY_TARGET <= HWY_AVX3
    if (bins.Count() <= 512) {
      FilteredRound(low_bits, count, round, bins, *empty, hits, out);
    } else {
      BinnedRound(low_bits, count, round, bins, out);
    }
#else
    (void)hits;
    BinnedRound(low_bits, count, round, bins, out);
#endif
    FindEmpty(out, bins.Count(), empty);
  }
}

// Runs rounds 1 to 15 for few features, as many rounds at a time as there are lanes.
template <class Bins>
HWY_INLINE void AllRounds(const uint32_t* low_bits, size_t count, Bins bins,
                          uint32_t* HWY_RESTRICT out) {
  const hn::CappedTag<uint32_t, kRounds> d;
  const size_t lanes = hn::Lanes(d);
  constexpr size_t kTogether = 8;  // features; values that go through memory are extracted fastest
  HWY_ALIGN uint32_t places[kTogether * kRounds];
  HWY_ALIGN uint32_t values[kTogether * kRounds];
  for (size_t first = 0; first < kRounds; first += lanes) {
    const auto rounds = hn::Iota(d, static_cast<uint32_t>(first));
    const auto seeds = RoundSeeds(d, rounds);
    // Round 0 is done differently: its values here are larger than all others.
    const auto tags = hn::IfThenElse(hn::Eq(rounds, hn::Zero(d)), hn::Set(d, kEmpty),
                                     hn::ShiftLeft<kValueBits>(rounds));
    for (size_t i = 0; i < count; i += kTogether) {
      const size_t end = HWY_MIN(i + kTogether, count);
      size_t made = 0;
      for (size_t f = i; f < end; ++f, made += lanes) {
        const auto x = MixFeatures(d, hn::Set(d, low_bits[f]), seeds);
        hn::Store(bins.Of(d, x), d, places + made);
        hn::Store(hn::Or(tags, hn::ShiftRight<5>(bins.Left(d, x))), d, values + made);
      }
      for (size_t j = 0; j < made; ++j) out[places[j]] = HWY_MIN(out[places[j]], values[j]);
    }
  }
}

// True if some bin is probably empty, which holds up to about coordinates * ln(coordinates) draws.
// Without the filter of AVX-512, more draws are worthwhile.
HWY_INLINE bool NeedsAllRounds(size_t count, size_t coordinates) {
  constexpr size_t kThirds = HWY_TARGET <= HWY_AVX3 ? 2 : 4;
  const auto logarithm = static_cast<size_t>(std::bit_width(coordinates - 1));
  return 3 * kRounds * count <= kThirds * coordinates * logarithm;
}

template <class Bins>
HWY_INLINE void FillBins(const uint64_t* HWY_RESTRICT features, size_t count, Bins all,
                         uint32_t* HWY_RESTRICT scratch, uint32_t* HWY_RESTRICT out) {
  const size_t coordinates = all.Count();
  FillFirstRound(features, count, all, out);
  if (NeedsAllRounds(count, coordinates)) {
    TakeLowBits(features, count, scratch);
    AllRounds(scratch, count, all, out);
  } else {
    EmptyBins empty = {};
    FindEmpty(out, coordinates, &empty);
    if (empty.count == 0) return;
    TakeLowBits(features, count, scratch);
    BinnedRounds(scratch, count, all, &empty, scratch + count + 64, out);
    if (empty.count == 0) return;
  }
  uint32_t bins[kListRoom];
  FillFresh(scratch, count, bins, ListEmpty(out, coordinates, bins), out);
}

void SketchFss(const uint64_t* HWY_RESTRICT features, size_t count, size_t coordinates,
               uint32_t* HWY_RESTRICT scratch, uint32_t* HWY_RESTRICT out) {
  if (std::has_single_bit(coordinates)) {
    FillBins(features, count, PowerOfTwoBins(coordinates), scratch, out);
  } else {
    FillBins(features, count, AnyBins(coordinates), scratch, out);
  }
}

size_t CountEqualBytes(const uint8_t* a, const uint8_t* b, size_t count) {
  size_t equal = 0;
#if HWY_TARGET == HWY_SCALAR
  for (size_t i = 0; i < count; ++i) equal += a[i] == b[i];
#else
  const hn::CappedTag<uint8_t, 64> d;
  const size_t lanes = hn::Lanes(d);
  size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    equal += hn::CountTrue(d, hn::Eq(hn::LoadU(d, a + i), hn::LoadU(d, b + i)));
  }
  const hn::CappedTag<uint8_t, 16> narrow;
  for (; i + hn::Lanes(narrow) <= count; i += hn::Lanes(narrow)) {
    equal += hn::CountTrue(narrow, hn::Eq(hn::LoadU(narrow, a + i), hn::LoadU(narrow, b + i)));
  }
  for (; i < count; ++i) equal += a[i] == b[i];
#endif
  return equal;
}

void CountEqualRows(const uint8_t* row, const uint8_t* table, const uint32_t* rows, size_t count,
                    size_t width, uint32_t* HWY_RESTRICT equal) {
  for (size_t i = 0; i < count; ++i) {
    equal[i] = static_cast<uint32_t>(CountEqualBytes(row, table + rows[i] * width, width));
  }
}

// Highway's vectorised quicksort has no scalar form.
bool HasVectorSort() { return HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_SSSE3; }

}  // namespace HWY_NAMESPACE
}  // namespace lookalike
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lookalike {
namespace {

HWY_EXPORT(HashWindows);
HWY_EXPORT(SketchFss);
HWY_EXPORT(CountEqualBytes);
HWY_EXPORT(CountEqualRows);
HWY_EXPORT(HasVectorSort);

// Kept per thread, because making one allocates and asks the system for random bits.
const hwy::Sorter& ThreadSorter() {
  thread_local const hwy::Sorter sorter;
  return sorter;
}

template <class T>
void SortAscending(T* values, size_t count) {
  if (HWY_DYNAMIC_DISPATCH(HasVectorSort)()) {
    ThreadSorter()(values, count, hwy::SortAscending());
  } else {
    std::sort(values, values + count);
  }
}

}  // namespace

void HashWindows(const uint64_t* units, size_t count, size_t window, uint64_t mask, uint64_t* out) {
  HWY_DYNAMIC_DISPATCH(HashWindows)(units, count, window, mask, out);
}

void SketchFss(const uint64_t* features, size_t count, size_t coordinates, uint32_t* scratch,
               uint32_t* out) {
  HWY_DYNAMIC_DISPATCH(SketchFss)(features, count, coordinates, scratch, out);
}

size_t CountEqualBytes(const uint8_t* a, const uint8_t* b, size_t count) {
  return HWY_DYNAMIC_DISPATCH(CountEqualBytes)(a, b, count);
}

void CountEqualRows(const uint8_t* row, const uint8_t* table, const uint32_t* rows, size_t count,
                    size_t width, uint32_t* equal) {
  HWY_DYNAMIC_DISPATCH(CountEqualRows)(row, table, rows, count, width, equal);
}

void SortValues(uint64_t* values, size_t count) { SortAscending(values, count); }
void SortValues(uint32_t* values, size_t count) { SortAscending(values, count); }

void SortKeyedValues(void* pairs, size_t count) {
  auto* values = static_cast<hwy::uint128_t*>(pairs);
  if (HWY_DYNAMIC_DISPATCH(HasVectorSort)()) {
    ThreadSorter()(values, count, hwy::SortAscending());
    return;
  }
  std::sort(values, values + count, [](const hwy::uint128_t& x, const hwy::uint128_t& y) {
    return x.hi != y.hi ? x.hi < y.hi : x.lo < y.lo;
  });
}

}  // namespace lookalike
#endif  // HWY_ONCE
