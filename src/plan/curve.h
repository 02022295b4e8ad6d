// The shape of the curve of a design: how steep, and how much it lets pass wrongly.
#ifndef LOOKALIKE_PLAN_CURVE_H_
#define LOOKALIKE_PLAN_CURVE_H_

#include <optional>
#include <utility>

#include "stages/candidates/design.h"

namespace lookalike {

/// From the resemblance that passes once in 100 to the one that fails once in 100.
double CurveWidth(const Design& design);

/// (J, dP/dJ) where the curve rises most, J to .001. The slope is that of the chord over .001.
std::pair<double, double> SteepestRise(const Design& design);

/// The areas under the curve from 0 to `threshold`, and above it from there to 1, by Simpson's
/// rule.
std::pair<double, double> WrongAreas(const Design& design, double threshold);

/// (1/B)^(1/R) of B bands of R, to 1e-10 (MMDS 3.4.2); groups of which one suffices are bands.
/// Nothing for other designs.
std::optional<double> ThresholdRule(const Design& design);

}  // namespace lookalike

#endif  // LOOKALIKE_PLAN_CURVE_H_
