// The table of the kinds of sketch.
#ifndef LOOKALIKE_STAGES_SKETCH_SKETCH_KINDS_H_
#define LOOKALIKE_STAGES_SKETCH_SKETCH_KINDS_H_

#include <cstdint>
#include <string_view>

#include "lookalike/sketch.h"
#include "stages/sketch/sketch_function.h"

namespace lookalike {

/// The distribution of the values of coordinates.
enum class CoordinateScale : uint8_t {
  kUniform,  ///< The least of uniform values of 32 bits.
  kRounds,   ///< A round and a value of 27 bits; a fresh hash above all rounds.
  kBins,     ///< The bin's own value of 27 bits; for an empty bin, the value of another or none.
  kRuns,     ///< The rank of a run of zeros, and 27 bits that resolve ties.
  kRaces,    ///< The upper half of a double: a time, exponentially distributed.
  kBiased,   ///< 31 bits if the biased bit is 0; else a larger value, as for kRuns.
};

/// One kind of sketch.
struct KindRow {
  SketchKind kind;
  std::string_view name;     ///< The part before the number of coordinates.
  std::string_view variant;  ///< The part after it; empty for the plain kind of that name.
  SketchFunction (*make)(uint32_t coordinates);  ///< Null if it samples by weight.
  CoordinateScale scale;
  uint32_t rounds = 0;    ///< Rounds, in each of which a feature goes to one bin.
  bool mergeable = true;  ///< See IsMergeable.
  bool bandable = true;   ///< See IsBandable.
  WeightedSketchFunction (*make_weighted)(uint32_t coordinates) = nullptr;
};

/// Returns the row of a kind. REQUIRES: IsKnownKind(kind).
const KindRow& RowOf(SketchKind kind);

/// Returns the row of a kind, or nothing if no kind has this number.
const KindRow* FindRow(SketchKind kind);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_SKETCH_SKETCH_KINDS_H_
