// Reads a sample of the inputs for the planner.
#ifndef LOOKALIKE_SEARCH_PLAN_SAMPLE_H_
#define LOOKALIKE_SEARCH_PLAN_SAMPLE_H_

#include <cstdint>

#include "lookalike/lookalike.h"
#include "plan/planner.h"
#include "run/job.h"

namespace lookalike {

/// Facts about a collection, learned from a sample.
struct PlanSample {
  CollectionFacts facts;
  uint64_t documents_read = 0;
  bool whole = false;           ///< The inputs were read in full.
  bool from_the_front = false;  ///< Only the front of some input was read, as it cannot be entered
                                ///< elsewhere (compressed or columnar files, CSV).
};

/// Reads all of a small collection. Of a larger collection it reads a share that falls as the
/// collection grows: 16,384 documents, or 32 times the square root of the number of documents if
/// that is more, so that the expected number of similar pairs in the sample does not fall.
/// Uncompressed JSON Lines are entered at evenly spread places; other inputs are read from the
/// front, up to 2 GiB, and sampled over all of that.
Result<PlanSample> ReadPlanSample(const Job& job, const Observer& observer);

}  // namespace lookalike

#endif  // LOOKALIKE_SEARCH_PLAN_SAMPLE_H_
