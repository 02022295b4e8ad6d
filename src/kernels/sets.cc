#include "kernels/sets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/sets.cc"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace lookalike {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

HWY_INLINE uint32_t LowHash(uint64_t feature) {
  return static_cast<uint32_t>(feature << 8) | static_cast<uint32_t>(feature >> 56);
}

size_t CollectBelow(const uint64_t* HWY_RESTRICT features, size_t count, uint32_t bound,
                    uint32_t* HWY_RESTRICT out) {
  size_t found = 0;
  size_t i = 0;
#if HWY_TARGET <= HWY_AVX3
  const hn::Full512<uint64_t> d;
  const hn::Full256<uint32_t> d32;
  const auto below = hn::Set(d32, bound);
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) {
    const auto hash = hn::TruncateTo(d32, hn::RotateRight<56>(hn::LoadU(d, features + i)));
    const auto hit = hn::Lt(hash, below);
    hn::StoreU(hn::Compress(hash, hit), d32, out + found);
    found += hn::CountTrue(d32, hit);
  }
#endif
  for (; i < count; ++i) {
    const uint32_t hash = LowHash(features[i]);
    out[found] = hash;
    found += hash < bound;
  }
  return found;
}

// The position of a value is the number of smaller values. That leaves gaps after repeated values,
// which are then closed.
size_t SortFewDistinct(uint32_t* HWY_RESTRICT values, size_t count) {
  constexpr uint32_t kGap = UINT32_MAX;
  const hn::ScalableTag<uint32_t> d;
  const size_t lanes = hn::Lanes(d);
  HWY_ALIGN uint32_t few[kMostFew + HWY_MAX_BYTES / sizeof(uint32_t)];
  std::fill_n(std::copy_n(values, count, few), lanes, kGap);
  std::fill_n(values, count, kGap);
  for (size_t i = 0; i < count; ++i) {
    const auto value = hn::Set(d, few[i]);
    size_t smaller = 0;
    for (size_t j = 0; j < count; j += lanes) {
      smaller += hn::CountTrue(d, hn::Lt(hn::Load(d, few + j), value));
    }
    values[smaller] = few[i];
  }
  return static_cast<size_t>(std::remove(values, values + count, kGap) - values);
}

// The number of common values of two sets, in the blocks compared so far.
struct Merge {
  const uint64_t *x, *x_end, *y, *y_end;
  uint64_t common;

  /// True if each has a whole block left.
  [[nodiscard]] bool HasBlocks(size_t block) const {
    return static_cast<size_t>(x_end - x) >= block && static_cast<size_t>(y_end - y) >= block;
  }

  [[nodiscard]] bool IsHopeless(uint64_t needed) const {
    return common + static_cast<uint64_t>(HWY_MIN(x_end - x, y_end - y)) < needed;
  }
};

#if HWY_TARGET != HWY_SCALAR
// Compares a block of one set with a block of the other, all values with all, while both have one,
// at most `most` times. The block that ends first has been compared with everything it can match.
HWY_INLINE void MergeBlocks(size_t most, Merge* merge) {
  const hn::CappedTag<uint64_t, 8> d;
  const size_t lanes = hn::Lanes(d);
  for (size_t turn = 0; turn < most && merge->HasBlocks(lanes); ++turn) {
    const uint64_t *x = merge->x, *y = merge->y;
    const auto block = hn::LoadU(d, x);
    auto met = hn::Eq(block, hn::Set(d, y[0]));
    for (size_t j = 1; j < lanes; ++j) met = hn::Or(met, hn::Eq(block, hn::Set(d, y[j])));
    merge->common += hn::CountTrue(d, met);
    const uint64_t x_last = x[lanes - 1], y_last = y[lanes - 1];
    merge->x += x_last <= y_last ? lanes : 0;
    merge->y += y_last <= x_last ? lanes : 0;
  }
}
#endif

HWY_INLINE void MergeValues(size_t most, Merge* merge) {
  for (size_t turn = 0; turn < most && merge->x != merge->x_end && merge->y != merge->y_end;
       ++turn) {
    const uint64_t v = *merge->x, w = *merge->y;
    merge->common += v == w;
    merge->x += v <= w;
    merge->y += w <= v;
  }
}

uint64_t CountCommonValues(const uint64_t* a, size_t a_size, const uint64_t* b, size_t b_size,
                           uint64_t needed) {
  constexpr size_t kStride = 64;  // steps between checks for hopelessness
  Merge merge = {a, a + a_size, b, b + b_size, 0};
#if HWY_TARGET != HWY_SCALAR
  const size_t lanes = hn::Lanes(hn::CappedTag<uint64_t, 8>());
  while (merge.HasBlocks(lanes) && !merge.IsHopeless(needed)) {
    MergeBlocks(kStride / lanes, &merge);
  }
#endif
  while (merge.x != merge.x_end && merge.y != merge.y_end && !merge.IsHopeless(needed)) {
    MergeValues(kStride, &merge);
  }
  return merge.common;
}

}  // namespace HWY_NAMESPACE
}  // namespace lookalike
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lookalike {
namespace {

HWY_EXPORT(CollectBelow);
HWY_EXPORT(CountCommonValues);
HWY_EXPORT(SortFewDistinct);

}  // namespace

size_t CollectBelow(const uint64_t* features, size_t count, uint32_t bound, uint32_t* out) {
  return HWY_DYNAMIC_DISPATCH(CollectBelow)(features, count, bound, out);
}

size_t SortFewDistinct(uint32_t* values, size_t count) {
  return HWY_DYNAMIC_DISPATCH(SortFewDistinct)(values, count);
}

uint64_t CountCommonValues(const uint64_t* a, size_t a_size, const uint64_t* b, size_t b_size,
                           uint64_t needed) {
  return HWY_DYNAMIC_DISPATCH(CountCommonValues)(a, a_size, b, b_size, needed);
}

}  // namespace lookalike
#endif  // HWY_ONCE
