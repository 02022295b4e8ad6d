// The distance of two points or strings: `compare --distance`.
#ifndef LOOKALIKE_USES_COMPARE_COMPARE_DISTANCE_H_
#define LOOKALIKE_USES_COMPARE_COMPARE_DISTANCE_H_

#include "lookalike/lookalike.h"
#include "lookalike/options.h"
#include "run/cancel_check.h"
#include "uses/compare/operand.h"

namespace lookalike {

/// Returns how operands are read if a distance is asked for. REQUIRES: valid options, with a
/// distance.
OperandForm FormOfDistances(const Options& options);

/// Returns a Comparison that holds the distance and the texts. Errors: not a point, points of
/// different dimensions, texts too long for counting edits. REQUIRES: valid options, with a
/// distance.
Result<Comparison> CompareByDistance(const Operand& a, const Operand& b, const Options& options,
                                     CancelCheck* check);

}  // namespace lookalike

#endif  // LOOKALIKE_USES_COMPARE_COMPARE_DISTANCE_H_
