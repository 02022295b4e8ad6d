// The numbers of a pair, as results show them.
#ifndef LOOKALIKE_RESULTS_PAIR_FIGURES_H_
#define LOOKALIKE_RESULTS_PAIR_FIGURES_H_

#include "lookalike/sink.h"
#include "results/doc_pair.h"
#include "run/job.h"

namespace lookalike {

/// Returns the figures of a pair. For estimated pairs the sizes are those that were counted, and
/// `common` follows from them and the resemblance.
PairFigures FiguresOf(const Job& job, const DocPair& pair);

}  // namespace lookalike

#endif  // LOOKALIKE_RESULTS_PAIR_FIGURES_H_
