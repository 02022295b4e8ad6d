// Min-wise hashing by functions of known families.
#ifndef LOOKALIKE_STAGES_SKETCH_HASH_FAMILIES_H_
#define LOOKALIKE_STAGES_SKETCH_HASH_FAMILIES_H_

#include <cstdint>

#include "stages/sketch/sketch_function.h"

namespace lookalike {

// Coordinate b is the least value over the features of function b, a hash from 64 bits to 32
// (docs/format/sketch-kinds-v1.md has the constants). Coordinates are equal with probability =
// resemblance as far as the family is min-wise, and the sketch of a union is the least of each
// coordinate. O(features * coordinates). The functions are made once for each Sketcher.

/// Applies a 64-bit finaliser to the feature and a random word per coordinate. There is no theory
/// for it, but no known deviation either.
SketchFunction MakeMixer(uint32_t coordinates);

/// Takes upper bits of a x + b mod 2^61 - 1. Pairwise independent. Bad in the worst case (Broder,
/// Charikar, Frieze, Mitzenmacher 2000), good on random sets (Bohman, Cooper, Frieze 2000); for
/// runs of consecutive numbers, resemblance is estimated too low.
SketchFunction MakeLinear(uint32_t coordinates);

/// Takes ((a x + b) mod 2^61 - 1) mod 2^32, as most tools do. Has the properties of MakeLinear.
SketchFunction MakeUniversal(uint32_t coordinates);

/// Multiplies by a random matrix over GF(2) of 32 rows and 64 columns, and adds a random vector
/// (Broder and Feige 2000, Min-wise versus linear independence). Pairwise independent.
SketchFunction MakeMatrix(uint32_t coordinates);

/// Uses simple tabulation, 8 tables of 256 (Patrascu and Thorup, The power of simple tabulation
/// hashing, 2012): P[x is least of n] is 1/n within a factor 1 + O(lg^2 n / n^(1/8)). 8 KiB per
/// coordinate.
SketchFunction MakeTabulation(uint32_t coordinates);

/// Uses mixed tabulation, 8 characters and 4 derived characters (Dahlgaard, Knudsen, Rotenberg,
/// Thorup, Hashing for statistics over k-partitions, 2015). 20 KiB per coordinate.
SketchFunction MakeMixedTabulation(uint32_t coordinates);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_SKETCH_HASH_FAMILIES_H_
