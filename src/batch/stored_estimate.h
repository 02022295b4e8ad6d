// What two stored sketches say of the resemblance of their documents.
#ifndef LOOKALIKE_BATCH_STORED_ESTIMATE_H_
#define LOOKALIKE_BATCH_STORED_ESTIMATE_H_

#include <cstdint>

#include "batch/job.h"
#include "flow/records.h"
#include "stages/verify/edges.h"

namespace lookalike {

/// Of `looked` values of two sketches `common` are equal.
struct SketchMatch {
  uint32_t common = 0, looked = 0;
};

/// Looks at pairs of stored sketches of a job. Safe from several threads.
class StoredEstimator {
 public:
  explicit StoredEstimator(const Job& job);

  [[nodiscard]] SketchMatch Match(StoredValues a, StoredValues d) const;

  /// The edge of a pair whose estimate reaches the threshold, or of every pair with --verify none.
  [[nodiscard]] std::optional<Edge> Look(const CandidatePair& pair, StoredValues a,
                                         StoredValues d) const;

 private:
  [[nodiscard]] bool Passes(const SketchMatch& match) const;

  KeptSketch kept_;
  double threshold_;
  bool takes_all_;
  uint32_t least_equal_ = 0;  // of coordinates none of which is ever empty
};

/// The estimate that a match is, and its standard error. `size_a` and `size_b`: the features that
/// were counted.
ResemblanceEstimate EstimateOf(const KeptSketch& kept, const SketchMatch& match, uint64_t size_a,
                               uint64_t size_b);
inline ResemblanceEstimate EstimateOf(const KeptSketch& kept, const Edge& edge) {
  return EstimateOf(kept, {edge.common, edge.looked}, edge.size_a, edge.size_d);
}

}  // namespace lookalike

#endif  // LOOKALIKE_BATCH_STORED_ESTIMATE_H_
