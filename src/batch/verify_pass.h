// Step 5 over the whole corpus: the exact resemblance of every candidate pair.
#ifndef LOOKALIKE_BATCH_VERIFY_PASS_H_
#define LOOKALIKE_BATCH_VERIFY_PASS_H_

#include <vector>

#include "batch/job.h"
#include "batch/keep_order.h"
#include "batch/sets_pass.h"
#include "batch/workspace.h"
#include "lookalike/lookalike.h"

namespace lookalike {

/// Verified pairs, in runs.
struct VerifiedEdges {
  std::vector<RunPointer> runs;  ///< Stream 0: Edge records, by (d, a) over all runs.
  uint64_t edges = 0;
};

/// Checks all pairs (stream 0: CandidatePair records, by (d, a)), of which a million make a unit.
/// As many sets are in memory at a time as fit.
Result<VerifiedEdges> VerifyCandidates(const Job& job, const Ranking& ranking,
                                       const RunPointer& pairs, const StoredSets& sets,
                                       const Observer& observer, Workspace* workspace);

/// The exact join of all sets, where no design is used. It needs all of them in memory: an Error
/// where they do not fit.
Result<VerifiedEdges> JoinAllSets(const Job& job, const DocumentUnits& units,
                                  const Ranking& ranking, const StoredSets& sets,
                                  Workspace* workspace);

}  // namespace lookalike

#endif  // LOOKALIKE_BATCH_VERIFY_PASS_H_
