// The audit's findings: the measured share of true pairs, and its uncertainty (docs/recall.md).
#ifndef LOOKALIKE_SEARCH_RECALL_H_
#define LOOKALIKE_SEARCH_RECALL_H_

#include <cstdint>
#include <vector>

#include "lookalike/lookalike.h"
#include "search/decisions.h"
#include "search/search.h"

namespace lookalike {

/// True pairs in a range of resemblance, and how many of them were found.
struct RecallPoint {
  double from, to;
  uint64_t pairs, found;
};

struct MeasuredRecall {
  RecallAudit audit;
  std::vector<RecallPoint> points;
};

/// Compares the audit's true pairs with those that were found (docs/recall.md). For `dedup`, pass
/// its decisions: a pair then counts as found if at least one of its documents was removed, and
/// pairs left among the kept documents are counted. For `pairs`, pass null: verified edges count.
Result<MeasuredRecall> MeasureRecall(const Job& job, const SearchResult& search,
                                     const Decisions* decisions);

/// Records in `audit` which documents the recall applies to, from the counts of a run. If all
/// documents of one side were left out, nothing was searched, and the requested recall is not met.
void SayCovered(const RecordCounts& records, uint64_t min_features, RecallAudit* audit);

/// True pairs and found pairs of one sampled document.
struct SampleCount {
  double pairs = 0, found = 0;
  double matched = 0;  ///< Pairs that were candidates.
};

/// Estimates recall as a ratio of sums over sampled documents, with an interval of at least 95 %:
/// on each side, the wider of the delete-one jackknife and Wilson's interval. Wilson's trials are
/// the effective number of documents, (sum of pairs)^2 / sum of pairs^2 (Kish 1965): pairs of one
/// document are not independent, one document may have most of them, and the jackknife alone would
/// be overconfident where nothing was missed.
RecallAudit EstimateRecall(const std::vector<SampleCount>& counts, double asked);

}  // namespace lookalike

#endif  // LOOKALIKE_SEARCH_RECALL_H_
