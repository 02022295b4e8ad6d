// `--method shingle-merge`: candidates as the clustering of the web of 1997 found them (Broder,
// Glassman, Manasse, Zweig, "Syntactic clustering of the web", section on the clustering
// algorithm).
//
//   1. Every document gives records (shingle, document): of all its shingles, or of a sample.
//   2. They are sorted; each shingle of documents d1 < d2 < ... gives the pairs (di, dj).
//   3. The pairs are sorted; repetitions of one are the count of shingles that both have.
//   4. Pairs with enough in common are candidates, which are verified as always.
// Each step writes and reads in order, so that the method needs little memory for any collection.
//
// A shingle of n documents gives n (n - 1) / 2 pairs. Those of very many documents are left out of
// step 2, as in 1997, but not forgotten: each document knows how many of its shingles were left
// out, so that c counted ones and d1 and d2 left out mean c + min(d1, d2) common ones at the most.
// Only a pair that has no counted shingle at all can be lost by it, and the documents of which this
// can happen are counted.
#ifndef LOOKALIKE_BATCH_SHINGLE_MERGE_H_
#define LOOKALIKE_BATCH_SHINGLE_MERGE_H_

#include <functional>
#include <string>
#include <unordered_map>

#include "batch/audit_sample.h"
#include "batch/job.h"
#include "batch/keep_order.h"
#include "batch/sets_pass.h"
#include "batch/workspace.h"
#include "flow/bitmap.h"
#include "lookalike/lookalike.h"
#include "plan/planner.h"

namespace lookalike {

/// What a merge met.
struct MergeCounts {
  uint64_t documents = 0;         ///< Representatives.
  uint64_t records = 0;           ///< (shingle, document).
  uint64_t shingles = 0;          ///< Distinct ones.
  uint64_t left_out = 0;          ///< Of them, in too many documents.
  uint64_t left_out_records = 0;  ///< Records of these.
  uint64_t id_pairs = 0;          ///< Pairs formed, repetitions included.
  uint64_t distinct_pairs = 0;
  uint64_t candidates = 0;
  /// Documents of which a pair can be missed because every shingle that both have was left out.
  uint64_t hidden_documents = 0;
  uint64_t unsampled_documents = 0;  ///< With shingles, but none in the sample: never found.

  bool operator==(const MergeCounts&) const = default;
};

/// How many of the common shingles of two alike documents must be met: of samples so many that
/// Options::recall of the pairs at the threshold have as many. Remembers what it computed.
class NeededShingles {
 public:
  explicit NeededShingles(const Job& job) : job_(job) {}

  /// REQUIRES: sizes of feature sets, not 0; of samples where pairs are told by these.
  uint64_t OfPair(uint64_t size_a, uint64_t size_b);

  /// The least of OfPair for a document of this size and any other.
  uint64_t OfDocument(uint64_t size);

 private:
  /// Of so many common features, those of a pair whose union has `all`.
  uint64_t OfCommon(uint64_t common, uint64_t all);

  /// Of two samples, for their estimate to reach the threshold.
  [[nodiscard]] uint64_t OfSamples(uint64_t size_a, uint64_t size_b) const;

  const Job& job_;
  std::unordered_map<uint64_t, uint64_t> known_;
};

struct MergedCandidates {
  RunPointer pairs;  ///< Stream 0: CandidatePair records, distinct, by (d, a).
  MergeCounts counts;
};

/// Told when a phase ends: "shingle-merging", "id-pair-formation", "id-pair-merging".
using PhaseEnd = std::function<void(const char* phase)>;

/// True if the numbers that merging keeps of so many documents fit the memory.
bool FitsMerging(uint64_t documents, const MemoryPlan& memory);

/// Merges the shingles of `reps`: their sets, or what is stored of them in their place. Equal
/// candidates for any memory and threads. An Error where two numbers a document do not fit, and
/// when the observer cancels.
Result<MergedCandidates> MergeShingles(const Job& job, const DocumentUnits& units,
                                       const Ranking& ranking, const Bitmap& reps,
                                       const StoredSets& sets, const Observer& observer,
                                       const PhaseEnd& ended, Workspace* workspace);

/// Says of how many documents nothing was sampled.
std::string UnsampledMessage(uint64_t documents);

/// Returns what a merge of so many documents is expected to sort, from a sample of them: a pair
/// that is in the sample stands for as many as there are pairs of documents for each of the
/// sample's.
MergeWork ExpectMerge(const Job& job, const AuditReservoir::Sets& sample, uint64_t documents);

/// What a merge left out, as a message; nothing where nothing was.
std::string LeftOutMessage(const Job& job, const MergeCounts& counts);

}  // namespace lookalike

#endif  // LOOKALIKE_BATCH_SHINGLE_MERGE_H_
