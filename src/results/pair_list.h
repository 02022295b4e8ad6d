// The pairs that `lookalike pairs` writes: verified edges, exact copies included.
#ifndef LOOKALIKE_RESULTS_PAIR_LIST_H_
#define LOOKALIKE_RESULTS_PAIR_LIST_H_

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include "lookalike/sink.h"
#include "records/bitmap.h"
#include "results/doc_pair.h"
#include "results/field_scores.h"
#include "run/job.h"
#include "run/members.h"
#include "run/workspace.h"
#include "search/search.h"
#include "spill/sorter.h"

namespace lookalike {

/// Returns the number of pairs.
Result<uint64_t> CountPairs(const Job& job, const SearchResult& search, Workspace* workspace);

struct PairList {
  Sorted<DocPair> pairs;  ///< By a, then b.
  uint64_t count = 0;
  Bitmap named;  ///< By document: it is in some pair.
};

/// Expands edges and classes of copies into pairs of documents.
Result<PairList> ListPairs(const Job& job, const SearchResult& search, Workspace* workspace);

/// Returns the layout of a result of `pairs` or, for `kind` kNeighbours, of `nearest`.
ResultLayout PairLayout(const Job& job, ResultKind kind);

/// Appends the scores of pairs by text field.
Status AppendScores(std::span<const DocPair> pairs, const FieldScores& scores,
                    std::vector<FieldScore>* of_pairs);

/// Gives every pair to `sink`. `scores` has all their documents.
Status GivePairs(const Job& job, Sorted<DocPair>* pairs, const StoredMembers& members,
                 const FieldScores& scores, ResultSink* sink);

}  // namespace lookalike

#endif  // LOOKALIKE_RESULTS_PAIR_LIST_H_
