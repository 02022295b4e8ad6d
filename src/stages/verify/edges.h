// Step 5: finds the candidates whose exact resemblance reaches the threshold.
#ifndef LOOKALIKE_STAGES_VERIFY_EDGES_H_
#define LOOKALIKE_STAGES_VERIFY_EDGES_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "measures/threshold.h"
#include "records/feature_sets.h"
#include "records/records.h"

namespace lookalike {

/// Feature sets of some documents: sets[i] belongs to documents[i].
struct DocumentSets {
  std::vector<DocNumber> documents;  ///< Ascending.
  FeatureSets sets;

  /// Returns the set of a document. REQUIRES: it is among `documents`.
  [[nodiscard]] std::span<const uint64_t> Of(DocNumber doc) const;
};

/// Returns the feature set of a document by its rank. Called in parallel.
using SetOfRank = std::function<std::span<const uint64_t>(Rank)>;

/// Counts the common features of every pair, in parallel, and returns the pairs that meet the test,
/// in the order of `pairs`.
std::vector<Edge> VerifyPairs(std::span<const CandidatePair> pairs, const SetOfRank& set_of,
                              const AlikeTest& test);

/// Counts the common features of every pair, in parallel, and returns the pairs that meet the test,
/// in the order of `pairs`. `order` maps rank to document number (empty: they are equal).
std::vector<Edge> VerifyPairs(std::span<const CandidatePair> pairs, const DocumentSets& sets,
                              std::span<const DocNumber> order, const AlikeTest& test);

/// A stored sketch is a number of features followed by the sketch's content: the values of a
/// sample, or coordinates of 32 bits, two per word, the first in the lower half; if their number is
/// odd, the upper half of the last word is 0.
using StoredValues = std::span<const uint64_t>;

/// Returns the edge that the stored sketches, or the feature sets, of two documents give a pair, if
/// any.
using LookAtPair =
    std::function<std::optional<Edge>(const CandidatePair&, StoredValues a, StoredValues d)>;

/// Returns the edges that `look`, which is called in parallel, gives for the pairs, in their order.
/// `sets`: feature sets, or stored sketches in their place.
std::vector<Edge> MatchSets(std::span<const CandidatePair> pairs, const DocumentSets& sets,
                            std::span<const DocNumber> order, const LookAtPair& look);

/// Counts the equal coordinates of two stored sketches. REQUIRES: both have `coordinates` of them.
uint32_t CountEqualCoordinates(StoredValues a, StoredValues d, uint32_t coordinates);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_VERIFY_EDGES_H_
