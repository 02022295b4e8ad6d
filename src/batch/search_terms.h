// What the planner needs to know of a job.
#ifndef LOOKALIKE_BATCH_SEARCH_TERMS_H_
#define LOOKALIKE_BATCH_SEARCH_TERMS_H_

#include "batch/job.h"
#include "batch/memory_plan.h"
#include "plan/choice.h"
#include "plan/planner.h"

namespace lookalike {

/// What is looked for, and by what rules. The design plays no part.
SearchTerms TermsOf(const Job& job);

/// The design that is cheapest by predicted cost for so many documents (ChooseSearch). The Error,
/// where none reaches the recall, says what to do.
Result<Design> PlanDesign(const Job& job, double documents);

/// The inputs' size as far as it shows without reading them.
CollectionSize SizeOf(const Job& job);

/// Adds what unpacking a file of so many bytes in all holds in memory.
void AddPacking(const InputFile& file, double plain_bytes, CollectionFacts* facts);

/// How a run of the job divides its memory.
MemoryBounds BoundsOf(const MemoryPlan& plan, const Job& job);

}  // namespace lookalike

#endif  // LOOKALIKE_BATCH_SEARCH_TERMS_H_
