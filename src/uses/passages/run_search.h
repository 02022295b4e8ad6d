// Finds the runs of words that stand more than once in the documents of a job.
#ifndef LOOKALIKE_USES_PASSAGES_RUN_SEARCH_H_
#define LOOKALIKE_USES_PASSAGES_RUN_SEARCH_H_

#include <cstdint>

#include "lookalike/status.h"
#include "run/workspace.h"
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

/// The runs that a search found.
struct RunsFound {
  KnownInputs inputs;
  RecordCounts records;
  DocNumber documents = 0;
  uint64_t words = 0;  ///< Words of all documents, without the reference.
  Sorted<ListedPlace> listed;
  Sorted<PassagePlace> here;
  Sorted<RedundantPlace> redundant;
};

/// Searches in two passes: samples of all documents are sorted to find those that occur more than
/// once, and the words around these are compared. Rejected records are reported once.
Result<RunsFound> FindRuns(const PassageContext& context, const RunSearch& search,
                           Workspace* workspace);

}  // namespace lookalike

#endif  // LOOKALIKE_USES_PASSAGES_RUN_SEARCH_H_
