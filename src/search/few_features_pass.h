// Finds candidate pairs in which one document has few features, over the whole corpus, without any
// sketch.
#ifndef LOOKALIKE_SEARCH_FEW_FEATURES_PASS_H_
#define LOOKALIKE_SEARCH_FEW_FEATURES_PASS_H_

#include "lookalike/lookalike.h"
#include "records/bitmap.h"
#include "run/job.h"
#include "run/units.h"
#include "run/workspace.h"
#include "search/keep_order.h"
#include "search/pair_collector.h"

namespace lookalike {

/// Finds the pairs of representatives in which one has few features. Adds each pair to `pairs` as
/// often as it is found, and adds to `counts` the work done.
Status FindFew(const Job& job, const DocumentUnits& units, const Ranking& ranking,
               const Bitmap& reps, const Observer& observer, Workspace* workspace,
               PairCollector* pairs, BucketCounts* counts);

}  // namespace lookalike

#endif  // LOOKALIKE_SEARCH_FEW_FEATURES_PASS_H_
