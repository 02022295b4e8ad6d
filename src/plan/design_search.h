// A search for the sharpest filter of groups for its cost: "better filtering polynomials" (Broder),
// by trying them.
#ifndef LOOKALIKE_PLAN_DESIGN_SEARCH_H_
#define LOOKALIKE_PLAN_DESIGN_SEARCH_H_

#include "lookalike/design_study.h"
#include "stages/candidates/design.h"

namespace lookalike {

/// Returns the figures of a design by which designs are compared.
FoundDesign Describe(const Design& design);

/// Does the work of SearchDesigns for a goal that is within its bounds.
DesignSearch FindSharpest(const DesignGoal& goal);

}  // namespace lookalike

#endif  // LOOKALIKE_PLAN_DESIGN_SEARCH_H_
