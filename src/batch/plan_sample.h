// Reads a sample of the inputs for the planner.
#ifndef LOOKALIKE_BATCH_PLAN_SAMPLE_H_
#define LOOKALIKE_BATCH_PLAN_SAMPLE_H_

#include <cstdint>

#include "batch/job.h"
#include "lookalike/lookalike.h"
#include "plan/planner.h"

namespace lookalike {

/// What a sample says of a collection.
struct PlanSample {
  CollectionFacts facts;
  uint64_t documents_read = 0;
  bool whole = false;           ///< All of the inputs was read.
  bool from_the_front = false;  ///< Of some input only the front was read, as it cannot be entered
                                ///< elsewhere (compressed or columnar files, CSV).
};

/// Reads all of a small collection. Of a larger one a share that falls as it grows: 16,384
/// documents, and 32 times the root of the number of documents, so that the pairs of alike
/// documents in the sample do not become fewer. Uncompressed JSON Lines are entered at evenly
/// spread places; of other inputs up to 2 GiB are read from the front, and documents of all of that
/// are sampled.
Result<PlanSample> ReadPlanSample(const Job& job, const Observer& observer);

}  // namespace lookalike

#endif  // LOOKALIKE_BATCH_PLAN_SAMPLE_H_
