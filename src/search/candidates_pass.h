// Steps 2 to 4 over the whole corpus: band keys are joined partition by partition.
#ifndef LOOKALIKE_SEARCH_CANDIDATES_PASS_H_
#define LOOKALIKE_SEARCH_CANDIDATES_PASS_H_

#include "lookalike/lookalike.h"
#include "records/bitmap.h"
#include "records/records.h"
#include "run/job.h"
#include "run/units.h"
#include "run/workspace.h"
#include "search/classes_pass.h"
#include "search/keep_order.h"
#include "search/pair_collector.h"
#include "search/search_context.h"

namespace lookalike {

/// The unit of candidate pairs, which are its first stream.
inline constexpr const char* kJoinUnit = "join";

struct Candidates {
  RunPointer pairs;  ///< Stream 0: CandidatePair records, distinct, by (d, a).
  Bitmap wanted;     ///< By document: it is in some pair.
  BucketCounts counts;
};

/// Joins the keys of all representatives, and the features of those with few features. One unit.
/// Returns an Error if there are more candidates than the limit allows.
Result<Candidates> FindCandidates(const SearchContext& context, const CandidateLimit& limit);

}  // namespace lookalike

#endif  // LOOKALIKE_SEARCH_CANDIDATES_PASS_H_
