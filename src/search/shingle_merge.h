// `--method shingle-merge`: finds candidates in the same way as the clustering of the web in 1997
// (Broder, Glassman, Manasse, Zweig, "Syntactic clustering of the web", section on the clustering
// algorithm).
//
//   1. Every document gives records (shingle, document): for all its shingles, or for a sample.
//   2. They are sorted; each shingle of documents d1 < d2 < ... gives the pairs (di, dj).
//   3. The pairs are sorted; repetitions of a pair count the shingles that both documents have.
//   4. Pairs with enough in common are candidates, which are verified as always.
// Each step writes and reads in order, so that the method needs little memory for any collection.
//
// A shingle of n documents gives n (n - 1) / 2 pairs. Shingles of very many documents are left out
// of step 2, as in 1997, but not forgotten: each document knows how many of its shingles were left
// out, so that c counted shingles, with d1 and d2 left out, mean at most c + min(d1, d2) common
// shingles. Only a pair without any counted shingle can be lost this way, and the documents to
// which this can happen are counted.
#ifndef LOOKALIKE_SEARCH_SHINGLE_MERGE_H_
#define LOOKALIKE_SEARCH_SHINGLE_MERGE_H_

#include <functional>
#include <string>
#include <unordered_map>

#include "lookalike/lookalike.h"
#include "plan/planner.h"
#include "records/bitmap.h"
#include "run/job.h"
#include "run/workspace.h"
#include "search/audit_sample.h"
#include "search/keep_order.h"
#include "search/search_context.h"
#include "search/sets_pass.h"

namespace lookalike {

/// The counts of a merge.
struct MergeCounts {
  uint64_t documents = 0;         ///< Representatives.
  uint64_t records = 0;           ///< (shingle, document).
  uint64_t shingles = 0;          ///< Distinct shingles.
  uint64_t left_out = 0;          ///< Shingles left out, as too many documents have them.
  uint64_t left_out_records = 0;  ///< Records of these shingles.
  uint64_t id_pairs = 0;          ///< Pairs formed, repetitions included.
  uint64_t distinct_pairs = 0;
  uint64_t candidates = 0;
  /// Documents that can miss a pair because every shingle that both documents have was left out.
  uint64_t hidden_documents = 0;
  uint64_t unsampled_documents = 0;  ///< Documents whose shingles all miss the sample: never found.

  bool operator==(const MergeCounts&) const = default;
};

/// Computes how many common shingles of two similar documents must be found. For samples, the
/// number is such that a share Options::recall of the pairs at the threshold have that many in
/// common. Caches its results.
class NeededShingles {
 public:
  explicit NeededShingles(const Job& job) : job_(job) {}

  /// Returns the number for a pair. REQUIRES: sizes of feature sets, not 0; sizes of samples if
  /// pairs are judged by samples.
  uint64_t OfPair(uint64_t size_a, uint64_t size_b);

  /// Returns the least of OfPair for a document of this size and any other.
  uint64_t OfDocument(uint64_t size);

 private:
  /// Returns the number for a pair with `common` common features, and `all` features in its union.
  uint64_t OfCommon(uint64_t common, uint64_t all);

  /// Returns the number that two samples need for their estimate to reach the threshold.
  [[nodiscard]] uint64_t OfSamples(uint64_t size_a, uint64_t size_b) const;

  const Job& job_;
  std::unordered_map<uint64_t, uint64_t> known_;
};

struct MergedCandidates {
  RunPointer pairs;  ///< Stream 0: CandidatePair records, distinct, by (d, a).
  MergeCounts counts;
};

/// Called when a phase ends: "shingle-merging", "id-pair-formation", "id-pair-merging".
using PhaseEnd = std::function<void(const char* phase)>;

/// True if the numbers that merging keeps for each of that many documents fit in memory.
bool FitsMerging(uint64_t documents, const MemoryPlan& memory);

/// Merges the shingles of `reps`: their sets, or the samples stored instead of sets. The candidates
/// are equal for any memory and number of threads. Returns an Error if two numbers per document do
/// not fit, and when the observer cancels.
Result<MergedCandidates> MergeShingles(const SearchContext& context, const StoredSets& sets,
                                       const PhaseEnd& ended);

/// Estimates how much a merge of that many documents sorts, from a sample of them: each pair in the
/// sample represents (pairs of documents) / (pairs of sampled documents) pairs.
MergeWork ExpectMerge(const Job& job, std::span<const std::vector<uint64_t>> sample,
                      uint64_t documents);

/// Returns a message about the shingles that a merge left out; empty if it left none out.
std::string LeftOutMessage(const Job& job, const MergeCounts& counts);

}  // namespace lookalike

#endif  // LOOKALIKE_SEARCH_SHINGLE_MERGE_H_
