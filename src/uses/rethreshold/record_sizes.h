// The sizes of records, and the threshold at which the kept ones have a size.
#ifndef LOOKALIKE_USES_RETHRESHOLD_RECORD_SIZES_H_
#define LOOKALIKE_USES_RETHRESHOLD_RECORD_SIZES_H_

#include <cstdint>

#include "lookalike/rethreshold.h"
#include "search/search.h"
#include "search/search_context.h"

namespace lookalike {

/// Returns the threshold whose result is the largest that is not above `target`; of several, the
/// highest. Takes a pass over the inputs, and memory for all edges. `search` has all edges from the
/// job's threshold on. An Error says how small the result can be.
Result<double> ThresholdFor(const TargetSize& target, const SearchContext& context,
                            const SearchResult& search);

}  // namespace lookalike

#endif  // LOOKALIKE_USES_RETHRESHOLD_RECORD_SIZES_H_
