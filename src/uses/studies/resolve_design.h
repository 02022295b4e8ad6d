// Helpers shared by plans and by the evaluation and the study of a design.
#ifndef LOOKALIKE_USES_STUDIES_RESOLVE_DESIGN_H_
#define LOOKALIKE_USES_STUDIES_RESOLVE_DESIGN_H_

#include <vector>

#include "lookalike/options.h"
#include "lookalike/status.h"
#include "stages/candidates/design.h"

namespace lookalike {

/// Returns an Error if containment is measured, for which there are no predictions.
Status RefuseContainment(const Options& options);

/// Returns Options::design, or the design planned for threshold and recall.
Result<Design> ResolveDesign(const Options& options);

/// Returns `at`, or 0, .05, ... 1 if it is empty.
std::vector<double> ResemblancesOf(const std::vector<double>& at);

}  // namespace lookalike

#endif  // LOOKALIKE_USES_STUDIES_RESOLVE_DESIGN_H_
