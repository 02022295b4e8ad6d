// A search whose recall is measured, and that is repeated where too little was found.
#ifndef LOOKALIKE_API_MEASURED_SEARCH_H_
#define LOOKALIKE_API_MEASURED_SEARCH_H_

#include <optional>

#include "batch/decisions.h"
#include "batch/recall.h"
#include "batch/search.h"

namespace lookalike {

/// Whether a search is for the pairs themselves, or for deciding which documents go.
enum class Purpose { kPairs, kDecisions };

struct MeasuredSearch {
  SearchResult search;
  std::optional<Decisions> decisions;  ///< For Purpose::kDecisions.
  MeasuredRecall recall;
};

/// Searches, decides and measures. --recall is promised of each pair by itself; pages of one
/// template may share all that their keys are made of, and are then missed together. So where the
/// audit is sure that less was found than was asked for, the search is repeated once with a design
/// that misses a tenth as many pairs, which `job` then has. Not where the options name the design.
Result<MeasuredSearch> SearchAsAsked(Purpose purpose, const Observer& observer, Job* job,
                                     Workspace* workspace);

}  // namespace lookalike

#endif  // LOOKALIKE_API_MEASURED_SEARCH_H_
