// The facts about a job that the planner needs.
#ifndef LOOKALIKE_RUN_SEARCH_TERMS_H_
#define LOOKALIKE_RUN_SEARCH_TERMS_H_

#include "plan/choice.h"
#include "plan/planner.h"
#include "run/job.h"
#include "run/memory_plan.h"

namespace lookalike {

/// Returns what is searched for, and by what rules. The design plays no part.
SearchTerms TermsOf(const Job& job);

/// Returns the design with the lowest predicted cost for so many documents (ChooseSearch). If none
/// reaches the recall, the Error says what to do.
Result<Design> PlanDesign(const Job& job, double documents);

/// Returns the inputs' size, as far as possible without reading them.
CollectionSize SizeOf(const Job& job);

/// Adds the memory that unpacking a file of so many bytes in all takes.
void AddPacking(const InputFile& file, double plain_bytes, CollectionFacts* facts);

/// Returns how a run of the job divides its memory.
MemoryBounds BoundsOf(const MemoryPlan& plan, const Job& job);

}  // namespace lookalike

#endif  // LOOKALIKE_RUN_SEARCH_TERMS_H_
