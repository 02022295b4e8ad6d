// Rejects a run that certainly does not fit in memory before the first record is read.
#ifndef LOOKALIKE_SEARCH_MEMORY_FORECAST_H_
#define LOOKALIKE_SEARCH_MEMORY_FORECAST_H_

#include "lookalike/status.h"
#include "run/job.h"
#include "run/memory_plan.h"
#include "search/candidate_source.h"

namespace lookalike {

/// Returns an Error if --memory is too little even for a quarter of the documents that the inputs
/// seem to have, so that hours of reading cannot end in the same Error. Sizes are guesses: a run
/// that passes here is checked again once its documents are counted. `source`: null if other tasks
/// find the pairs.
Status CheckForecast(const Job& job, const CandidateSource* source, const MemoryPlan& memory);

}  // namespace lookalike

#endif  // LOOKALIKE_SEARCH_MEMORY_FORECAST_H_
