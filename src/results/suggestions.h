// suggested.jsonl: documents that could be removed, judged by sketches alone.
#ifndef LOOKALIKE_RESULTS_SUGGESTIONS_H_
#define LOOKALIKE_RESULTS_SUGGESTIONS_H_

#include <string>

#include "run/job.h"
#include "run/members.h"
#include "search/decisions.h"
#include "search/search.h"

namespace lookalike {

/// Writes a line for each document that could be removed, in input order: as in removed.jsonl, with
/// an estimate in place of the resemblance. REQUIRES: pairs were estimated.
Status WriteSuggestions(const Job& job, const SearchResult& search, const Decisions& decisions,
                        const StoredMembers& members, const std::string& path);

}  // namespace lookalike

#endif  // LOOKALIKE_RESULTS_SUGGESTIONS_H_
