// The state of a search at the point where candidates are found.
#ifndef LOOKALIKE_SEARCH_SEARCH_CONTEXT_H_
#define LOOKALIKE_SEARCH_SEARCH_CONTEXT_H_

#include "lookalike/lookalike.h"
#include "records/bitmap.h"
#include "run/job.h"
#include "run/units.h"
#include "run/workspace.h"
#include "search/keep_order.h"

namespace lookalike {

/// The facts about all documents once they are read, ranked and classed. Everything outlives
/// the functions that take a context.
struct SearchContext {
  const Job& job;
  const DocumentUnits& units;
  const Ranking& ranking;
  const Bitmap& reps;  ///< The documents that are searched: representatives of their classes.
  const Observer& observer;
  Workspace* workspace;
};

}  // namespace lookalike

#endif  // LOOKALIKE_SEARCH_SEARCH_CONTEXT_H_
