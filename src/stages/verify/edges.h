// Step 5: candidates whose exact resemblance reaches the threshold.
#ifndef LOOKALIKE_STAGES_VERIFY_EDGES_H_
#define LOOKALIKE_STAGES_VERIFY_EDGES_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "flow/feature_sets.h"
#include "flow/records.h"
#include "flow/threshold.h"

namespace lookalike {

/// Feature sets of some documents: sets[i] is that of documents[i].
struct DocumentSets {
  std::vector<DocNumber> documents;  ///< Ascending.
  FeatureSets sets;

  /// The set of a document. REQUIRES: it is among `documents`.
  [[nodiscard]] std::span<const uint64_t> Of(DocNumber doc) const;
};

/// Counts what every pair has in common, in parallel, and returns those that meet the test, in the
/// order of `pairs`. `order` maps rank to document number (empty: equal).
std::vector<Edge> VerifyPairs(std::span<const CandidatePair> pairs, const DocumentSets& sets,
                              std::span<const DocNumber> order, const AlikeTest& test);

/// A stored sketch is a number of features, then what was kept of them: the values of a sample, or
/// coordinates of 32 bits, two in a word, the first in its lower half; the last has a 0 above an
/// odd one.
using StoredValues = std::span<const uint64_t>;

/// The edge that two stored sketches make of a pair, if any.
using LookAtPair =
    std::function<std::optional<Edge>(const CandidatePair&, StoredValues a, StoredValues d)>;

/// What `look` makes of every pair, in their order; it is called in parallel. REQUIRES: in the
/// places of sets, stored sketches.
std::vector<Edge> MatchSketches(std::span<const CandidatePair> pairs, const DocumentSets& sketches,
                                std::span<const DocNumber> order, const LookAtPair& look);

/// How many coordinates of two stored sketches are equal. REQUIRES: both have so many.
uint32_t CountEqualCoordinates(StoredValues a, StoredValues d, uint32_t coordinates);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_VERIFY_EDGES_H_
