// Steps 2 to 4 over the whole corpus: band keys are joined partition by partition.
#ifndef LOOKALIKE_SEARCH_CANDIDATES_PASS_H_
#define LOOKALIKE_SEARCH_CANDIDATES_PASS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "lookalike/lookalike.h"
#include "records/bitmap.h"
#include "records/records.h"
#include "run/job.h"
#include "run/units.h"
#include "run/workspace.h"
#include "search/keep_order.h"
#include "search/pair_collector.h"
#include "search/pair_reader.h"
#include "search/search_context.h"

namespace lookalike {

/// The name of a unit of candidate pairs, which are its first stream.
std::string JoinUnit(uint64_t unit);

struct Candidates {
  PairRuns pairs;  ///< One run for each unit.
  Bitmap wanted;   ///< By document: it is in some pair.
  BucketCounts counts;
};

/// Joins the keys of all representatives, and the features of those with few features. One unit,
/// or, where tasks share the join, one for each group of partitions. Returns an Error if a unit has
/// more candidates than the limit allows.
Result<Candidates> FindCandidates(const SearchContext& context, const CandidateLimit& limit);

/// Returns the ranks at which the units of `verify` begin, when tasks divide the pairs of later
/// documents from there on. They are a function of the units of the join.
Result<std::vector<Rank>> VerifyBounds(const PairRuns& pairs, uint64_t units);

}  // namespace lookalike

#endif  // LOOKALIKE_SEARCH_CANDIDATES_PASS_H_
