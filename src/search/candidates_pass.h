// Steps 2 to 4 over the whole corpus: band keys are joined partition by partition.
#ifndef LOOKALIKE_SEARCH_CANDIDATES_PASS_H_
#define LOOKALIKE_SEARCH_CANDIDATES_PASS_H_

#include "lookalike/status.h"
#include "search/join_units.h"
#include "search/pair_collector.h"
#include "search/search_context.h"

namespace lookalike {

/// Joins the keys of all representatives, and the features of those with few features. One unit,
/// or, where tasks share the join, one for each group of partitions. Returns an Error if a unit has
/// more candidates than the limit allows.
Result<Candidates> FindCandidates(const SearchContext& context, const CandidateLimit& limit);

}  // namespace lookalike

#endif  // LOOKALIKE_SEARCH_CANDIDATES_PASS_H_
