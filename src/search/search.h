// The engine that `dedup` and `pairs` share: from inputs to verified edges (steps 1 to 5).
#ifndef LOOKALIKE_SEARCH_SEARCH_H_
#define LOOKALIKE_SEARCH_SEARCH_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "run/job.h"
#include "run/units.h"
#include "run/workspace.h"
#include "search/audit_sample.h"
#include "search/classes_pass.h"
#include "search/keep_order.h"
#include "search/pair_reader.h"
#include "search/placed_decisions.h"
#include "search/sets_pass.h"
#include "search/shingle_merge.h"
#include "search/verify_pass.h"

namespace lookalike {

struct SearchResult {
  DocumentUnits units;
  Ranking ranking;
  DocumentClasses classes;
  PairRuns candidates;  ///< None where all sets are joined.
  VerifiedEdges edges;
  BucketCounts buckets;
  MergeCounts merge;                        ///< For merged shingles, and for samples.
  std::vector<AuditHits::OfSample> sample;  ///< The audit's sampled classes, as in classes.sampled.
  /// Only for `pairs`: the sets of the documents that some pair names, or stored sketches in their
  /// place.
  StoredSets sets;
  RunPrediction predicted;
  std::optional<PlacedReplay> replay;  ///< With decisions of people.

  /// Frees the data that decisions and the audit's figures were made from.
  void DropFindings() {
    ranking = {};
    classes.copies.clear();
    classes.reps = {};
    candidates.clear();
    edges.runs.clear();
    sample.clear();
  }
};

/// Runs passes one and two, the join and the verification. Uses the calling arena's threads.
Result<SearchResult> Search(const Job& job, const Observer& observer, Workspace* workspace);

}  // namespace lookalike

#endif  // LOOKALIKE_SEARCH_SEARCH_H_
