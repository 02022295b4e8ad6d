// The size of the kept set as a function of the threshold.
#ifndef LOOKALIKE_USES_RETHRESHOLD_KEPT_SIZE_H_
#define LOOKALIKE_USES_RETHRESHOLD_KEPT_SIZE_H_

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "lookalike/status.h"

namespace lookalike {

/// An edge between two of the documents 0, 1, 2, ... in keep order: `low` is before `high`.
struct ScoredEdge {
  double score = 0;
  uint32_t low = 0, high = 0;
};

/// The greedy kept set while edges are added one by one.
///
/// An edge can remove its later document. This brings back documents that only that one removed,
/// which in turn remove others, always higher ones: so changes are followed in keep order, and each
/// document is looked at once for each edge. On average few documents change.
class GrowingKeep {
 public:
  /// `weights`: of each document, by its place in the keep order. Without edges all are kept.
  explicit GrowingKeep(std::span<const uint64_t> weights);

  void Add(const ScoredEdge& edge);

  [[nodiscard]] bool IsKept(uint32_t document) const { return kept_before_[document] == 0; }
  /// Returns the sum of the weights of all kept documents.
  [[nodiscard]] uint64_t weight() const { return weight_; }

 private:
  void Follow();

  std::vector<uint64_t> weights_;
  std::vector<std::vector<uint32_t>> later_;  ///< By document: those after it that it has edges to.
  std::vector<uint32_t> kept_before_;  ///< By document: kept ones before it that it has edges to.
  std::vector<bool> kept_;             ///< As far as changes were followed.
  std::vector<uint32_t> changed_;  ///< A heap: the first document in keep order is at the front.
  uint64_t weight_ = 0;
};

/// A threshold, and the weight of what is kept there.
struct KeptSize {
  double threshold = 1;
  uint64_t weight = 0;
};

/// Calls `take` for all thresholds at which the kept set may change, from 1 down to the lowest
/// score. REQUIRES: scores from 0 to 1.
void ForEachKeptSize(std::span<const uint64_t> weights, std::vector<ScoredEdge> edges,
                     const std::function<void(const KeptSize&)>& take);

}  // namespace lookalike

#endif  // LOOKALIKE_USES_RETHRESHOLD_KEPT_SIZE_H_
