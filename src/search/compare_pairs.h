// Pairs that are compared after a search, from the texts.
#ifndef LOOKALIKE_SEARCH_COMPARE_PAIRS_H_
#define LOOKALIKE_SEARCH_COMPARE_PAIRS_H_

#include "search/pair_reader.h"
#include "search/search_context.h"
#include "search/verify_pass.h"

namespace lookalike {

/// Compares pairs, which takes a pass over the inputs if there are any. Returns those that meet the
/// test of the context's job; with `known`, only those that remove a document among these edges,
/// and pairs that cannot are not compared.
Result<VerifiedEdges> ComparePairs(const SearchContext& context, const PairRuns& pairs,
                                   const VerifiedEdges* known);

}  // namespace lookalike

#endif  // LOOKALIKE_SEARCH_COMPARE_PAIRS_H_
