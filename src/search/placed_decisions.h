// Decisions of people, found in the inputs of a run.
#ifndef LOOKALIKE_SEARCH_PLACED_DECISIONS_H_
#define LOOKALIKE_SEARCH_PLACED_DECISIONS_H_

#include <cstdint>
#include <map>
#include <vector>

#include "lookalike/decisions.h"
#include "records/bitmap.h"
#include "search/classes_pass.h"
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
                                const Ranking& ranking, const DocumentClasses& classes,
                                uint64_t documents, Workspace* workspace);

/// The decisions of a run, and what they changed before documents were compared.
struct PlacedReplay {
  std::vector<PlacedDecision> decisions;
  SplitOff split;
};

}  // namespace lookalike

#endif  // LOOKALIKE_SEARCH_PLACED_DECISIONS_H_
