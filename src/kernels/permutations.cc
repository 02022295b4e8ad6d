#include "kernels/permutations.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/permutations.cc"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "kernels/fresh_fill-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lookalike {
namespace HWY_NAMESPACE {

// The permutation of a coordinate is x -> (x ^ seed) * factor. The two are not in a struct, because
// it cannot hold vectors whose length is unknown before the program runs.
//
// `lanes`: the number of each lane.
template <class D, class V>
HWY_INLINE V SeedsFrom(D d, V lanes, size_t first) {
  return RoundSeeds(d, hn::Add(lanes, hn::Set(d, static_cast<uint32_t>(kRounds + first))));
}

template <class D, class V>
HWY_INLINE V FactorsFrom(D d, V lanes, size_t first) {
  return hn::Or(SeedsFrom(d, lanes, kMaxBins + first), hn::Set(d, 1));
}

template <class V>
HWY_INLINE V Least(V least, V features, V seed, V factor) {
  return hn::Min(least, hn::Mul(hn::Xor(features, seed), factor));
}

template <class D>
HWY_INLINE hn::Vec<D> LowBits(D d, uint64_t feature) {
  return hn::Set(d, static_cast<uint32_t>(feature));
}

// Stores as many lanes as there are, at most `left`.
template <class D, class V>
HWY_INLINE void StoreFirst(D d, V values, size_t left, hn::TFromD<D>* HWY_RESTRICT out) {
  if (left >= hn::Lanes(d)) {
    hn::StoreU(values, d, out);
    return;
  }
  HWY_ALIGN hn::TFromD<D> lanes[16];
  hn::Store(values, d, lanes);
  std::copy_n(lanes, left, out);
}

// Handles four vectors of coordinates: with their permutations they fill the registers of AVX2.
template <class D, class V>
HWY_INLINE void SketchFour(D d, V iota, const uint64_t* features, size_t count, size_t first,
                           uint32_t* HWY_RESTRICT out) {
  const size_t lanes = hn::Lanes(d);
  const auto s0 = SeedsFrom(d, iota, first), f0 = FactorsFrom(d, iota, first);
  const auto s1 = SeedsFrom(d, iota, first + lanes), f1 = FactorsFrom(d, iota, first + lanes);
  const auto s2 = SeedsFrom(d, iota, first + 2 * lanes), s3 = SeedsFrom(d, iota, first + 3 * lanes);
  const auto f2 = FactorsFrom(d, iota, first + 2 * lanes);
  const auto f3 = FactorsFrom(d, iota, first + 3 * lanes);
  auto m0 = hn::Set(d, ~0U), m1 = m0, m2 = m0, m3 = m0;
  for (size_t i = 0; i < count; ++i) {
    const auto x = LowBits(d, features[i]);
    m0 = Least(m0, x, s0, f0), m1 = Least(m1, x, s1, f1);
    m2 = Least(m2, x, s2, f2), m3 = Least(m3, x, s3, f3);
  }
  hn::StoreU(m0, d, out + first), hn::StoreU(m1, d, out + first + lanes);
  hn::StoreU(m2, d, out + first + 2 * lanes), hn::StoreU(m3, d, out + first + 3 * lanes);
}

void SketchPermutations(const uint64_t* HWY_RESTRICT features, size_t count, size_t coordinates,
                        uint32_t* HWY_RESTRICT out) {
  const hn::CappedTag<uint32_t, 16> d;
  const size_t lanes = hn::Lanes(d);
  const auto iota = hn::Iota(d, 0);
  size_t first = 0;
  for (; first + 4 * lanes <= coordinates; first += 4 * lanes) {
    SketchFour(d, iota, features, count, first, out);
  }
  for (; first < coordinates; first += lanes) {
    const auto seed = SeedsFrom(d, iota, first), factor = FactorsFrom(d, iota, first);
    auto least = hn::Set(d, ~0U);
    for (size_t i = 0; i < count; ++i) {
      least = Least(least, LowBits(d, features[i]), seed, factor);
    }
    StoreFirst(d, least, coordinates - first, out + first);
  }
}

// Returns Mix64 of splitmix.h.
template <class D, class V>
HWY_INLINE V Mixed(D d, V x) {
  x = hn::Mul(hn::Xor(x, hn::ShiftRight<30>(x)), hn::Set(d, 0xbf58476d1ce4e5b9U));
  x = hn::Mul(hn::Xor(x, hn::ShiftRight<27>(x)), hn::Set(d, 0x94d049bb133111ebU));
  return hn::Xor(x, hn::ShiftRight<31>(x));
}

// Handles two vectors of coordinates, whose multiplications overlap.
void SketchMixer(const uint64_t* HWY_RESTRICT features, size_t count,
                 const uint64_t* HWY_RESTRICT words, size_t coordinates,
                 uint32_t* HWY_RESTRICT out) {
  const hn::CappedTag<uint64_t, 8> d;
  const size_t lanes = hn::Lanes(d);
  uint64_t least[16], last[16] = {};
  for (size_t first = 0; first < coordinates; first += 2 * lanes) {
    const size_t here = HWY_MIN(2 * lanes, coordinates - first);
    const uint64_t* from = words + first;
    if (here < 2 * lanes) from = std::copy_n(from, here, last) - here;
    const auto w0 = hn::LoadU(d, from), w1 = hn::LoadU(d, from + lanes);
    auto m0 = hn::Set(d, ~uint64_t{0}), m1 = m0;
    for (size_t i = 0; i < count; ++i) {
      const auto x = hn::Set(d, features[i]);
      m0 = hn::Min(m0, Mixed(d, hn::Xor(x, w0)));
      m1 = hn::Min(m1, Mixed(d, hn::Xor(x, w1)));
    }
    hn::StoreU(m0, d, least), hn::StoreU(m1, d, least + lanes);
    // The upper half of the least hash is the least upper half.
    for (size_t b = 0; b < here; ++b) out[first + b] = static_cast<uint32_t>(least[b] >> 32);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace lookalike
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lookalike {
namespace {

HWY_EXPORT(SketchPermutations);
HWY_EXPORT(SketchMixer);

}  // namespace

void SketchPermutations(const uint64_t* features, size_t count, size_t coordinates, uint32_t* out) {
  HWY_DYNAMIC_DISPATCH(SketchPermutations)(features, count, coordinates, out);
}

void SketchMixer(const uint64_t* features, size_t count, const uint64_t* words, size_t coordinates,
                 uint32_t* out) {
  HWY_DYNAMIC_DISPATCH(SketchMixer)(features, count, words, coordinates, out);
}

}  // namespace lookalike
#endif  // HWY_ONCE
