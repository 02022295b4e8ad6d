// Min-wise hashing by functions of known families.
#ifndef LOOKALIKE_STAGES_SKETCH_HASH_FAMILIES_H_
#define LOOKALIKE_STAGES_SKETCH_HASH_FAMILIES_H_

#include <cstdint>

#include "stages/sketch/sketch_function.h"

namespace lookalike {

// Coordinate b is the least value over the features of function b, a hash of 64 bits to 32
// (docs/format/sketch-kinds-v1.md has the constants). Equal coordinates have probability =
// resemblance as far as the family is min-wise, and the sketch of a union is the least of each
// coordinate. O(features * coordinates). The functions are made once for each Sketcher.

/// A finaliser of 64 bits over the feature and a word of the coordinate's own. No theory, no known
/// deviation.
SketchFunction MakeMixer(uint32_t coordinates);

/// a x + b mod 2^61 - 1, upper bits. Pairwise independent. Bad in the worst case (Broder, Charikar,
/// Frieze, Mitzenmacher 2000), good on random sets (Bohman, Cooper, Frieze 2000); resemblance of
/// runs of consecutive numbers is estimated too low.
SketchFunction MakeLinear(uint32_t coordinates);

/// ((a x + b) mod 2^61 - 1) mod 2^32: as most tools have it. What holds for MakeLinear holds here.
SketchFunction MakeUniversal(uint32_t coordinates);

/// A random matrix over GF(2) of 32 rows and 64 columns, and a random vector added (Broder and
/// Feige 2000, Min-wise versus linear independence). Pairwise independent.
SketchFunction MakeMatrix(uint32_t coordinates);

/// Simple tabulation, 8 tables of 256 (Patrascu and Thorup, The power of simple tabulation hashing,
/// 2012): P[x is least of n] is 1/n within a factor 1 + O(lg^2 n / n^(1/8)). 8 KiB a coordinate.
SketchFunction MakeTabulation(uint32_t coordinates);

/// Mixed tabulation, 8 characters and 4 derived ones (Dahlgaard, Knudsen, Rotenberg, Thorup,
/// Hashing for statistics over k-partitions, 2015). 20 KiB a coordinate.
SketchFunction MakeMixedTabulation(uint32_t coordinates);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_SKETCH_HASH_FAMILIES_H_
