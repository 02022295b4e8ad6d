// The engine that `dedup` and `pairs` share: from inputs to verified edges (steps 1 to 5).
#ifndef LOOKALIKE_BATCH_SEARCH_H_
#define LOOKALIKE_BATCH_SEARCH_H_

#include <string>
#include <utility>
#include <vector>

#include "batch/audit_sample.h"
#include "batch/document_table.h"
#include "batch/job.h"
#include "flow/records.h"

namespace lookalike {

struct SearchResult {
  DocumentTable table;
  std::vector<DocNumber> order;   ///< Rank -> document; empty where they are equal.
  std::vector<Rank> ranks;        ///< Document -> rank; empty where they are equal.
  std::vector<ExactCopy> copies;  ///< By copy.
  std::vector<Edge> edges;        ///< By (d, a).
  BucketCounts buckets;
  AuditIndex audit;
  std::vector<AuditHit> hits;
  std::vector<std::pair<std::string, double>> timings;  ///< Stage, seconds, in order.
  /// `pairs`: (representative with copies, number of its distinct features), by document.
  std::vector<std::pair<DocNumber, uint32_t>> rep_sizes;

  /// Size of the feature set of a representative with copies. REQUIRES: the command `pairs`.
  [[nodiscard]] uint32_t SetSizeOf(DocNumber rep) const;
  [[nodiscard]] DocNumber DocOf(Rank rank) const { return order.empty() ? rank : order[rank]; }
  [[nodiscard]] Rank RankOf(DocNumber doc) const { return ranks.empty() ? doc : ranks[doc]; }
};

/// Number of threads that a run uses for an option value of 0 or more.
size_t ThreadCount(uint64_t option);

/// Runs passes one and two, the join and the verification. Uses the calling arena's threads.
Result<SearchResult> Search(const Job& job, const Observer& observer, size_t threads);

}  // namespace lookalike

#endif  // LOOKALIKE_BATCH_SEARCH_H_
