// Functions shared by the sketches that put features into bins. Compiled once for every instruction
// set: included below hwy/foreach_target.h.
#if defined(LOOKALIKE_KERNELS_FRESH_FILL_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LOOKALIKE_KERNELS_FRESH_FILL_INL_H_
#undef LOOKALIKE_KERNELS_FRESH_FILL_INL_H_
#else
#define LOOKALIKE_KERNELS_FRESH_FILL_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace lookalike {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// 32-bit mixer "lowbias32" (Wellons, Prospecting for hash functions, 2018).
constexpr uint32_t kMix1 = 0x7feb352dU;
constexpr uint32_t kMix2 = 0x846ca68bU;
constexpr uint32_t kGolden = 0x9e3779b9U;

constexpr uint32_t kRounds = 16;
constexpr uint32_t kValueBits = 27;
constexpr uint32_t kEmpty = ~0U;
constexpr size_t kMaxBins = 1024;

// Returns the hashes of a round for as many features as there are lanes.
template <class D, class V>
HWY_INLINE V MixFeatures(D d, V features, V seed) {
  const auto x = hn::Mul(hn::Xor(features, seed), hn::Set(d, kMix1));
  const auto y = hn::Mul(hn::Xor(x, hn::ShiftRight<15>(x)), hn::Set(d, kMix2));
  return hn::Xor(y, hn::ShiftRight<16>(y));
}

// Returns the seeds of rounds r < kRounds, or of the fresh hashes of the bins r - kRounds.
template <class D, class V>
HWY_INLINE V RoundSeeds(D d, V rounds) {
  const auto y = hn::Mul(hn::Add(rounds, hn::Set(d, 1)), hn::Set(d, kGolden));
  return MixFeatures(d, y, hn::ShiftRight<16>(y));
}

// A number x of n bits falls into bin floor(x * bins / 2^n), leaving the remainder x * bins mod
// 2^n. The two structs agree if the number of bins is a power of two.
struct PowerOfTwoBins {
  explicit PowerOfTwoBins(size_t count) : bits(std::countr_zero(count)) {}
  HWY_INLINE size_t Count() const { return size_t{1} << bits; }
  HWY_INLINE size_t Of(uint64_t x) const { return x >> (64 - bits); }
  HWY_INLINE size_t Of(uint32_t x) const { return x >> (32 - bits); }
  HWY_INLINE uint32_t Left(uint32_t x) const { return x << bits; }
  template <class D, class V>
  HWY_INLINE V Of(D /*d*/, V x) const {
    return hn::ShiftRightSame(x, 32 - bits);
  }
  template <class D, class V>
  HWY_INLINE V Left(D /*d*/, V x) const {
    return hn::ShiftLeftSame(x, bits);
  }

  int bits;
};

struct AnyBins {
  explicit AnyBins(size_t all) : count(static_cast<uint32_t>(all)) {}
  HWY_INLINE size_t Count() const { return count; }
  HWY_INLINE size_t Of(uint64_t x) const {
    return static_cast<size_t>(static_cast<unsigned __int128>(x) * count >> 64);
  }
  HWY_INLINE size_t Of(uint32_t x) const { return static_cast<size_t>(uint64_t{x} * count >> 32); }
  HWY_INLINE uint32_t Left(uint32_t x) const { return x * count; }
  template <class D, class V>
  HWY_INLINE V Of(D d, V x) const {
#if HWY_TARGET == HWY_SCALAR
    return hn::Set(d, static_cast<uint32_t>(Of(hn::GetLane(x))));
#else
    const hn::RepartitionToWide<D> wide;
    const auto all = hn::Set(d, count);
    const auto even = hn::MulEven(x, all);
    const auto odd = hn::MulEven(hn::BitCast(d, hn::ShiftRight<32>(hn::BitCast(wide, x))), all);
    return hn::OddEven(hn::BitCast(d, odd), hn::BitCast(d, hn::ShiftRight<32>(even)));
#endif
  }
  template <class D, class V>
  HWY_INLINE V Left(D d, V x) const {
    return hn::Mul(x, hn::Set(d, count));
  }

  uint32_t count;
};

// Puts each feature in the bin given by its 64 bits; a bin takes the least value.
template <class Bins>
HWY_INLINE void FillFirstRound(const uint64_t* features, size_t count, Bins bins,
                               uint32_t* HWY_RESTRICT out) {
  std::fill_n(out, bins.Count(), kEmpty);
#pragma GCC unroll 4
  for (size_t i = 0; i < count; ++i) {
    const uint64_t x = features[i];
    const size_t bin = bins.Of(x);
    const uint32_t value = static_cast<uint32_t>(x >> 24) & ((1U << kValueBits) - 1);
    out[bin] = HWY_MIN(out[bin], value);
  }
}

// Writes bits 0 to 31 of each feature, then repeats the bits of the first feature 64 times. This
// allows whole vectors, and repeating a feature changes no minimum.
HWY_INLINE void TakeLowBits(const uint64_t* features, size_t count, uint32_t* HWY_RESTRICT low) {
  for (size_t i = 0; i < count; ++i) low[i] = static_cast<uint32_t>(features[i]);
  std::fill_n(low + count, 64, low[0]);
}

constexpr size_t kListRoom = kMaxBins + 64;  // whole vectors

#if HWY_TARGET <= HWY_AVX3
// Returns the mask of empty bins among those from `at` on, as many as there are lanes or bins left.
template <class D>
HWY_INLINE hn::Mask<D> EmptyFrom(D d, const uint32_t* bins, size_t count, size_t at) {
  const auto empty = hn::Set(d, kEmpty);
  if (at + hn::Lanes(d) <= count) return hn::Eq(hn::LoadU(d, bins + at), empty);
  return hn::Eq(hn::MaskedLoad(hn::FirstN(d, count - at), d, bins + at), empty);
}
#endif

// Lists the bins without a value, ascending; `list` has room for kListRoom.
HWY_INLINE size_t ListEmpty(const uint32_t* bins, size_t count, uint32_t* HWY_RESTRICT list) {
  size_t found = 0;
#if HWY_TARGET <= HWY_AVX3
  const hn::Full512<uint32_t> d;
  auto numbers = hn::Iota(d, 0);
  for (size_t b = 0; b < count; b += hn::Lanes(d)) {
    const auto none = EmptyFrom(d, bins, count, b);
    // CompressStore is not used: compressing straight to memory is slow on some processors.
    hn::StoreU(hn::Compress(numbers, none), d, list + found);
    found += hn::CountTrue(d, none);
    numbers = hn::Add(numbers, hn::Set(d, static_cast<uint32_t>(hn::Lanes(d))));
  }
#else
  for (size_t b = 0; b < count; ++b) {
    list[found] = static_cast<uint32_t>(b);
    found += bins[b] == kEmpty;
  }
#endif
  return found;
}

HWY_INLINE uint32_t FreshCoordinate(uint32_t least) { return kRounds << kValueBits | least >> 5; }

// Fills as many bins at a time as there are lanes: no lane is wasted if there are few features, and
// no minimum has to be taken across lanes. `bins` is followed by room for a whole vector.
HWY_INLINE void FillFreshByBins(const uint32_t* low_bits, size_t count, uint32_t* bins,
                                size_t bin_count, uint32_t* HWY_RESTRICT out) {
  const hn::CappedTag<uint32_t, 16> d;
  HWY_ALIGN uint32_t values[16];
  std::fill_n(bins + bin_count, hn::Lanes(d), 0);
  for (size_t b = 0; b < bin_count; b += hn::Lanes(d)) {
    const auto rounds = hn::Add(hn::LoadU(d, bins + b), hn::Set(d, kRounds));
    const auto seeds = RoundSeeds(d, rounds);
    auto least = hn::Set(d, ~0U);
    for (size_t i = 0; i < count; ++i) {
      least = hn::Min(least, MixFeatures(d, hn::Set(d, low_bits[i]), seeds));
    }
    hn::Store(least, d, values);
    const size_t here = HWY_MIN(hn::Lanes(d), bin_count - b);
    for (size_t j = 0; j < here; ++j) out[bins[b + j]] = FreshCoordinate(values[j]);
  }
}

// Fills bins from as many features at a time as there are lanes. `low_bits` is from TakeLowBits.
HWY_INLINE void FillFreshByFeatures(const uint32_t* low_bits, size_t count, const uint32_t* bins,
                                    size_t bin_count, uint32_t* HWY_RESTRICT out) {
  const hn::CappedTag<uint32_t, 16> d;
  for (size_t b = 0; b < bin_count; ++b) {
    const auto seed = RoundSeeds(d, hn::Set(d, kRounds + bins[b]));
    auto least = hn::Set(d, ~0U);
    for (size_t i = 0; i < count; i += hn::Lanes(d)) {
      least = hn::Min(least, MixFeatures(d, hn::LoadU(d, low_bits + i), seed));
    }
    out[bins[b]] = FreshCoordinate(hn::GetLane(hn::MinOfLanes(d, least)));
  }
}

// Gives each bin that is still empty the minimum over all features of a hash that belongs to it
// alone. `bins` is from ListEmpty.
HWY_INLINE void FillFresh(const uint32_t* low_bits, size_t count, uint32_t* bins, size_t bin_count,
                          uint32_t* HWY_RESTRICT out) {
  const size_t lanes = hn::Lanes(hn::CappedTag<uint32_t, 16>());
  const size_t by_bins = (bin_count + lanes - 1) / lanes * count;
  // A minimum across lanes and a seed cost about as much as mixing four vectors.
  const size_t by_features = bin_count * ((count + lanes - 1) / lanes + 4);
  if (by_bins <= by_features) {
    FillFreshByBins(low_bits, count, bins, bin_count, out);
  } else {
    FillFreshByFeatures(low_bits, count, bins, bin_count, out);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace lookalike
HWY_AFTER_NAMESPACE();

#endif  // LOOKALIKE_KERNELS_FRESH_FILL_INL_H_
