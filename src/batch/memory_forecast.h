// What a run certainly cannot hold, told before the first record is read.
#ifndef LOOKALIKE_BATCH_MEMORY_FORECAST_H_
#define LOOKALIKE_BATCH_MEMORY_FORECAST_H_

#include "batch/job.h"
#include "batch/memory_plan.h"
#include "lookalike/status.h"

namespace lookalike {

/// An Error where --memory is too little even for a quarter of the documents that the inputs seem
/// to have, so that hours of reading cannot end in the same Error. Sizes are guesses: what passes
/// here is checked again once it is counted.
Status CheckForecast(const Job& job, const MemoryPlan& memory);

}  // namespace lookalike

#endif  // LOOKALIKE_BATCH_MEMORY_FORECAST_H_
