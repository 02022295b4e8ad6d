// The choice of a run's search when nothing is known about its documents except a guess at their
// number.
#ifndef LOOKALIKE_PLAN_CHOICE_H_
#define LOOKALIKE_PLAN_CHOICE_H_

#include <optional>

#include "lookalike/status.h"
#include "plan/planner.h"

namespace lookalike {

/// Returns the facts of a typical collection of mixed text: its documents are as alike as in the
/// corpus that docs/plan.md names.
CollectionFacts TypicalCollection(const CollectionSize& size);

/// Returns the design with the lowest predicted cost among those that reach the recall at the
/// threshold, for a typical collection; among designs within 4 % of its cost, the design that finds
/// most. The number of documents, which before reading is rarely more than a guess, is rounded to
/// classes: one up to 2^18, then each sixteen times as large as the one before. Returns nothing,
/// meaning the exact join, if no design reaches the recall: the exact join holds all features in
/// memory and is quadratic if documents share a template, so it is never chosen for its cost
/// (docs/decisions/0013).
std::optional<Design> ChooseSearch(const SearchTerms& terms, double documents);

/// Returns the Error for a run that asks for bands when no design reaches the recall.
Error NoDesignReaches(const SearchTerms& terms);

}  // namespace lookalike

#endif  // LOOKALIKE_PLAN_CHOICE_H_
