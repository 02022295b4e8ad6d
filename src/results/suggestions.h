// Documents that could be removed, judged by sketches alone.
#ifndef LOOKALIKE_RESULTS_SUGGESTIONS_H_
#define LOOKALIKE_RESULTS_SUGGESTIONS_H_

#include "lookalike/sink.h"
#include "run/job.h"
#include "run/members.h"
#include "search/decisions.h"
#include "search/search.h"

namespace lookalike {

/// Gives every document that could be removed to `sink`. REQUIRES: pairs were estimated.
Status GiveSuggestions(const Job& job, const SearchResult& search, const Decisions& decisions,
                       const StoredMembers& members, ResultSink* sink);

}  // namespace lookalike

#endif  // LOOKALIKE_RESULTS_SUGGESTIONS_H_
