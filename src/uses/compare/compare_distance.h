// The distance of two points or strings: `compare --distance`.
#ifndef LOOKALIKE_USES_COMPARE_COMPARE_DISTANCE_H_
#define LOOKALIKE_USES_COMPARE_COMPARE_DISTANCE_H_

#include "lookalike/lookalike.h"
#include "lookalike/options.h"
#include "measures/distance_kind.h"
#include "run/cancel_check.h"
#include "uses/compare/operand.h"

namespace lookalike {

/// Returns how operands are read for a distance.
OperandForm FormOfDistances(DistanceKind kind);

/// Returns a Comparison that holds the distance and the texts. Errors: not a point, points of
/// different dimensions, texts too long for counting edits. REQUIRES: valid options.
Result<Comparison> CompareByDistance(const Operand& a, const Operand& b, DistanceKind kind,
                                     const Options& options, CancelCheck* check);

}  // namespace lookalike

#endif  // LOOKALIKE_USES_COMPARE_COMPARE_DISTANCE_H_
