// Estimates the resemblance of two documents from their stored sketches.
#ifndef LOOKALIKE_SEARCH_STORED_ESTIMATE_H_
#define LOOKALIKE_SEARCH_STORED_ESTIMATE_H_

#include <cstdint>

#include "records/records.h"
#include "run/job.h"
#include "stages/verify/edges.h"

namespace lookalike {

/// A match of two sketches: `common` of the `looked` values are equal.
struct SketchMatch {
  uint32_t common = 0, looked = 0;
};

/// Compares pairs of stored sketches of a job. Safe from several threads.
class StoredEstimator {
 public:
  explicit StoredEstimator(const Job& job);

  [[nodiscard]] SketchMatch Match(StoredValues a, StoredValues d) const;

  /// Returns the edge of a pair if its estimate reaches the threshold, or if --verify is none.
  [[nodiscard]] std::optional<Edge> Look(const CandidatePair& pair, StoredValues a,
                                         StoredValues d) const;

 private:
  [[nodiscard]] bool Passes(const SketchMatch& match) const;

  KeptSketch kept_;
  double threshold_;
  bool takes_all_;
  uint32_t least_equal_ = 0;  // for coordinates that are never empty
};

/// Returns the estimate that a match gives, with its standard error. `size_a` and `size_b`: the
/// numbers of features, counted exactly.
ResemblanceEstimate EstimateOf(const KeptSketch& kept, const SketchMatch& match, uint64_t size_a,
                               uint64_t size_b);
inline ResemblanceEstimate EstimateOf(const KeptSketch& kept, const Edge& edge) {
  return EstimateOf(kept, {edge.common, edge.looked}, edge.size_a, edge.size_d);
}

}  // namespace lookalike

#endif  // LOOKALIKE_SEARCH_STORED_ESTIMATE_H_
