// The verified pairs at a threshold, from the scores of a run and, where these do not decide, from
// the texts.
#ifndef LOOKALIKE_USES_RETHRESHOLD_PAIRS_AT_H_
#define LOOKALIKE_USES_RETHRESHOLD_PAIRS_AT_H_

#include <cstdint>

#include "measures/threshold.h"
#include "records/bitmap.h"
#include "results/scores.h"
#include "run/workspace.h"
#include "search/pair_reader.h"
#include "search/search_context.h"
#include "search/verify_pass.h"

namespace lookalike {

/// The pairs of a run, seen from another threshold.
struct SortedScores {
  VerifiedEdges known;  ///< Compared by the run, and at or above the threshold; with guards too.
  /// Not compared by the run, and able to change the kept set: no pair that is known removes a
  /// document of theirs for certain.
  PairRuns doubtful;
  uint64_t doubtful_pairs = 0;
  PairRuns idle;  ///< Not compared by the run, and not needed.
};

/// The orders of pairs.
struct SortRules {
  AlikeTest test;
  const Bitmap& apart;      ///< By rank: documents that are in no pair.
  bool all_matter = false;  ///< Every pair that was not compared is doubtful.
  /// Every pair counts as not compared: its counts are those of one of several text fields.
  bool compare_again = false;
  uint32_t streams = 1;  ///< EdgeStreams().
};

/// Reads all pairs of `scores` in one scan, with two bits of memory for each document.
Result<SortedScores> SortScores(const SortRules& rules, uint64_t documents, ScoresReader* scores,
                                Workspace* workspace);

/// Returns the edges of both that meet the test, in one run. No pair is in both.
Result<VerifiedEdges> MergeEdges(const VerifiedEdges& some, const VerifiedEdges& others,
                                 const AlikeTest& test, const PairGuards& guards,
                                 Workspace* workspace);

/// Gives the scores of a result with these edges. Of `open`, pairs that were compared only if they
/// could remove a document, it gives those that could not.
/// `guards`: those of the search, which outlive this.
ForEachScored ScoresFrom(VerifiedEdges edges, PairRuns open, const PairGuards& guards,
                         uint64_t documents);

}  // namespace lookalike

#endif  // LOOKALIKE_USES_RETHRESHOLD_PAIRS_AT_H_
