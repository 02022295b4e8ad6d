// Step 5: candidates whose exact resemblance reaches the threshold.
#ifndef LOOKALIKE_STAGES_VERIFY_EDGES_H_
#define LOOKALIKE_STAGES_VERIFY_EDGES_H_

#include <cstdint>
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

/// Which pairs of stored sketches pass. A stored sketch is a number of features, then coordinates
/// of 32 bits, two in a word, the first in its lower half; the last has a 0 above an odd one.
struct SketchTest {
  uint32_t least_equal = 0;  ///< Coordinates that are equal, at the least.
  bool odd = false;          ///< The number of coordinates is odd.
};

/// Counts the equal coordinates of every pair, in parallel, and returns the pairs that pass, in
/// their order. Of such an edge `common` is that count, and the sizes are the numbers of features.
/// REQUIRES: in the places of sets, stored sketches with equally many coordinates.
std::vector<Edge> MatchSketches(std::span<const CandidatePair> pairs, const DocumentSets& sketches,
                                std::span<const DocNumber> order, const SketchTest& test);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_VERIFY_EDGES_H_
