#include "kernels/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/kernels.cc"
#include <hwy/contrib/sort/vqsort.h>
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace lookalike {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Multipliers of the finaliser of MurmurHash3 (fmix64): a bijection with full avalanche.
constexpr uint64_t kFinal1 = 0xff51afd7ed558ccdULL;
constexpr uint64_t kFinal2 = 0xc4ceb9fe1a85ec53ULL;

// 32-bit mixer "lowbias32" (Wellons, Prospecting for hash functions, 2018).
constexpr uint32_t kMix1 = 0x7feb352dU;
constexpr uint32_t kMix2 = 0x846ca68bU;

constexpr uint32_t kRounds = 16;
constexpr uint32_t kValueBits = 27;
constexpr uint32_t kEmpty = ~0U;

// Seed of round r (r < kRounds) or of the fresh hash of bin r - kRounds.
HWY_INLINE uint32_t RoundSeed(uint32_t r) {
  uint32_t x = (r + 1) * 0x9e3779b9U;
  x = (x ^ (x >> 16)) * kMix1;
  x = (x ^ (x >> 15)) * kMix2;
  return x ^ (x >> 16);
}

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

HWY_INLINE uint32_t FinishRound(uint32_t mixed, int bin_bits, uint32_t round) {
  return round << kValueBits | (mixed << bin_bits) >> 5;
}

// The hashes of a round of as many features as there are lanes.
template <class D, class V>
HWY_INLINE V MixFeatures(D d, V features, V seed) {
  const auto x = hn::Mul(hn::Xor(features, seed), hn::Set(d, kMix1));
  const auto y = hn::Mul(hn::Xor(x, hn::ShiftRight<15>(x)), hn::Set(d, kMix2));
  return hn::Xor(y, hn::ShiftRight<16>(y));
}

constexpr size_t kMaxBins = 1024;

// The bins that have no value yet.
#if HWY_TARGET <= HWY_AVX3
struct EmptyBins {
  alignas(64) uint64_t bits[kMaxBins / 64];
  size_t count;
  [[nodiscard]] bool Has(size_t bin) const { return (bits[bin / 64] >> bin % 64 & 1) != 0; }
};

HWY_INLINE void FindEmpty(const uint32_t* bins, size_t count, EmptyBins* empty) {
  const hn::Full512<uint32_t> d;
  empty->count = 0;
  for (size_t at = 0; at < count; at += 64) {
    uint64_t bits = 0;
    for (size_t i = 0; i < HWY_MIN(count - at, size_t{64}); i += hn::Lanes(d)) {
      const auto none = hn::Eq(hn::LoadU(d, bins + at + i), hn::Set(d, kEmpty));
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
  uint8_t is_empty[kMaxBins];
  size_t count;
  [[nodiscard]] bool Has(size_t bin) const { return is_empty[bin] != 0; }
};

HWY_INLINE void FindEmpty(const uint32_t* bins, size_t count, EmptyBins* empty) {
  size_t found = 0;
  for (size_t b = 0; b < count; ++b) found += empty->is_empty[b] = bins[b] == kEmpty;
  empty->count = found;
}
#endif

// One binned round over all features, into the bins that were empty before it.
HWY_INLINE void BinnedRound(const uint32_t* low_bits, size_t count, uint32_t round, int bin_bits,
                            const EmptyBins& empty, uint32_t* out) {
  const hn::ScalableTag<uint32_t> d;
  const size_t lanes = hn::Lanes(d);
  const auto seed = hn::Set(d, RoundSeed(round));
  HWY_ALIGN uint32_t mixed[64];
  for (size_t i = 0; i < count; i += lanes) {
    hn::Store(MixFeatures(d, hn::LoadU(d, low_bits + i), seed), d, mixed);
    const size_t here = HWY_MIN(lanes, count - i);
    for (size_t j = 0; j < here; ++j) {
      const uint32_t bin = mixed[j] >> (32 - bin_bits);
      if (!empty.Has(bin)) continue;
      out[bin] = HWY_MIN(out[bin], FinishRound(mixed[j], bin_bits, round));
    }
  }
}

#if HWY_TARGET <= HWY_AVX3
// The same where a vector holds the bits of all bins: only features that fall in an empty one leave
// the vectors. Slower on narrower vectors. `hits` has room for `count` rounded up to whole vectors
// and one more.
HWY_INLINE void FilteredRound(const uint32_t* low_bits, size_t count, uint32_t round, int bin_bits,
                              const EmptyBins& empty, uint32_t* hits, uint32_t* out) {
  const hn::Full512<uint32_t> d;
  const auto seed = hn::Set(d, RoundSeed(round));
  const auto words = hn::Load(d, reinterpret_cast<const uint32_t*>(empty.bits));
  const auto c31 = hn::Set(d, 31);
  uint32_t* end = hits;
  for (size_t i = 0; i < count; i += hn::Lanes(d)) {
    const auto x = MixFeatures(d, hn::LoadU(d, low_bits + i), seed);
    const auto bin = hn::ShiftRightSame(x, 32 - bin_bits);
    const auto word = hn::TableLookupLanes(words, hn::IndicesFromVec(d, hn::ShiftRight<5>(bin)));
    const auto bit = hn::And(hn::Shr(word, hn::And(bin, c31)), hn::Set(d, 1));
    const auto hit = hn::Ne(bit, hn::Zero(d));
    hn::StoreU(hn::Compress(x, hit), d, end);
    end += hn::CountTrue(d, hit);
  }
  for (const uint32_t* hit = hits; hit != end; ++hit) {
    const uint32_t bin = *hit >> (32 - bin_bits);
    out[bin] = HWY_MIN(out[bin], FinishRound(*hit, bin_bits, round));
  }
}
#endif

// The minimum over all features of a hash that belongs to this bin alone.
HWY_INLINE uint32_t FreshValue(const uint32_t* low_bits, size_t count, uint32_t bin) {
  const hn::ScalableTag<uint32_t> d;
  const size_t lanes = hn::Lanes(d);
  const auto seed = hn::Set(d, RoundSeed(kRounds + bin));
  auto least = hn::Set(d, ~0U);
  for (size_t i = 0; i < count; i += lanes) {
    least = hn::Min(least, MixFeatures(d, hn::LoadU(d, low_bits + i), seed));
  }
  const uint32_t value = hn::GetLane(hn::MinOfLanes(d, least));
  return kRounds << kValueBits | value >> 5;
}

// Rounds 1 to 15, while a bin is empty.
HWY_INLINE void BinnedRounds(const uint32_t* low_bits, size_t count, int bin_bits, EmptyBins* empty,
                             uint32_t* hits, uint32_t* out) {
  const size_t bins = size_t{1} << bin_bits;
  for (uint32_t round = 1; round < kRounds && empty->count != 0; ++round) {
#if HWY_TARGET <= HWY_AVX3
    if (bins <= 512) {
      FilteredRound(low_bits, count, round, bin_bits, *empty, hits, out);
    } else {
      BinnedRound(low_bits, count, round, bin_bits, *empty, out);
    }
#else
    (void)hits;
    BinnedRound(low_bits, count, round, bin_bits, *empty, out);
#endif
    FindEmpty(out, bins, empty);
  }
}

void SketchFss(const uint64_t* HWY_RESTRICT features, size_t count, size_t coordinates,
               uint32_t* HWY_RESTRICT scratch, uint32_t* HWY_RESTRICT out) {
  const int bin_bits = std::countr_zero(coordinates);
  std::fill_n(out, coordinates, kEmpty);
  for (size_t i = 0; i < count; ++i) {
    const uint64_t x = features[i];
    const uint64_t bin = x >> (64 - bin_bits);
    const uint32_t value = static_cast<uint32_t>(x >> 24) & ((1U << kValueBits) - 1);
    out[bin] = HWY_MIN(out[bin], value);
  }
  EmptyBins empty = {};
  FindEmpty(out, coordinates, &empty);
  if (empty.count == 0) return;

  for (size_t i = 0; i < count; ++i) scratch[i] = static_cast<uint32_t>(features[i]);
  // Whole vectors: repeating the first feature changes no minimum.
  for (size_t i = count; i < count + 64; ++i) scratch[i] = scratch[0];
  BinnedRounds(scratch, count, bin_bits, &empty, scratch + count + 64, out);
  if (empty.count == 0) return;
  for (size_t b = 0; b < coordinates; ++b) {
    if (empty.Has(b)) out[b] = FreshValue(scratch, count, static_cast<uint32_t>(b));
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

// Making one allocates and asks the system for random bits.
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
