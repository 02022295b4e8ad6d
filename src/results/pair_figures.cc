#include "results/pair_figures.h"

#include <algorithm>
#include <cmath>

#include "search/stored_estimate.h"

namespace lookalike {

PairFigures FiguresOf(const Job& job, const DocPair& pair) {
  if (!job.estimates()) {
    const Edge edge = {0, 0, pair.common, pair.size_a, pair.size_b};
    return {edge.resemblance(), pair.common, pair.size_a, pair.size_b, 0};
  }
  const ResemblanceEstimate estimate =
      EstimateOf(job.Kept(), {pair.common, pair.looked}, pair.size_a, pair.size_b);
  const double j = std::max(0.0, estimate.resemblance);
  const double sizes = static_cast<double>(pair.size_a) + pair.size_b;
  const auto common = static_cast<uint64_t>(std::llround(j / (1 + j) * sizes));
  return {estimate.resemblance, std::min<uint64_t>(common, std::min(pair.size_a, pair.size_b)),
          pair.size_a, pair.size_b, estimate.standard_error};
}

}  // namespace lookalike
