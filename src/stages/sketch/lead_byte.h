// The lead-byte trick: min-wise hashing that computes most of a hash only if it can matter.
#ifndef LOOKALIKE_STAGES_SKETCH_LEAD_BYTE_H_
#define LOOKALIKE_STAGES_SKETCH_LEAD_BYTE_H_

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/leads.h"
#include "lookalike/sketch.h"
#include "stages/sketch/sketch_function.h"

namespace lookalike {

/// Min-wise hashing with hashes made of a lead of 8 or 4 bits and a tail of 24 or 28 (Broder,
/// Burrows, Manasse). One random affine transformation over GF(2) from the feature to 64 bits gives
/// the leads of 8 or 16 coordinates; the tail, a finaliser, is computed only if the lead is not
/// above the coordinate's least lead so far. The leads of all coordinates are the sum of 16 rows,
/// one for each half byte of the feature. A coordinate is the least value of lead and tail.
class LeadBytes {
 public:
  LeadBytes(SketchKind kind, uint32_t lead_bits, uint32_t coordinates);

  /// Returns how many tails were computed. For n features as random as hashes, a coordinate needs n
  /// / m + (the sum over 0 < v < m of (1 - (1 - v/m)^n) / v) of them on average, m = 2^lead_bits:
  /// 10.01 for n = 1000 with 8 bits.
  uint64_t Run(std::span<const uint64_t> features, std::span<uint32_t> out) const;

 private:
  void AddTables(SketchKind kind, uint32_t word);

  uint32_t lead_bits_;
  std::vector<LeadRow> rows_;  ///< As passed to SketchLeads.
  std::vector<uint64_t> tail_words_;
};

SketchFunction MakeLeadByte(uint32_t coordinates);
SketchFunction MakeLeadNibble(uint32_t coordinates);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_SKETCH_LEAD_BYTE_H_
