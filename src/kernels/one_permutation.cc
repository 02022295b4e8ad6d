#include "kernels/one_permutation.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/one_permutation.cc"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include <bit>

#include "kernels/fresh_fill-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lookalike {
namespace HWY_NAMESPACE {

void SketchBins(const uint64_t* HWY_RESTRICT features, size_t count, size_t coordinates,
                uint32_t* HWY_RESTRICT out) {
  if (std::has_single_bit(coordinates)) {
    FillFirstRound(features, count, PowerOfTwoBins(coordinates), out);
  } else {
    FillFirstRound(features, count, AnyBins(coordinates), out);
  }
}

void SketchOnePermutation(const uint64_t* HWY_RESTRICT features, size_t count, size_t coordinates,
                          uint32_t* HWY_RESTRICT scratch, uint32_t* HWY_RESTRICT out) {
  SketchBins(features, count, coordinates, out);
  uint32_t empty[kListRoom];
  const size_t empties = ListEmpty(out, coordinates, empty);
  if (empties == 0) return;
  TakeLowBits(features, count, scratch);
  FillFresh(scratch, count, empty, empties, out);
}

}  // namespace HWY_NAMESPACE
}  // namespace lookalike
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lookalike {
namespace {

HWY_EXPORT(SketchBins);
HWY_EXPORT(SketchOnePermutation);

}  // namespace

void SketchBins(const uint64_t* features, size_t count, size_t coordinates, uint32_t* out) {
  HWY_DYNAMIC_DISPATCH(SketchBins)(features, count, coordinates, out);
}

void SketchOnePermutation(const uint64_t* features, size_t count, size_t coordinates,
                          uint32_t* scratch, uint32_t* out) {
  HWY_DYNAMIC_DISPATCH(SketchOnePermutation)(features, count, coordinates, scratch, out);
}

}  // namespace lookalike
#endif  // HWY_ONCE
