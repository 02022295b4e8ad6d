// Steps 6 and 7: which documents are kept, and the kept witness of each removed document.
#ifndef LOOKALIKE_STAGES_CLUSTER_KEEP_H_
#define LOOKALIKE_STAGES_CLUSTER_KEEP_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "records/bitmap.h"
#include "records/records.h"

namespace lookalike {

/// Sorts edges by (d, a), the order in which GreedyKeep takes them.
void SortEdgesForKeep(std::vector<Edge>* edges);

/// The greedy maximal independent set in rank order, by one scan of the edges: a document is
/// removed if and only if a kept document of lower rank has an edge to it, and the lowest such
/// document is its witness. So every removed document has a kept witness at or above the threshold,
/// and chains cannot drag unlike documents together.
class GreedyKeep {
 public:
  explicit GreedyKeep(uint64_t documents) : removed_(documents) {}

  /// Takes the next edge; returns the removal that it causes, if any, with the kind kNear. Removals
  /// come in order of rank. REQUIRES: edges come in order of (d, a), with a < d.
  std::optional<Removal> Take(const Edge& edge);

  /// True if an edge between these two could remove one of them.
  [[nodiscard]] bool IsOpen(Rank a, Rank d) const { return IsKept(a) && IsKept(d); }

  /// True if no edge so far has removed it.
  [[nodiscard]] bool IsKept(Rank rank) const { return !removed_.Test(rank); }

 private:
  Bitmap removed_;
};

/// The kept set as far as a range of the edges shows it, without the edges before it: a
/// document is certainly kept, certainly removed, or neither. An edge of a document that is
/// certainly removed has no effect on the kept set, so it need not be found.
class PartialKeep {
 public:
  /// `later`: the documents that are the later one of some pair, in this range or before it; others
  /// are certainly kept. `known_from`: the pairs in which this document or a higher one is the
  /// later one are all in the range. Must outlive this: `later`.
  PartialKeep(const Bitmap& later, Rank known_from)
      : later_(later), known_from_(known_from), removed_(later.size()), unsure_(later.size()) {}

  /// True if an edge between these two could matter.
  [[nodiscard]] bool IsOpen(Rank a, Rank d) const { return !removed_.Test(a) && !removed_.Test(d); }

  /// Takes the next edge; returns true if it may matter. REQUIRES: as for GreedyKeep::Take().
  bool Take(const Edge& edge);

 private:
  /// For a document that is not certainly removed.
  [[nodiscard]] bool IsCertainlyKept(Rank rank) const {
    return !unsure_.Test(rank) && (rank >= known_from_ || !later_.Test(rank));
  }

  const Bitmap& later_;
  Rank known_from_;
  Bitmap removed_, unsure_;
};

/// Returns the removal of a copy: it has the same witness as its representative (`of_rep`) or, if
/// the representative is kept (`of_rep` is null), the representative itself.
Removal RemovalOfCopy(const ExactCopy& copy, const Removal* of_rep);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_CLUSTER_KEEP_H_
