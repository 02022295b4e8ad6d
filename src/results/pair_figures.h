// The numbers of a pair, as they appear in both forms of a pairs file.
#ifndef LOOKALIKE_RESULTS_PAIR_FIGURES_H_
#define LOOKALIKE_RESULTS_PAIR_FIGURES_H_

#include <cstdint>

#include "results/doc_pair.h"
#include "run/job.h"

namespace lookalike {

struct PairFigures {
  double resemblance = 0;
  uint64_t common = 0, size_a = 0, size_b = 0;
  double standard_error = 0;  ///< For an estimate.

  /// The share of one document's features that the other has as well.
  [[nodiscard]] double containment_ab() const {
    return static_cast<double>(common) / static_cast<double>(size_a);
  }
  [[nodiscard]] double containment_ba() const {
    return static_cast<double>(common) / static_cast<double>(size_b);
  }
};

/// Returns the figures of a pair. For estimated pairs the sizes are those that were counted, and
/// `common` follows from them and the resemblance.
PairFigures FiguresOf(const Job& job, const DocPair& pair);

}  // namespace lookalike

#endif  // LOOKALIKE_RESULTS_PAIR_FIGURES_H_
