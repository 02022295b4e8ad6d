// Candidates of which one has few features, over the whole corpus: no sketch has a say.
#ifndef LOOKALIKE_BATCH_FEW_FEATURES_PASS_H_
#define LOOKALIKE_BATCH_FEW_FEATURES_PASS_H_

#include "batch/job.h"
#include "batch/keep_order.h"
#include "batch/pair_collector.h"
#include "batch/units.h"
#include "batch/workspace.h"
#include "flow/bitmap.h"
#include "lookalike/lookalike.h"

namespace lookalike {

/// Finds the pairs of representatives of which one has few features; gives them to `pairs`, each as
/// often as it is found. What it did is added to `counts`.
Status FindFew(const Job& job, const DocumentUnits& units, const Ranking& ranking,
               const Bitmap& reps, const Observer& observer, Workspace* workspace,
               PairCollector* pairs, BucketCounts* counts);

}  // namespace lookalike

#endif  // LOOKALIKE_BATCH_FEW_FEATURES_PASS_H_
