// A search whose recall is measured, and that is repeated if too little was found.
#ifndef LOOKALIKE_SEARCH_MEASURED_SEARCH_H_
#define LOOKALIKE_SEARCH_MEASURED_SEARCH_H_

#include <optional>

#include "search/decisions.h"
#include "search/recall.h"
#include "search/search.h"

namespace lookalike {

/// The purpose of a search: the pairs themselves, or deciding which documents are removed.
enum class Purpose { kPairs, kDecisions };

struct MeasuredSearch {
  SearchResult search;
  std::optional<Decisions> decisions;  ///< For Purpose::kDecisions.
  MeasuredRecall recall;
};

/// Searches, decides and measures. --recall is promised for each pair by itself, but pages of one
/// template may share everything that their keys are made from, and are then missed together. So if
/// the audit shows with certainty that less was found than asked for, the search is repeated once
/// with a design that misses a tenth as many pairs, which is stored in `job`. It is not repeated if
/// the options name the design. Decisions of people (Options::decisions) are replayed at the end:
/// the recall is that of the search, over the pairs of documents that people did not split off.
Result<MeasuredSearch> SearchAsAsked(Purpose purpose, const Observer& observer, Job* job,
                                     Workspace* workspace);

}  // namespace lookalike

#endif  // LOOKALIKE_SEARCH_MEASURED_SEARCH_H_
