// Estimates from the equal coordinates of two sketches, and sketches that keep few bits of each.
#ifndef LOOKALIKE_STAGES_SKETCH_ESTIMATE_H_
#define LOOKALIKE_STAGES_SKETCH_ESTIMATE_H_

#include <cstdint>
#include <span>

#include "lookalike/sketch.h"

namespace lookalike {

/// Bits of a coordinate that is kept in full.
inline constexpr uint32_t kWholeCoordinate = 32;

/// True if this many bits of each coordinate can be kept: 1, 2, 4, 8, 16 or 32.
bool IsAllowedWidth(uint64_t bits);

/// Returns `bits` pseudo-random bits of a coordinate; for 32, the coordinate itself. REQUIRES:
/// IsAllowedWidth(bits).
uint32_t KeepBits(uint32_t coordinate, uint32_t bits);

/// Estimates the resemblance of two sets with `equal` of `coordinates` equal values of `bits` bits,
/// without bias: (m - K c) / (K (1 - c)) for m of K, where c = 2^-bits is the share that is equal
/// by chance, or 0 for whole values. Below 0 if fewer are equal than by chance. Standard error:
/// sqrt(p (1 - p) / K) / (1 - c) with p = (m + 1/2) / (K + 1), so that it is not 0 if all or none
/// are equal (Agresti and Coull 1998). REQUIRES: coordinates > 0.
ResemblanceEstimate EstimateFromEqual(uint32_t equal, uint32_t coordinates, uint32_t bits);

/// Returns the least number of equal values whose estimate reaches the threshold (at most 1).
uint32_t LeastEqual(double threshold, uint32_t coordinates, uint32_t bits);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_SKETCH_ESTIMATE_H_
