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
#include "search/search_context.h"

namespace lookalike {

/// Finds the pairs of representatives in which one has few features. Adds each pair to `pairs` as
/// often as it is found, and adds to `counts` the work done.
Status FindFew(const SearchContext& context, PairCollector* pairs, BucketCounts* counts);

}  // namespace lookalike

#endif  // LOOKALIKE_SEARCH_FEW_FEATURES_PASS_H_
