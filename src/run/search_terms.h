// The facts about a job that the planner needs.
#ifndef LOOKALIKE_RUN_SEARCH_TERMS_H_
#define LOOKALIKE_RUN_SEARCH_TERMS_H_

#include "plan/choice.h"
#include "plan/planner.h"
#include "run/job.h"
#include "run/memory_plan.h"

namespace lookalike {

/// Returns the goal and the rules of the job's search. They do not depend on the design.
SearchTerms TermsOf(const Job& job);

/// Returns the design with the lowest predicted cost for that many documents (ChooseSearch). If
/// none reaches the recall, the Error says what to do.
Result<Design> PlanDesign(const Job& job, double documents);

/// Returns the inputs' size, as far as possible without reading them.
CollectionSize SizeOf(const Job& job);

/// Adds to `facts` the memory needed to unpack a file of `plain_bytes` decompressed bytes.
void AddPacking(const InputFile& file, double plain_bytes, CollectionFacts* facts);

/// Returns how a run of the job divides its memory.
MemoryBounds BoundsOf(const MemoryPlan& plan, const Job& job);

}  // namespace lookalike

#endif  // LOOKALIKE_RUN_SEARCH_TERMS_H_
