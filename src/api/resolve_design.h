// What plans, and the evaluation and the study of a design, share.
#ifndef LOOKALIKE_API_RESOLVE_DESIGN_H_
#define LOOKALIKE_API_RESOLVE_DESIGN_H_

#include <vector>

#include "lookalike/options.h"
#include "lookalike/status.h"
#include "stages/candidates/design.h"

namespace lookalike {

/// An Error where containment is measured, of which nothing is predicted.
Status RefuseContainment(const Options& options);

/// Options::design, or the one planned for threshold and recall.
Result<Design> ResolveDesign(const Options& options);

/// `at`, or 0, .05, ... 1 where it is empty.
std::vector<double> ResemblancesOf(const std::vector<double>& at);

}  // namespace lookalike

#endif  // LOOKALIKE_API_RESOLVE_DESIGN_H_
