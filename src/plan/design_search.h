// A search, by trial, for the groups design with the sharpest curve for its cost ("better filtering
// polynomials", Broder).
#ifndef LOOKALIKE_PLAN_DESIGN_SEARCH_H_
#define LOOKALIKE_PLAN_DESIGN_SEARCH_H_

#include "lookalike/design_study.h"
#include "stages/candidates/design.h"

namespace lookalike {

/// Returns the figures by which a design is compared with others.
FoundDesign Describe(const Design& design);

/// Does the work of SearchDesigns for a goal that is within its bounds.
DesignSearch FindSharpest(const DesignGoal& goal);

}  // namespace lookalike

#endif  // LOOKALIKE_PLAN_DESIGN_SEARCH_H_
