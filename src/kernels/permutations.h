// Min-wise sketches by as many hash functions as there are coordinates.
#ifndef LOOKALIKE_KERNELS_PERMUTATIONS_H_
#define LOOKALIKE_KERNELS_PERMUTATIONS_H_

#include <cstddef>
#include <cstdint>

namespace lookalike {

/// Makes a sketch by min-wise hashing (Broder, SEQUENCES 1997): out[b] is the minimum over the
/// features of the b-th permutation of 32 bits, an exclusive or and a multiplication. Equal
/// coordinates have probability = resemblance, and the sketch of a union is the coordinate-wise
/// minimum. O(count * coordinates). `coordinates`: 16 to 1024. REQUIRES: count > 0.
void SketchPermutations(const uint64_t* features, size_t count, size_t coordinates, uint32_t* out);

/// Does the same with a hash of 64 bits: out[b] is the least over the features f of the upper half
/// of Mix64(f ^ words[b]). REQUIRES: as for SketchPermutations.
void SketchMixer(const uint64_t* features, size_t count, const uint64_t* words, size_t coordinates,
                 uint32_t* out);

}  // namespace lookalike

#endif  // LOOKALIKE_KERNELS_PERMUTATIONS_H_
