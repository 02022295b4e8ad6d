// The table of the kinds of sketch.
#ifndef LOOKALIKE_STAGES_SKETCH_SKETCH_KINDS_H_
#define LOOKALIKE_STAGES_SKETCH_SKETCH_KINDS_H_

#include <cstdint>
#include <string_view>

#include "lookalike/sketch.h"
#include "stages/sketch/sketch_function.h"

namespace lookalike {

/// How the values of coordinates are distributed.
enum class CoordinateScale : uint8_t {
  kUniform,  ///< The least of uniform values of 32 bits.
  kRounds,   ///< A round and a value of 27 bits; a fresh hash above all rounds.
  kBins,     ///< A value of 27 bits, its own, or of another bin or none where that had none.
  kRuns,     ///< The rank of a run of zeros, and 27 bits that resolve ties.
  kRaces,    ///< The upper half of a double: a time, exponentially distributed.
  kBiased,   ///< 31 bits where the biased bit is 0; above them those of another run.
};

/// One kind of sketch.
struct KindRow {
  SketchKind kind;
  std::string_view name;     ///< Before the number of coordinates.
  std::string_view variant;  ///< Behind it; empty for the plain kind of that name.
  SketchFunction (*make)(uint32_t coordinates);  ///< Null where it samples by weight.
  CoordinateScale scale;
  uint32_t rounds = 0;    ///< In which each feature goes to one bin.
  bool mergeable = true;  ///< See IsMergeable.
  bool bandable = true;   ///< See IsBandable.
  WeightedSketchFunction (*make_weighted)(uint32_t coordinates) = nullptr;
};

/// REQUIRES: IsKnownKind(kind).
const KindRow& RowOf(SketchKind kind);

/// Nothing where no kind has this number.
const KindRow* FindRow(SketchKind kind);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_SKETCH_SKETCH_KINDS_H_
