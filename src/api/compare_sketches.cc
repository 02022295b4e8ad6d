#include "api/compare_sketches.h"

#include <algorithm>
#include <cmath>

#include "lookalike/set_sketch.h"
#include "lookalike/sketch.h"
#include "stages/sketch/set_sketch.h"

namespace lookalike {
namespace {

uint64_t Whole(double count) { return static_cast<uint64_t>(std::llround(count)); }

/// Coordinates tell the resemblance and both sizes; the rest follows.
void FillFromSizes(double size_a, double size_b, Comparison* result) {
  const double j = result->resemblance;
  const double common = j / (1 + j) * (size_a + size_b);
  result->size_a = Whole(size_a);
  result->size_b = Whole(size_b);
  result->common = Whole(common);
  result->size_union = Whole(size_a + size_b - common);
  result->containment_ab = size_a > 0 ? std::min(1.0, common / size_a) : 0;
  result->containment_ba = size_b > 0 ? std::min(1.0, common / size_b) : 0;
}

Result<Comparison> CompareCoordinates(std::span<const uint64_t> a, std::span<const uint64_t> b,
                                      const Options& options) {
  LOOKALIKE_ASSIGN_OR_RETURN(const Sketch of_a, Sketch::OfFeatures(a, options));
  LOOKALIKE_ASSIGN_OR_RETURN(const Sketch of_b, Sketch::OfFeatures(b, options));
  LOOKALIKE_ASSIGN_OR_RETURN(const auto estimate, of_a.EstimateResemblance(of_b));
  Comparison result;
  result.resemblance = estimate.resemblance;
  result.standard_error = estimate.standard_error;
  FillFromSizes(of_a.EstimateFeatureCount().features, of_b.EstimateFeatureCount().features,
                &result);
  return result;
}

Result<Comparison> CompareSamples(std::span<const uint64_t> a, std::span<const uint64_t> b,
                                  const Options& options) {
  LOOKALIKE_ASSIGN_OR_RETURN(const SetSketch of_a, SetSketch::OfFeatures(a, options));
  LOOKALIKE_ASSIGN_OR_RETURN(const SetSketch of_b, SetSketch::OfFeatures(b, options));
  LOOKALIKE_ASSIGN_OR_RETURN(const auto estimate, of_a.EstimateResemblance(of_b));
  Comparison result;
  result.resemblance = estimate.value;
  result.standard_error = estimate.standard_error;
  FillFromSizes(of_a.EstimateFeatureCount().features, of_b.EstimateFeatureCount().features,
                &result);
  result.containment_ab = of_a.EstimateContainment(of_b)->value;
  result.containment_ba = of_b.EstimateContainment(of_a)->value;
  return result;
}

}  // namespace

Result<Comparison> CompareSketches(std::span<const uint64_t> a, std::span<const uint64_t> b,
                                   const Options& options) {
  const auto compare = NamesSetSketch(options.sketch) ? CompareSamples : CompareCoordinates;
  auto result = compare(a, b, options);
  if (result) result->exact = false;
  return result;
}

}  // namespace lookalike
