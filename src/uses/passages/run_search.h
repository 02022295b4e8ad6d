// Finds the runs of words that stand more than once in the documents of a job.
#ifndef LOOKALIKE_USES_PASSAGES_RUN_SEARCH_H_
#define LOOKALIKE_USES_PASSAGES_RUN_SEARCH_H_

#include <cstdint>

#include "lookalike/status.h"
#include "run/workspace.h"
#include "search/keep_order.h"
#include "spill/sorter.h"
#include "uses/passages/places.h"
#include "uses/passages/text_pass.h"

namespace lookalike {

/// Places that are listed of a passage; further ones are counted.
inline constexpr size_t kMostListed = 100;

struct RunSearch {
  uint32_t least_words = 50;
  bool finds_redundant = false;  ///< RunsFound::redundant is wanted.
};

/// The runs that a search found. The first place of a run is that of the lowest rank: listed places
/// are in the order of ranks.
struct RunsFound {
  KnownInputs inputs;
  Ranking ranking;  ///< Ranks the documents by --keep.
  RecordCounts records;
  DocNumber documents = 0;
  uint64_t words = 0;  ///< Words of all documents, without the reference.
  Sorted<ListedPlace> listed;
  Sorted<PassagePlace> here;
  Sorted<RedundantPlace> redundant;  ///< With ranks in place of documents.
};

/// Searches in two passes: samples of all documents are sorted to find those that occur more than
/// once, and the words around these are compared. Rejected records are reported once. Between the
/// passes the documents are ranked; from there on the search knows them by their ranks, so that
/// what is earlier is what `--keep` prefers.
Result<RunsFound> FindRuns(const PassageContext& context, const RunSearch& search,
                           Workspace* workspace);

}  // namespace lookalike

#endif  // LOOKALIKE_USES_PASSAGES_RUN_SEARCH_H_
