// Steps 6 and 7: which documents stay, and the kept witness of each one that goes.
#ifndef LOOKALIKE_STAGES_CLUSTER_KEEP_H_
#define LOOKALIKE_STAGES_CLUSTER_KEEP_H_

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "flow/records.h"

namespace lookalike {

/// Sorts edges by (d, a), the order in which KeepGreedily scans them.
void SortEdgesForKeep(std::vector<Edge>* edges);

/// The greedy maximal independent set in rank order: a document goes exactly when a kept document
/// of lower rank has an edge to it, and the lowest such one is its witness. Every removed document
/// so has a kept witness at or above the threshold, and chains cannot drag unlike documents
/// together. REQUIRES: edges sorted by (d, a), a < d. Result sorted by `removed`; kind kNear.
std::vector<Removal> KeepGreedily(std::span<const Edge> edges, uint64_t documents);

/// Adds the copies: a copy goes with its representative's witness, or with the representative as
/// witness where that one stays. `same_text(x, y)` says whether two documents have the same bytes.
/// Result sorted by `removed`.
std::vector<Removal> AddCopies(std::span<const Removal> near, std::span<const ExactCopy> copies,
                               const std::function<bool(Rank, Rank)>& same_text);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_CLUSTER_KEEP_H_
