// One permutation hashing: a sketch by one hash of each feature.
#ifndef LOOKALIKE_KERNELS_ONE_PERMUTATION_H_
#define LOOKALIKE_KERNELS_ONE_PERMUTATION_H_

#include <cstddef>
#include <cstdint>

namespace lookalike {

/// Makes a sketch by one permutation hashing (Li, Owen, Zhang, NIPS 2012): the first round of
/// SketchFss. A bin that is then empty takes the minimum over the features of its own hash, so
/// that, unlike with bins filled from one another, equal coordinates have probability = resemblance
/// at every size, and the sketch of a union is the coordinate-wise minimum. O(count) for count >>
/// coordinates. `coordinates`: 16 to 1024; `scratch`: SketchScratch(count). REQUIRES: count > 0.
void SketchOnePermutation(const uint64_t* features, size_t count, size_t coordinates,
                          uint32_t* scratch, uint32_t* out);

/// Makes the same sketch without filling: empty bins are UINT32_MAX.
void SketchBins(const uint64_t* features, size_t count, size_t coordinates, uint32_t* out);

}  // namespace lookalike

#endif  // LOOKALIKE_KERNELS_ONE_PERMUTATION_H_
