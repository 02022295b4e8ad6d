#include "stages/cluster/keep.h"

#include <algorithm>
#include <tuple>

namespace lookalike {

void SortEdgesForKeep(std::vector<Edge>* edges) {
  std::sort(edges->begin(), edges->end(),
            [](const Edge& x, const Edge& y) { return std::tie(x.d, x.a) < std::tie(y.d, y.a); });
}

std::optional<Removal> GreedyKeep::Take(const Edge& edge) {
  if (!IsOpen(edge.a, edge.d)) return std::nullopt;
  removed_.Set(edge.d);
  return Removal{edge.d,
                 edge.a,
                 edge.resemblance(),
                 RemovalKind::kNear,
                 edge.containment_da(),
                 edge.containment_ad()};
}

bool PartialKeep::Take(const Edge& edge) {
  if (!IsOpen(edge.a, edge.d)) return false;
  (IsCertainlyKept(edge.a) ? removed_ : unsure_).Set(edge.d);
  return true;
}

Removal RemovalOfCopy(const ExactCopy& copy, const Removal* of_rep) {
  if (of_rep != nullptr) {
    Removal removal = *of_rep;
    removal.removed = copy.copy;
    return removal;
  }
  const auto kind = copy.same_text != 0 ? RemovalKind::kIdentical : RemovalKind::kExact;
  return {copy.copy, copy.rep, 1, kind};
}

}  // namespace lookalike
