#include "search/stored_estimate.h"

#include <bit>

#include "stages/sketch/estimate.h"
#include "stages/sketch/set_sketch.h"

namespace lookalike {
namespace {

/// Matches coordinates, ignoring bins that are empty in both.
SketchMatch MatchBins(StoredValues a, StoredValues d, uint32_t coordinates) {
  SketchMatch match;
  for (uint32_t i = 0; i < coordinates; ++i) {
    const size_t word = 1 + i / 2;
    const uint32_t shift = i % 2 * 32;
    const auto x = static_cast<uint32_t>(a[word] >> shift);
    const auto y = static_cast<uint32_t>(d[word] >> shift);
    const bool both_empty = x == kEmptyBin && y == kEmptyBin;
    match.looked += !both_empty;
    match.common += !both_empty && x == y;
  }
  return match;
}

}  // namespace

StoredEstimator::StoredEstimator(const Job& job)
    : kept_(job.Kept()),
      threshold_(job.options.threshold),
      takes_all_(job.choices.verify == Verification::kNone) {
  if (kept_.sample) return;
  least_equal_ = LeastEqual(threshold_, kept_.sketch.coordinates, kept_.bits);
}

SketchMatch StoredEstimator::Match(StoredValues a, StoredValues d) const {
  if (kept_.sample) {
    const SampledUnion look = ::lookalike::Look(*kept_.sample, a.subspan(1), d.subspan(1));
    return {static_cast<uint32_t>(look.common), static_cast<uint32_t>(look.seen)};
  }
  const uint32_t coordinates = kept_.sketch.coordinates;
  if (!IsBandable(kept_.sketch.kind)) return MatchBins(a, d, coordinates);
  return {CountEqualCoordinates(a, d, coordinates), coordinates};
}

bool StoredEstimator::Passes(const SketchMatch& match) const {
  if (takes_all_) return true;
  if (match.looked == 0) return false;
  if (!kept_.sample && IsBandable(kept_.sketch.kind)) return match.common >= least_equal_;
  return static_cast<double>(match.common) / static_cast<double>(match.looked) >= threshold_;
}

std::optional<Edge> StoredEstimator::Look(const CandidatePair& pair, StoredValues a,
                                          StoredValues d) const {
  const SketchMatch match = Match(a, d);
  if (!Passes(match)) return std::nullopt;
  return Edge{
      pair.a,      pair.d, match.common, static_cast<uint32_t>(a[0]), static_cast<uint32_t>(d[0]),
      match.looked};
}

ResemblanceEstimate EstimateOf(const KeptSketch& kept, const SketchMatch& match, uint64_t size_a,
                               uint64_t size_b) {
  if (!kept.sample) return EstimateFromEqual(match.common, match.looked, kept.bits);
  ResemblanceEstimate estimate;
  estimate.equal = match.common;
  estimate.coordinates = match.looked;
  estimate.resemblance = static_cast<double>(match.common) / match.looked;
  const double drawn = DrawnShare(*kept.sample, match.common, match.looked, size_a, size_b);
  estimate.standard_error = ErrorOfShare(match.common, match.looked, drawn);
  return estimate;
}

}  // namespace lookalike
