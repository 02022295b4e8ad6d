// Min-wise sketches by hashes of a lead, which is affine over GF(2), and a tail, which is computed
// only if the lead is small enough.
#ifndef LOOKALIKE_KERNELS_LEADS_H_
#define LOOKALIKE_KERNELS_LEADS_H_

#include <cstddef>
#include <cstdint>

namespace lookalike {

/// Coordinates whose leads are made together.
inline constexpr size_t kLeadGroup = 128;

/// Leads of a group; aligned because vectors that cross cache lines take twice as long.
struct alignas(64) LeadRow {
  uint8_t leads[kLeadGroup];
};

/// The number of rows of a group: one for each value of each half byte.
inline constexpr size_t kLeadRows = 16 * 16;

/// The lead in a row past the last coordinate.
inline constexpr uint8_t kNoLead = 255;

/// The parts of a sketch's hashes.
struct LeadHashes {
  uint32_t lead_bits;  ///< 4 or 8.
  size_t coordinates;
  /// The leads of a group of coordinates are the exclusive or over i = 0 .. 15 of row 16 i + half
  /// byte i of the feature, the lowest first. In rows 0 .. 15, and only there, coordinates that do
  /// not exist have kNoLead.
  const LeadRow* rows;
  const uint64_t*
      tail_words;  ///< The tail is Mix64(feature ^ word), its upper 32 - lead_bits bits.
};

/// Sets out[b] to the least hash of coordinate b over the features. Returns the number of tails
/// computed: those whose lead is not above the least one before it.
uint64_t SketchLeads(const uint64_t* features, size_t count, const LeadHashes& hashes,
                     uint32_t* out);

}  // namespace lookalike

#endif  // LOOKALIKE_KERNELS_LEADS_H_
