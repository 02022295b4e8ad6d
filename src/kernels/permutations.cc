#include "kernels/permutations.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/permutations.cc"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "kernels/fresh_fill-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lookalike {
namespace HWY_NAMESPACE {

// The permutation of each lane: x -> (x ^ seed) * factor.
template <class V>
struct Permutation {
  V seed, factor;
};

// `lanes`: the number of each lane.
template <class D, class V>
HWY_INLINE Permutation<V> PermutationsFrom(D d, V lanes, size_t first) {
  const auto bins = hn::Add(lanes, hn::Set(d, static_cast<uint32_t>(kRounds + first)));
  const auto odd = RoundSeeds(d, hn::Add(bins, hn::Set(d, static_cast<uint32_t>(kMaxBins))));
  return {RoundSeeds(d, bins), hn::Or(odd, hn::Set(d, 1))};
}

template <class V>
HWY_INLINE V Least(V least, V features, const Permutation<V>& p) {
  return hn::Min(least, hn::Mul(hn::Xor(features, p.seed), p.factor));
}

template <class D>
HWY_INLINE hn::Vec<D> LowBits(D d, uint64_t feature) {
  return hn::Set(d, static_cast<uint32_t>(feature));
}

// Four vectors of coordinates: with their permutations they fill the registers of AVX2.
template <class D, class V>
HWY_INLINE void SketchFour(D d, V iota, const uint64_t* features, size_t count, size_t first,
                           uint32_t* HWY_RESTRICT out) {
  const size_t lanes = hn::Lanes(d);
  const auto p0 = PermutationsFrom(d, iota, first), p1 = PermutationsFrom(d, iota, first + lanes);
  const auto p2 = PermutationsFrom(d, iota, first + 2 * lanes);
  const auto p3 = PermutationsFrom(d, iota, first + 3 * lanes);
  auto m0 = hn::Set(d, ~0U), m1 = m0, m2 = m0, m3 = m0;
  for (size_t i = 0; i < count; ++i) {
    const auto x = LowBits(d, features[i]);
    m0 = Least(m0, x, p0), m1 = Least(m1, x, p1);
    m2 = Least(m2, x, p2), m3 = Least(m3, x, p3);
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
    const auto p = PermutationsFrom(d, iota, first);
    auto least = hn::Set(d, ~0U);
    for (size_t i = 0; i < count; ++i) least = Least(least, LowBits(d, features[i]), p);
    hn::StoreU(least, d, out + first);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace lookalike
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lookalike {
namespace {

HWY_EXPORT(SketchPermutations);

}  // namespace

void SketchPermutations(const uint64_t* features, size_t count, size_t coordinates, uint32_t* out) {
  HWY_DYNAMIC_DISPATCH(SketchPermutations)(features, count, coordinates, out);
}

}  // namespace lookalike
#endif  // HWY_ONCE
