#include "stages/verify/edges.h"

#include <algorithm>

#include "stages/verify/resemblance.h"
#include "threads/parallel.h"

namespace lookalike {
namespace {

constexpr size_t kPairsPerTask = 256;

using Set = std::span<const uint64_t>;

Edge Check(const CandidatePair& pair, Set a, Set d, const AlikeTest& test) {
  const auto common = CountCommon(a, d, test.Needed(a.size(), d.size()));
  return {pair.a, pair.d, static_cast<uint32_t>(common.value_or(0)),
          static_cast<uint32_t>(a.size()), static_cast<uint32_t>(d.size())};
}

/// Collects the edges that `look(pair, set of a, set of d)` returns for pairs.
template <class Look>
std::vector<Edge> FindEdges(std::span<const CandidatePair> pairs, const SetOfRank& set_of,
                            const Look& look) {
  const size_t tasks = (pairs.size() + kPairsPerTask - 1) / kPairsPerTask;
  std::vector<std::vector<Edge>> found(tasks);
  ParallelFor(size_t{0}, tasks, [&](size_t task) {
    const size_t begin = task * kPairsPerTask;
    const auto mine = pairs.subspan(begin, std::min(kPairsPerTask, pairs.size() - begin));
    for (const CandidatePair& pair : mine) {
      if (const auto edge = look(pair, set_of(pair.a), set_of(pair.d))) {
        found[task].push_back(*edge);
      }
    }
  });
  std::vector<Edge> edges;
  for (const auto& some : found) edges.insert(edges.end(), some.begin(), some.end());
  return edges;
}

SetOfRank InOrder(const DocumentSets& sets, std::span<const DocNumber> order) {
  return [&sets, order](Rank rank) { return sets.Of(order.empty() ? rank : order[rank]); };
}

}  // namespace

std::span<const uint64_t> DocumentSets::Of(DocNumber doc) const {
  const auto at = std::lower_bound(documents.begin(), documents.end(), doc);
  return sets.Set(static_cast<size_t>(at - documents.begin()));
}

std::vector<Edge> VerifyPairs(std::span<const CandidatePair> pairs, const SetOfRank& set_of,
                              const AlikeTest& test) {
  const auto look = [&](const CandidatePair& pair, Set a, Set d) -> std::optional<Edge> {
    const Edge edge = Check(pair, a, d, test);
    if (!test.Meets(edge.common, edge.size_a, edge.size_d)) return std::nullopt;
    return edge;
  };
  return FindEdges(pairs, set_of, look);
}

std::vector<Edge> VerifyPairs(std::span<const CandidatePair> pairs, const DocumentSets& sets,
                              std::span<const DocNumber> order, const AlikeTest& test) {
  return VerifyPairs(pairs, InOrder(sets, order), test);
}

std::vector<Edge> MatchSets(std::span<const CandidatePair> pairs, const DocumentSets& sets,
                            std::span<const DocNumber> order, const LookAtPair& look) {
  return FindEdges(pairs, InOrder(sets, order), look);
}

uint32_t CountEqualCoordinates(StoredValues a, StoredValues d, uint32_t coordinates) {
  uint32_t equal = 0;
  for (size_t i = 1; i < a.size(); ++i) {
    const uint64_t difference = a[i] ^ d[i];
    equal += static_cast<uint32_t>(difference) == 0;
    equal += difference >> 32 == 0;
  }
  if (coordinates % 2 == 1) --equal;  // the padding of the last word is equal too
  return equal;
}

}  // namespace lookalike
