// Steps 2 to 4 over the whole corpus: band keys are joined partition by partition.
#ifndef LOOKALIKE_BATCH_CANDIDATES_PASS_H_
#define LOOKALIKE_BATCH_CANDIDATES_PASS_H_

#include "batch/classes_pass.h"
#include "batch/job.h"
#include "batch/keep_order.h"
#include "batch/pair_collector.h"
#include "batch/units.h"
#include "batch/workspace.h"
#include "lookalike/lookalike.h"
#include "records/bitmap.h"
#include "records/records.h"

namespace lookalike {

struct Candidates {
  RunPointer pairs;  ///< Stream 0: CandidatePair records, distinct, by (d, a).
  Bitmap wanted;     ///< By document: it is in some pair.
  BucketCounts counts;
};

/// Joins the keys of all representatives, and the features of those with few features. One unit.
/// Returns an Error if there are more candidates than the limit allows.
Result<Candidates> FindCandidates(const Job& job, const DocumentUnits& units,
                                  const Ranking& ranking, const Bitmap& reps,
                                  const CandidateLimit& limit, const Observer& observer,
                                  Workspace* workspace);

}  // namespace lookalike

#endif  // LOOKALIKE_BATCH_CANDIDATES_PASS_H_
