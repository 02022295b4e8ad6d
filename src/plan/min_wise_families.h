// Families of permutations that sketches could draw from, and the distance of each from min-wise
// independence.
#ifndef LOOKALIKE_PLAN_MIN_WISE_FAMILIES_H_
#define LOOKALIKE_PLAN_MIN_WISE_FAMILIES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "lookalike/lookalike.h"

namespace lookalike {

/// images[x] is the image of the point x.
using Permutation = std::vector<uint32_t>;

/// A family of permutations of `points` points.
struct NamedFamily {
  std::string name;
  std::vector<Permutation> permutations;
};

/// Returns all even permutations: for 4 and 5 points they are exactly min-wise independent, and no
/// such family is smaller.
NamedFamily EvenPermutations(uint32_t points);

/// Returns x -> x + b modulo `points`.
NamedFamily CyclicShifts(uint32_t points);

/// Returns x -> a x + b modulo p, a != 0. REQUIRES: p is prime.
NamedFamily LinearMaps(uint32_t p);

/// Returns x -> M x + b over GF(2)^3, M invertible; the point is the number with these three bits.
NamedFamily AffineMaps();

/// Returns x -> (a x + b) / (c x + d) over GF(5) and infinity, which is point 5, with a d - b c a
/// square other than 0: PSL(2,5).
NamedFamily ProjectiveMaps();

/// Returns lcm(1, ..., n). REQUIRES: n below 43.
uint64_t LeastCommonMultipleUpTo(uint32_t n);

/// Measures the deviation of a family, over all sets of its points. REQUIRES: up to 20 points, and
/// at least one permutation.
PermutationFamily MeasureFamily(const NamedFamily& family);

}  // namespace lookalike

#endif  // LOOKALIKE_PLAN_MIN_WISE_FAMILIES_H_
