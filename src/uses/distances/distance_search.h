// Searches by distances: pairs, and nearest neighbours.
#ifndef LOOKALIKE_USES_DISTANCES_DISTANCE_SEARCH_H_
#define LOOKALIKE_USES_DISTANCES_DISTANCE_SEARCH_H_

#include "io/pending_output.h"
#include "lookalike/lookalike.h"
#include "results/search_call.h"

namespace lookalike {

/// Both functions give their rows to call.sink. REQUIRES: options.distance is not off.
Result<PairsSummary> PairsByDistance(const SearchCall& call, PendingOutput* pending);
Result<NearestSummary> NearestByDistance(const SearchCall& call, PendingOutput* pending);

}  // namespace lookalike

#endif  // LOOKALIKE_USES_DISTANCES_DISTANCE_SEARCH_H_
