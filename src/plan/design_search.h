// Which filter of groups is the sharpest for its cost: "better filtering polynomials" (Broder), by
// trying them.
#ifndef LOOKALIKE_PLAN_DESIGN_SEARCH_H_
#define LOOKALIKE_PLAN_DESIGN_SEARCH_H_

#include "lookalike/design_study.h"
#include "stages/candidates/design.h"

namespace lookalike {

/// The figures of a design by which they are compared.
FoundDesign Describe(const Design& design);

/// As SearchDesigns, of a goal that is in its bounds.
DesignSearch FindSharpest(const DesignGoal& goal);

}  // namespace lookalike

#endif  // LOOKALIKE_PLAN_DESIGN_SEARCH_H_
