// One permutation hashing without hashes of their own for empty bins.
#ifndef LOOKALIKE_STAGES_SKETCH_BINS_H_
#define LOOKALIKE_STAGES_SKETCH_BINS_H_

#include <cstdint>

#include "stages/sketch/sketch_function.h"

namespace lookalike {

// Both begin as `one-permutation` does (Li, Owen, Zhang, NIPS 2012): the upper bits of a feature
// name a bin, which takes the least of 27 further bits. O(features).

/// A bin that is empty stays so (kEmptyBin). Of two sketches matches / (bins - both empty) is
/// unbiased. The sketch of a union is the least of each coordinate.
SketchFunction MakeBins(uint32_t coordinates);

/// A bin that is empty takes the value of the first that is not in a random sequence of bins, its
/// own (Shrivastava, Optimal densification for fast and accurate minwise hashing, ICML 2017). Equal
/// coordinates have probability = resemblance, with up to 1.8 times the variance of minhash for few
/// features. Which bins are filled depends on all features: there is no merging. O(coordinates^2)
/// for one feature.
SketchFunction MakeDensifiedBins(uint32_t coordinates);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_SKETCH_BINS_H_
