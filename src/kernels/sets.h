// Kernels over sets of 64-bit features. Every function returns the same bits on every instruction
// set.
#ifndef LOOKALIKE_KERNELS_SETS_H_
#define LOOKALIKE_KERNELS_SETS_H_

#include <cstddef>
#include <cstdint>

namespace lookalike {

/// The number of values past the last one found that CollectBelow may write.
inline constexpr size_t kCollectRoom = 8;

/// Writes the 32-bit hashes below `bound` of some features to `out`, in their order, and returns
/// their number. The hash is bits 0 to 23 of a feature, then bits 56 to 63: not the bits that
/// decide in SketchFss. REQUIRES: `out` has room for `count` + kCollectRoom values.
size_t CollectBelow(const uint64_t* features, size_t count, uint32_t bound, uint32_t* out);

/// Sorts a few values ascending, drops repetitions and returns how many are left. Takes O(count^2),
/// which is the fastest way for up to about a hundred values. REQUIRES: count <= kMostFew; no value
/// is UINT32_MAX.
inline constexpr size_t kMostFew = 128;
size_t SortFewDistinct(uint32_t* values, size_t count);

/// Counts the common values of two ascending sets; returns any number less than `needed` as soon as
/// the count is certain to be less. REQUIRES: each set sorted without repetitions.
uint64_t CountCommonValues(const uint64_t* a, size_t a_size, const uint64_t* b, size_t b_size,
                           uint64_t needed);

}  // namespace lookalike

#endif  // LOOKALIKE_KERNELS_SETS_H_
