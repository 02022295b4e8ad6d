// The exact join: finds every pair of sets at or above a resemblance or containment, by comparing
// instead of sampling.
//
// AllPairs (Bayardo, Ma and Srikant 2007) with the positional filter of PPJoin (Xiao et al. 2008):
// if two sets are similar, the rarest features of one are among the rarest of the other, so only
// short prefixes need an index. For a set that is contained in another, indexing its rarest
// features is enough, as the other set probes with all of its features.
#ifndef LOOKALIKE_STAGES_CANDIDATES_EXACT_JOIN_H_
#define LOOKALIKE_STAGES_CANDIDATES_EXACT_JOIN_H_

#include <compare>
#include <cstdint>
#include <functional>
#include <vector>

#include "measures/threshold.h"
#include "records/feature_sets.h"

namespace lookalike {

/// Items a < b, and the number of features they share.
struct ExactPair {
  uint32_t a, b, common;
  auto operator<=>(const ExactPair&) const = default;
};

/// Returns all pairs of non-empty sets that meet the test, sorted by (a, b). The result does not
/// depend on `threads` (0: as many as there are processors). Memory: about 16 bytes per feature
/// that two sets share, besides the result. `cancelled` (null: never) is called from any thread,
/// every few sets: once it returns true, the rest is left out. REQUIRES: 0 < threshold <= 1; fewer
/// than 2^32 sets, each smaller than 2^31.
std::vector<ExactPair> ExactJoin(const FeatureSets& sets, const AlikeTest& test, uint64_t threads,
                                 const std::function<bool()>& cancelled = {});

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_CANDIDATES_EXACT_JOIN_H_
