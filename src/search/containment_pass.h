// Finds the candidates for containment over the whole corpus, from the samples that pass one
// stored.
#ifndef LOOKALIKE_SEARCH_CONTAINMENT_PASS_H_
#define LOOKALIKE_SEARCH_CONTAINMENT_PASS_H_

#include <vector>

#include "run/partition_runs.h"
#include "search/join_units.h"
#include "search/search_context.h"

namespace lookalike {

/// Returns the features in some partitions that representatives share: for each partition a run of
/// SharedFeature records, sorted. REQUIRES: job.containment.
Result<std::vector<RunPointer>> FindShared(const SearchContext& context, PartitionRange features,
                                           const JoinRound& round);

/// Finds pairs of representatives by their rarest samples (stages/candidates/containment.h).
/// Anything that does not fit in memory goes to temporary runs. Returns an Error if `pairs` would
/// have more than some billions of meetings in a unit, unless --yes is given. REQUIRES:
/// job.containment.
Result<Candidates> FindContained(const SearchContext& context);

}  // namespace lookalike

#endif  // LOOKALIKE_SEARCH_CONTAINMENT_PASS_H_
