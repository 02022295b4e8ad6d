// Finds the candidates for containment over the whole corpus, from the samples that pass one
// stored.
#ifndef LOOKALIKE_SEARCH_CONTAINMENT_PASS_H_
#define LOOKALIKE_SEARCH_CONTAINMENT_PASS_H_

#include "search/candidates_pass.h"
#include "search/search_context.h"

namespace lookalike {

/// Finds pairs of representatives by their rarest samples (stages/candidates/containment.h).
/// Anything that does not fit in memory goes to temporary runs; nothing is kept for another
/// attempt. Returns an Error if `pairs` would have more than some billions of meetings, unless
/// --yes is given. REQUIRES: job.containment.
Result<Candidates> FindContained(const SearchContext& context);

}  // namespace lookalike

#endif  // LOOKALIKE_SEARCH_CONTAINMENT_PASS_H_
