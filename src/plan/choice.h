// Which search a run does, before anything of its documents is known but how many there may be.
#ifndef LOOKALIKE_PLAN_CHOICE_H_
#define LOOKALIKE_PLAN_CHOICE_H_

#include <optional>

#include "lookalike/status.h"
#include "plan/planner.h"

namespace lookalike {

/// A collection as collections of mixed text are: its documents are alike as those of the corpus
/// that docs/plan.md names.
CollectionFacts TypicalCollection(const CollectionSize& size);

/// The design that is cheapest by predicted cost, of those that reach the recall at the threshold,
/// for a typical collection; of those within 4 % of its cost the one that finds most. The number of
/// documents, of which one rarely knows more than a guess before reading, counts in classes only:
/// up to 2^18, and then each sixteen times the one before. None, the exact join, where no design
/// reaches the recall: it holds all features in memory and is quadratic where documents share a
/// template, so it is never chosen for its cost (docs/decisions/0013).
std::optional<Design> ChooseSearch(const SearchTerms& terms, double documents);

/// What to say where a user wants bands and none reach the recall.
Error NoDesignReaches(const SearchTerms& terms);

}  // namespace lookalike

#endif  // LOOKALIKE_PLAN_CHOICE_H_
