// Step 5 over the whole corpus: the exact resemblance of every candidate pair.
#ifndef LOOKALIKE_BATCH_VERIFY_PASS_H_
#define LOOKALIKE_BATCH_VERIFY_PASS_H_

#include <memory>
#include <vector>

#include "batch/job.h"
#include "batch/keep_order.h"
#include "batch/sets_pass.h"
#include "batch/workspace.h"
#include "flow/bitmap.h"
#include "lookalike/lookalike.h"

namespace lookalike {

/// Verified pairs, in runs.
struct VerifiedEdges {
  std::vector<RunPointer> runs;  ///< Stream 0: Edge records, by (d, a) over all runs.
  uint64_t edges = 0;
};

/// Checks pairs (stream 0 of a run: CandidatePair records, by (d, a)) as their sets come, a million
/// in a unit at most. As many sets are in memory at a time as fit.
class PairVerification {
 public:
  /// `pairs` may be null: there are none.
  PairVerification(const Job& job, const DocumentUnits& units, const Ranking& ranking,
                   RunPointer pairs, const Observer& observer, Workspace* workspace);
  ~PairVerification();
  PairVerification(const PairVerification&) = delete;
  PairVerification& operator=(const PairVerification&) = delete;

  /// Whether the pairs of a unit's documents can be checked as soon as their sets are there: the
  /// documents rank as they are read.
  [[nodiscard]] bool InReadingOrder() const;

  /// Where that is so, checks the pairs of a unit's documents with those before them, and lets go
  /// of the sets that no pair needs any more. REQUIRES: units come in order.
  Status CheckUnit(const Unit& unit, StoredSets* sets);

  /// Checks all pairs that are left.
  Status CheckRest(const StoredSets& sets);

  /// What was found. No call may follow.
  VerifiedEdges Take();

 private:
  class Checker;
  std::unique_ptr<Checker> checker_;
};

/// The exact join of the sets of `reps`, where no design is used; of samples of those that their
/// estimates tell. It needs all of them in memory: an Error where they do not fit, and when the
/// observer cancels.
Result<VerifiedEdges> JoinAllSets(const Job& job, const DocumentUnits& units,
                                  const Ranking& ranking, const Bitmap& reps,
                                  const StoredSets& sets, const Observer& observer,
                                  Workspace* workspace);

}  // namespace lookalike

#endif  // LOOKALIKE_BATCH_VERIFY_PASS_H_
