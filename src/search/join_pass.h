// The exact join over the whole corpus: all pairs of stored sets that are alike, without keys.
#ifndef LOOKALIKE_SEARCH_JOIN_PASS_H_
#define LOOKALIKE_SEARCH_JOIN_PASS_H_

#include <vector>

#include "records/records.h"
#include "search/search_context.h"
#include "search/sets_pass.h"
#include "search/verify_pass.h"

namespace lookalike {

/// Joins the feature sets of all searched documents: the edges are final. All sets must fit in
/// memory: returns an Error if they do not, and when the observer cancels.
Result<VerifiedEdges> JoinSets(const SearchContext& context, const StoredSets& sets);

/// Joins stored samples of all searched documents as if they were sets, then accepts the pairs
/// whose estimates reach the threshold. Errors as JoinSets().
Result<VerifiedEdges> JoinSamples(const SearchContext& context, const StoredSets& samples);

}  // namespace lookalike

#endif  // LOOKALIKE_SEARCH_JOIN_PASS_H_
