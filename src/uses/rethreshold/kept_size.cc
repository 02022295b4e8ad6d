#include "uses/rethreshold/kept_size.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace lookalike {

GrowingKeep::GrowingKeep(std::span<const uint64_t> weights)
    : weights_(weights.begin(), weights.end()),
      later_(weights.size()),
      kept_before_(weights.size()),
      kept_(weights.size(), true),
      weight_(std::accumulate(weights.begin(), weights.end(), uint64_t{0})) {}

void GrowingKeep::Add(const ScoredEdge& edge) {
  later_[edge.low].push_back(edge.high);
  if (!kept_[edge.low]) return;
  ++kept_before_[edge.high];
  changed_.push_back(edge.high);
  Follow();
}

void GrowingKeep::Follow() {
  while (!changed_.empty()) {
    std::ranges::pop_heap(changed_, std::greater());
    const uint32_t document = changed_.back();
    changed_.pop_back();
    const bool is_kept = kept_before_[document] == 0;
    if (is_kept == kept_[document]) continue;
    kept_[document] = is_kept;
    weight_ += is_kept ? weights_[document] : -weights_[document];
    for (const uint32_t later : later_[document]) {
      kept_before_[later] += is_kept ? 1 : -1;
      changed_.push_back(later);
      std::ranges::push_heap(changed_, std::greater());
    }
  }
}

void ForEachKeptSize(std::span<const uint64_t> weights, std::vector<ScoredEdge> edges,
                     const std::function<void(const KeptSize&)>& take) {
  std::ranges::sort(edges, std::greater(), &ScoredEdge::score);
  GrowingKeep keep(weights);
  if (edges.empty() || edges.front().score < 1) take({1, keep.weight()});
  for (size_t i = 0; i < edges.size();) {
    const double threshold = edges[i].score;
    for (; i < edges.size() && edges[i].score == threshold; ++i) keep.Add(edges[i]);
    take({threshold, keep.weight()});
  }
}

}  // namespace lookalike
