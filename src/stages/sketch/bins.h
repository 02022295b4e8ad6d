// One permutation hashing whose empty bins get no hashes of their own.
#ifndef LOOKALIKE_STAGES_SKETCH_BINS_H_
#define LOOKALIKE_STAGES_SKETCH_BINS_H_

#include <cstdint>

#include "stages/sketch/sketch_function.h"

namespace lookalike {

// Both kinds start like `one-permutation` (Li, Owen, Zhang, NIPS 2012): the upper bits of a feature
// name a bin, which takes the least of 27 further bits. O(features).

/// Leaves an empty bin empty (kEmptyBin). For two sketches, matches / (bins - both empty) is
/// unbiased. The sketch of a union is the least of each coordinate.
SketchFunction MakeBins(uint32_t coordinates);

/// Gives an empty bin the value of the first filled bin in the empty bin's own random sequence of
/// bins (Shrivastava, Optimal densification for fast and accurate minwise hashing, ICML 2017).
/// Coordinates are equal with probability = resemblance, with up to 1.8 times the variance of
/// minhash for few features. Which bins are filled depends on all features, so sketches cannot be
/// merged. O(coordinates^2) for one feature.
SketchFunction MakeDensifiedBins(uint32_t coordinates);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_SKETCH_BINS_H_
