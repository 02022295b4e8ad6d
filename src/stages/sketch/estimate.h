// What equal coordinates of two sketches say, and the few bits of each that may be kept.
#ifndef LOOKALIKE_STAGES_SKETCH_ESTIMATE_H_
#define LOOKALIKE_STAGES_SKETCH_ESTIMATE_H_

#include <cstdint>
#include <span>

#include "lookalike/sketch.h"

namespace lookalike {

/// Bits of a coordinate that is kept whole.
inline constexpr uint32_t kWholeCoordinate = 32;

/// Whether so many bits of each coordinate can be kept: 1, 2, 4, 8, 16 or 32.
bool IsAllowedWidth(uint64_t bits);

/// `bits` pseudo-random bits of a coordinate; of 32 the coordinate itself. REQUIRES:
/// IsAllowedWidth(bits).
uint32_t KeepBits(uint32_t coordinate, uint32_t bits);

/// The resemblance of two sets of which `equal` of `coordinates` values of `bits` bits are equal,
/// without bias: (m - K c) / (K (1 - c)) for m of K, c = 2^-bits being the share that is equal by
/// chance, none where values are whole. Below 0 where fewer are equal than by chance. Standard
/// error: sqrt(p (1 - p) / K) / (1 - c) with p = (m + 1/2) / (K + 1), so that it is not 0 where all
/// or none are equal (Agresti and Coull 1998). REQUIRES: coordinates > 0.
ResemblanceEstimate EstimateFromEqual(uint32_t equal, uint32_t coordinates, uint32_t bits);

/// The least number of equal ones whose estimate is at or above the threshold, which is at most 1.
uint32_t LeastEqual(double threshold, uint32_t coordinates, uint32_t bits);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_SKETCH_ESTIMATE_H_
