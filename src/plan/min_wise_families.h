// Families of permutations that sketches could draw from, and how near each is to min-wise
// independence.
#ifndef LOOKALIKE_PLAN_MIN_WISE_FAMILIES_H_
#define LOOKALIKE_PLAN_MIN_WISE_FAMILIES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "lookalike/lookalike.h"

namespace lookalike {

/// images[x] is where the point x goes.
using Permutation = std::vector<uint32_t>;

/// A family of permutations of so many points.
struct NamedFamily {
  std::string name;
  std::vector<Permutation> permutations;
};

/// All even permutations: of 4 and of 5 points exactly min-wise independent, and as small as such
/// a family can be.
NamedFamily EvenPermutations(uint32_t points);

/// x -> x + b modulo `points`.
NamedFamily CyclicShifts(uint32_t points);

/// x -> a x + b modulo p, a != 0. REQUIRES: p is prime.
NamedFamily LinearMaps(uint32_t p);

/// x -> M x + b over GF(2)^3, M invertible; the point is the number with these three bits.
NamedFamily AffineMaps();

/// x -> (a x + b) / (c x + d) of GF(5) and infinity, which is point 5, with a d - b c a square
/// other than 0: PSL(2,5).
NamedFamily ProjectiveMaps();

/// lcm(1, ..., n). REQUIRES: n below 43.
uint64_t LeastCommonMultipleUpTo(uint32_t n);

/// The deviation of a family, over all sets of its points. REQUIRES: up to 20 points, and some
/// permutation.
PermutationFamily MeasureFamily(const NamedFamily& family);

}  // namespace lookalike

#endif  // LOOKALIKE_PLAN_MIN_WISE_FAMILIES_H_
