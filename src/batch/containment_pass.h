// The candidates for containment over the whole corpus, from the samples that pass one stored.
#ifndef LOOKALIKE_BATCH_CONTAINMENT_PASS_H_
#define LOOKALIKE_BATCH_CONTAINMENT_PASS_H_

#include "batch/candidates_pass.h"

namespace lookalike {

/// Meets all representatives by their rarest samples (stages/candidates/containment.h). What does
/// not fit memory goes to temporary runs; nothing of it is kept for another attempt. An Error where
/// `pairs` would meet more than some billions and was not told to go on.
/// REQUIRES: job.containment.
Result<Candidates> FindContained(const Job& job, const DocumentUnits& units, const Ranking& ranking,
                                 const Bitmap& reps, const Observer& observer,
                                 Workspace* workspace);

}  // namespace lookalike

#endif  // LOOKALIKE_BATCH_CONTAINMENT_PASS_H_
