// The distance of two points or strings: `compare --distance`.
#ifndef LOOKALIKE_API_COMPARE_DISTANCE_H_
#define LOOKALIKE_API_COMPARE_DISTANCE_H_

#include "api/cancel_check.h"
#include "api/operand.h"
#include "lookalike/lookalike.h"
#include "lookalike/options.h"

namespace lookalike {

/// How operands are read where a distance is asked for. REQUIRES: valid options, with one.
OperandForm FormOfDistances(const Options& options);

/// A Comparison that holds the distance and the texts. Errors: no point, points of unlike
/// dimensions, texts too long to count edits of. REQUIRES: valid options, with a distance.
Result<Comparison> CompareByDistance(const Operand& a, const Operand& b, const Options& options,
                                     CancelCheck* check);

}  // namespace lookalike

#endif  // LOOKALIKE_API_COMPARE_DISTANCE_H_
