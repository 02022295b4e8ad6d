// A pair of documents, as it appears in a pairs file.
#ifndef LOOKALIKE_RESULTS_DOC_PAIR_H_
#define LOOKALIKE_RESULTS_DOC_PAIR_H_

#include <cstdint>

#include "records/records.h"

namespace lookalike {

/// A pair of documents in input order; with a reference collection, a is from the inputs and b from
/// the reference.
struct DocPair {
  DocNumber a, b;
  uint32_t common, size_a, size_b;
  uint32_t looked = 0;  ///< As in Edge.

  /// Returns the counts, for PairJudge::FiguresOf().
  [[nodiscard]] Edge Counts() const { return {a, b, common, size_a, size_b, looked}; }

  bool operator<(const DocPair& other) const { return a != other.a ? a < other.a : b < other.b; }
};

}  // namespace lookalike

#endif  // LOOKALIKE_RESULTS_DOC_PAIR_H_
