#include "stages/cluster/keep.h"

#include <algorithm>
#include <tuple>

namespace lookalike {

void SortEdgesForKeep(std::vector<Edge>* edges) {
  std::sort(edges->begin(), edges->end(),
            [](const Edge& x, const Edge& y) { return std::tie(x.d, x.a) < std::tie(y.d, y.a); });
}

std::vector<Removal> KeepGreedily(std::span<const Edge> edges, uint64_t documents) {
  std::vector<bool> removed(documents);
  std::vector<Removal> removals;
  for (const Edge& edge : edges) {
    if (removed[edge.d] || removed[edge.a]) continue;
    removed[edge.d] = true;
    removals.push_back({edge.d, edge.a, edge.resemblance(), RemovalKind::kNear});
  }
  return removals;
}

std::vector<Removal> AddCopies(std::span<const Removal> near, std::span<const ExactCopy> copies,
                               const std::function<bool(Rank, Rank)>& same_text) {
  std::vector<Removal> all(near.begin(), near.end());
  for (const ExactCopy& copy : copies) {
    const auto of_rep =
        std::lower_bound(near.begin(), near.end(), copy.rep,
                         [](const Removal& removal, Rank rank) { return removal.removed < rank; });
    if (of_rep != near.end() && of_rep->removed == copy.rep) {
      all.push_back({copy.copy, of_rep->witness, of_rep->resemblance, RemovalKind::kNear});
    } else {
      const bool same = same_text(copy.copy, copy.rep);
      all.push_back(
          {copy.copy, copy.rep, 1.0, same ? RemovalKind::kIdentical : RemovalKind::kExact});
    }
  }
  std::sort(all.begin(), all.end(),
            [](const Removal& x, const Removal& y) { return x.removed < y.removed; });
  return all;
}

}  // namespace lookalike
