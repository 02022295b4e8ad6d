// suggested.jsonl: documents that could be removed, judged by sketches alone.
#ifndef LOOKALIKE_BATCH_SUGGESTIONS_H_
#define LOOKALIKE_BATCH_SUGGESTIONS_H_

#include <string>

#include "batch/decisions.h"
#include "batch/job.h"
#include "batch/members.h"
#include "batch/search.h"

namespace lookalike {

/// Writes a line for each document that could be removed, in input order: as in removed.jsonl, with
/// an estimate in place of the resemblance. REQUIRES: pairs were estimated.
Status WriteSuggestions(const Job& job, const SearchResult& search, const Decisions& decisions,
                        const StoredMembers& members, const std::string& path);

}  // namespace lookalike

#endif  // LOOKALIKE_BATCH_SUGGESTIONS_H_
