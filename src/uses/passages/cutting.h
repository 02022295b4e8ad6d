// Decides what is cut from the documents of a job.
#ifndef LOOKALIKE_USES_PASSAGES_CUTTING_H_
#define LOOKALIKE_USES_PASSAGES_CUTTING_H_

#include <cstdint>
#include <memory>

#include "lookalike/status.h"
#include "run/workspace.h"
#include "spill/paged_records.h"
#include "spill/sorter.h"
#include "stages/passages/cut_plan.h"
#include "stages/passages/text_borders.h"
#include "uses/passages/places.h"
#include "uses/passages/stored_cuts.h"
#include "uses/passages/text_pass.h"

namespace lookalike {

/// Returns an Error if the texts of an input cannot be shortened: pages, of which a cut would tear
/// the markup, and records of WARC, whose headers say how long they are.
Status CheckCanCut(const Job& job);

/// Cuts, and the hash of the words of each (HashRun).
struct PlannedCuts {
  std::unique_ptr<StoredCuts> cuts;
  PagedRecords<uint64_t> hashes;
};

/// Reads the documents with redundant runs again, in order, and plans their cuts. Documents whose
/// text is not as its record has it, because invalid UTF-8 was replaced, stay as they are.
Result<PlannedCuts> PlanCuts(const PassageContext& context, const KnownInputs& known,
                             DocNumber documents, CutUnit unit, const CutRules& rules,
                             Sorted<RedundantPlace>* redundant, Workspace* workspace);

}  // namespace lookalike

#endif  // LOOKALIKE_USES_PASSAGES_CUTTING_H_
