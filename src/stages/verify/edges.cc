#include "stages/verify/edges.h"

#include <algorithm>

#include "flow/parallel.h"
#include "stages/verify/resemblance.h"

namespace lookalike {
namespace {

constexpr size_t kPairsPerTask = 256;

Edge Check(const CandidatePair& pair, const DocumentSets& sets, std::span<const DocNumber> order,
           double threshold) {
  const auto set_of = [&](Rank rank) { return sets.Of(order.empty() ? rank : order[rank]); };
  const auto a = set_of(pair.a);
  const auto d = set_of(pair.d);
  const auto common = CountCommon(a, d, NeededCommon(a.size(), d.size(), threshold));
  return {pair.a, pair.d, static_cast<uint32_t>(common.value_or(0)),
          static_cast<uint32_t>(a.size()), static_cast<uint32_t>(d.size())};
}

}  // namespace

std::span<const uint64_t> DocumentSets::Of(DocNumber doc) const {
  const auto at = std::lower_bound(documents.begin(), documents.end(), doc);
  return sets.Set(static_cast<size_t>(at - documents.begin()));
}

std::vector<Edge> VerifyPairs(std::span<const CandidatePair> pairs, const DocumentSets& sets,
                              std::span<const DocNumber> order, double threshold) {
  const size_t tasks = (pairs.size() + kPairsPerTask - 1) / kPairsPerTask;
  std::vector<std::vector<Edge>> found(tasks);
  ParallelFor(size_t{0}, tasks, [&](size_t task) {
    const size_t begin = task * kPairsPerTask;
    const auto mine = pairs.subspan(begin, std::min(kPairsPerTask, pairs.size() - begin));
    for (const CandidatePair& pair : mine) {
      const Edge edge = Check(pair, sets, order, threshold);
      if (MeetsThreshold(edge.common, edge.size_a, edge.size_d, threshold)) {
        found[task].push_back(edge);
      }
    }
  });
  std::vector<Edge> edges;
  for (const auto& some : found) edges.insert(edges.end(), some.begin(), some.end());
  return edges;
}

}  // namespace lookalike
