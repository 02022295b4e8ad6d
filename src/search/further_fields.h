// The search of further text fields, for documents that may be alike in any of several.
#ifndef LOOKALIKE_SEARCH_FURTHER_FIELDS_H_
#define LOOKALIKE_SEARCH_FURTHER_FIELDS_H_

#include "records/bitmap.h"
#include "search/join_units.h"
#include "search/pair_collector.h"
#include "search/pair_reader.h"
#include "search/search_context.h"

namespace lookalike {

/// Adds the candidates of the text fields after the first to those of the first, and the documents
/// of them to `found->wanted`. Each field takes a pass over the inputs, and is searched as the only
/// text of a document would be, by a design for its own threshold. Does nothing unless the job is
/// one of FieldRule::kAny.
Status AddFurtherFields(const SearchContext& context, const CandidateLimit& limit,
                        Candidates* found);

}  // namespace lookalike

#endif  // LOOKALIKE_SEARCH_FURTHER_FIELDS_H_
