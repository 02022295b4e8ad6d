// The shape of the curve of a design: its steepness, and the pairs it accepts or rejects wrongly.
#ifndef LOOKALIKE_PLAN_CURVE_H_
#define LOOKALIKE_PLAN_CURVE_H_

#include <optional>
#include <utility>

#include "stages/candidates/design.h"

namespace lookalike {

/// Returns the distance from the resemblance at which 1 pair in 100 passes to the resemblance at
/// which 1 in 100 fails.
double CurveWidth(const Design& design);

/// Returns (J, dP/dJ) where the curve is steepest, J to .001. The slope is measured on the chord
/// over .001.
std::pair<double, double> SteepestRise(const Design& design);

/// Returns the areas under the curve from 0 to `threshold`, and above it from there to 1, by
/// Simpson's rule.
std::pair<double, double> WrongAreas(const Design& design, double threshold);

/// Returns (1/B)^(1/R) for B bands of R, to 1e-10 (MMDS 3.4.2); groups of which one must agree are
/// bands. Returns nothing for other designs.
std::optional<double> ThresholdRule(const Design& design);

}  // namespace lookalike

#endif  // LOOKALIKE_PLAN_CURVE_H_
