// Step 2: turns a sketch into the 64-bit keys of a design.
#ifndef LOOKALIKE_STAGES_CANDIDATES_BAND_KEYS_H_
#define LOOKALIKE_STAGES_CANDIDATES_BAND_KEYS_H_

#include <cstdint>
#include <span>

#include "stages/candidates/design.h"

namespace lookalike {

/// Sets keys[i] to a hash of the coordinates of band i and the number i, so that equal coordinates
/// in different bands make different keys. For groups that keep fewer than 64 bits, a key hashes
/// only these bits: two keys are equal if and only if these bits are. REQUIRES: sketch.size() >=
/// design.coordinates, keys.size() == design.keys.
void MakeBandKeys(const Design& design, std::span<const uint32_t> sketch, std::span<uint64_t> keys);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_CANDIDATES_BAND_KEYS_H_
