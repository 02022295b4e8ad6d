// The pairs that `lookalike pairs` writes: verified edges, exact copies included.
#ifndef LOOKALIKE_RESULTS_PAIR_LIST_H_
#define LOOKALIKE_RESULTS_PAIR_LIST_H_

#include <compare>
#include <cstdint>
#include <string>

#include "records/bitmap.h"
#include "results/doc_pair.h"
#include "results/pairs_form.h"
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

/// Writes a row for each pair, with the documents' ids.
Status WritePairs(const Job& job, Sorted<DocPair>* pairs, const StoredMembers& members,
                  PairsForm form, const std::string& path);

}  // namespace lookalike

#endif  // LOOKALIKE_RESULTS_PAIR_LIST_H_
