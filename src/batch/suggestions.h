// suggested.jsonl: what could go where documents are told apart by sketches alone.
#ifndef LOOKALIKE_BATCH_SUGGESTIONS_H_
#define LOOKALIKE_BATCH_SUGGESTIONS_H_

#include <string>

#include "batch/decisions.h"
#include "batch/job.h"
#include "batch/members.h"
#include "batch/search.h"

namespace lookalike {

/// A line for each document that could go, in input order: as removed.jsonl has them, with an
/// estimate in the place of the resemblance. REQUIRES: pairs were estimated.
Status WriteSuggestions(const Job& job, const SearchResult& search, const Decisions& decisions,
                        const StoredMembers& members, const std::string& path);

}  // namespace lookalike

#endif  // LOOKALIKE_BATCH_SUGGESTIONS_H_
