// Steps 6 and 7: which documents stay, and the kept witness of each one that goes.
#ifndef LOOKALIKE_STAGES_CLUSTER_KEEP_H_
#define LOOKALIKE_STAGES_CLUSTER_KEEP_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "flow/bitmap.h"
#include "flow/records.h"

namespace lookalike {

/// Sorts edges by (d, a), the order in which GreedyKeep takes them.
void SortEdgesForKeep(std::vector<Edge>* edges);

/// The greedy maximal independent set in rank order, by one scan of the edges: a document goes
/// exactly when a kept document of lower rank has an edge to it, and the lowest such one is its
/// witness. Every removed document so has a kept witness at or above the threshold, and chains
/// cannot drag unlike documents together.
class GreedyKeep {
 public:
  explicit GreedyKeep(uint64_t documents) : removed_(documents) {}

  /// Takes the next edge; the removal that it causes, if any, has the kind kNear. Removals come by
  /// rank. REQUIRES: edges come by (d, a), a < d.
  std::optional<Removal> Take(const Edge& edge);

  /// Whether an edge between these two could remove one of them.
  [[nodiscard]] bool IsOpen(Rank a, Rank d) const { return IsKept(a) && IsKept(d); }

  /// Whether no edge so far removed it.
  [[nodiscard]] bool IsKept(Rank rank) const { return !removed_.Test(rank); }

 private:
  Bitmap removed_;
};

/// The removal of a copy: it goes with its representative's witness (`of_rep`), or with the
/// representative as witness where that one stays (null).
Removal RemovalOfCopy(const ExactCopy& copy, const Removal* of_rep);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_CLUSTER_KEEP_H_
