// Decisions of people, replayed over those of a run.
#ifndef LOOKALIKE_SEARCH_REPLAY_H_
#define LOOKALIKE_SEARCH_REPLAY_H_

#include <vector>

#include "search/decisions.h"
#include "search/placed_decisions.h"
#include "search/search_context.h"

namespace lookalike {

/// Changes who stays in whose place, as the decisions say, in their order. Every document that a
/// change concerns is compared with the one that it is now removed for, so that all scores are
/// exact; they may be below the threshold. Documents of the reference always stay. `classes`: with
/// the documents that were split off.
Result<Decisions> ReplayDecisions(const std::vector<PlacedDecision>& decisions,
                                  const SplitOff& split, const DocumentClasses& classes,
                                  const SearchContext& context, const Decisions& decided);

}  // namespace lookalike

#endif  // LOOKALIKE_SEARCH_REPLAY_H_
