// Decides what is cut from the documents of a job.
#ifndef LOOKALIKE_USES_PASSAGES_CUTTING_H_
#define LOOKALIKE_USES_PASSAGES_CUTTING_H_

#include "lookalike/status.h"
#include "run/workspace.h"
#include "stages/passages/cut_plan.h"
#include "stages/passages/text_borders.h"
#include "uses/passages/planned_cuts.h"
#include "uses/passages/run_search.h"
#include "uses/passages/text_pass.h"

namespace lookalike {

/// Returns an Error if the texts of an input cannot be shortened: pages, of which a cut would tear
/// the markup, and records of WARC, whose headers say how long they are.
Status CheckCanCut(const Job& job);

/// Reads the documents with redundant runs again, and plans their cuts in the order of ranks. Texts
/// wait for their turn in scratch space, unless that is the order of the documents. Documents whose
/// text is not as its record has it, because invalid UTF-8 was replaced, stay as they are. Takes
/// the redundant runs of `found`.
Result<PlannedCuts> PlanCuts(const PassageContext& context, CutUnit unit, const CutRules& rules,
                             RunsFound* found, Workspace* workspace);

}  // namespace lookalike

#endif  // LOOKALIKE_USES_PASSAGES_CUTTING_H_
