// Pairs that are found in the sets of all documents, where tasks share a run. No keys divide such a
// search, so it is one unit of the stage `verify`; documents are still read, and their sets made,
// by all tasks.
#ifndef LOOKALIKE_SEARCH_FOUND_IN_SETS_H_
#define LOOKALIKE_SEARCH_FOUND_IN_SETS_H_

#include "search/candidate_source.h"

namespace lookalike {

/// Calls source.FindInSets(), or returns what a task of `verify` found, which ends here.
Result<FoundInSets> FindAllInSets(const CandidateSource& source, const SearchContext& context,
                                  const StoredSets& sets, const PhaseEnd& ended);

}  // namespace lookalike

#endif  // LOOKALIKE_SEARCH_FOUND_IN_SETS_H_
