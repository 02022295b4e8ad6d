// Decisions of people, replayed over a result.
#ifndef LOOKALIKE_USES_RETHRESHOLD_REPLAY_H_
#define LOOKALIKE_USES_RETHRESHOLD_REPLAY_H_

#include <map>
#include <vector>

#include "lookalike/decisions.h"
#include "records/bitmap.h"
#include "search/decisions.h"
#include "search/search.h"
#include "search/search_context.h"

namespace lookalike {

/// A decision whose documents were found in the inputs.
struct PlacedDecision {
  DecisionKind kind;
  std::vector<DocNumber> documents;
};

/// Finds the documents of decisions. Takes a pass over each input that they name. An Error names a
/// document that the inputs do not have.
Result<std::vector<PlacedDecision>> PlaceDecisions(const std::vector<Decision>& decisions,
                                                   const SearchContext& context,
                                                   const KnownInputs& known);

/// The changes that decisions to split make before documents are compared.
struct SplitOff {
  Bitmap apart;             ///< By rank: documents that are in no pair.
  DocumentClasses classes;  ///< Without copies that were split off.
  /// A representative that was split off, and the next copy of its class, in whose place it is
  /// compared until it is known which of the class stay.
  std::map<DocNumber, DocNumber> next_of_class;
};

/// Splits documents off. Those without copies are in no pair.
Result<SplitOff> SplitDocuments(const std::vector<PlacedDecision>& decisions,
                                const SearchResult& search, Workspace* workspace);

/// Changes who stays in whose place, as the decisions say, in their order. Every document that a
/// change concerns is compared with the one that it is now removed for, so that all scores are
/// exact; they may be below the threshold. Documents of the reference always stay. `classes`: with
/// the documents that were split off.
Result<Decisions> ReplayDecisions(const std::vector<PlacedDecision>& decisions,
                                  const SplitOff& split, const DocumentClasses& classes,
                                  const SearchContext& context, const Decisions& decided);

}  // namespace lookalike

#endif  // LOOKALIKE_USES_RETHRESHOLD_REPLAY_H_
