#include "uses/compare/compare_sketches.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "lookalike/set_sketch.h"
#include "lookalike/sketch.h"
#include "stages/sketch/estimate.h"
#include "stages/sketch/set_sketch.h"

namespace lookalike {
namespace {

uint64_t Whole(double count) { return static_cast<uint64_t>(std::llround(count)); }

/// Computes the other measures from the resemblance and both sizes.
void FillFromSizes(double size_a, double size_b, Comparison* result) {
  const double j = std::max(0.0, result->resemblance);  // with few bits it may be below 0
  const double common = j / (1 + j) * (size_a + size_b);
  result->size_a = Whole(size_a);
  result->size_b = Whole(size_b);
  result->common = Whole(common);
  result->size_union = Whole(size_a + size_b - common);
  result->containment_ab = size_a > 0 ? std::min(1.0, common / size_a) : 0;
  result->containment_ba = size_b > 0 ? std::min(1.0, common / size_b) : 0;
}

/// Estimates from `bits` bits of each coordinate.
Result<ResemblanceEstimate> EstimateBy(uint32_t bits, const Sketch& a, const Sketch& b) {
  if (bits == kWholeCoordinate) return a.EstimateResemblance(b);
  LOOKALIKE_ASSIGN_OR_RETURN(const CompressedSketch of_a, a.Compressed(bits));
  LOOKALIKE_ASSIGN_OR_RETURN(const CompressedSketch of_b, b.Compressed(bits));
  return of_a.EstimateResemblance(of_b);
}

Comparison OfEstimate(const ResemblanceEstimate& estimate, double size_a, double size_b) {
  Comparison result;
  result.resemblance = estimate.resemblance;
  result.standard_error = estimate.standard_error;
  FillFromSizes(size_a, size_b, &result);
  return result;
}

/// Compares two samples. The containments are estimated separately.
Result<Comparison> OfSamples(const SetSketch& a, const SetSketch& b, double size_a, double size_b) {
  LOOKALIKE_ASSIGN_OR_RETURN(const auto estimate, a.EstimateResemblance(b));
  Comparison result = OfEstimate({estimate.value, estimate.standard_error}, size_a, size_b);
  result.containment_ab = a.EstimateContainment(b)->value;
  result.containment_ba = b.EstimateContainment(a)->value;
  return result;
}

Result<Comparison> CompareCoordinates(std::string_view a, std::string_view b,
                                      const Options& options) {
  LOOKALIKE_ASSIGN_OR_RETURN(const Sketch of_a, Sketch::OfText(a, options));
  LOOKALIKE_ASSIGN_OR_RETURN(const Sketch of_b, Sketch::OfText(b, options));
  LOOKALIKE_ASSIGN_OR_RETURN(const auto estimate,
                             EstimateBy(static_cast<uint32_t>(options.sketch_bits), of_a, of_b));
  return OfEstimate(estimate, of_a.EstimateFeatureCount().features,
                    of_b.EstimateFeatureCount().features);
}

Result<Comparison> CompareSamples(std::string_view a, std::string_view b, const Options& options) {
  LOOKALIKE_ASSIGN_OR_RETURN(const SetSketch of_a, SetSketch::OfText(a, options));
  LOOKALIKE_ASSIGN_OR_RETURN(const SetSketch of_b, SetSketch::OfText(b, options));
  return OfSamples(of_a, of_b, of_a.EstimateFeatureCount().features,
                   of_b.EstimateFeatureCount().features);
}

Result<Comparison> CompareStoredSamples(const StoredDocument& a, const StoredDocument& b) {
  LOOKALIKE_ASSIGN_OR_RETURN(const auto of_a, SetSketch::FromBytes(EncodeSketch(a.sketch)));
  LOOKALIKE_ASSIGN_OR_RETURN(const auto of_b, SetSketch::FromBytes(EncodeSketch(b.sketch)));
  LOOKALIKE_ASSIGN_OR_RETURN(
      Comparison result,
      OfSamples(of_a, of_b, static_cast<double>(a.features), static_cast<double>(b.features)));
  // Computed as `pairs` does, which knows the counted features of both.
  const auto estimate = of_a.EstimateResemblance(of_b);
  if (estimate->seen == 0) return result;
  const SetSketchSpec spec{static_cast<SetSketchKind>(a.sketch.kind), a.sketch.parameter};
  const double drawn = DrawnShare(spec, estimate->common, estimate->seen, a.features, b.features);
  result.standard_error = ErrorOfShare(estimate->common, estimate->seen, drawn);
  return result;
}

/// Compares two sketches of one type, read by its FromBytes.
template <class Type>
Result<Comparison> CompareStoredAs(const StoredDocument& a, const StoredDocument& b) {
  LOOKALIKE_ASSIGN_OR_RETURN(const Type of_a, Type::FromBytes(EncodeSketch(a.sketch)));
  LOOKALIKE_ASSIGN_OR_RETURN(const Type of_b, Type::FromBytes(EncodeSketch(b.sketch)));
  LOOKALIKE_ASSIGN_OR_RETURN(const auto estimate, of_a.EstimateResemblance(of_b));
  return OfEstimate(estimate, static_cast<double>(a.features), static_cast<double>(b.features));
}

/// Returns the bytes of the sketch of a text.
Result<std::string> BytesLike(const StoredSketch& like, std::string_view text,
                              const Options& options) {
  if (like.IsSample()) {
    LOOKALIKE_ASSIGN_OR_RETURN(const auto sample, SetSketch::OfText(text, options));
    return sample.ToBytes();
  }
  LOOKALIKE_ASSIGN_OR_RETURN(const auto sketch, Sketch::OfText(text, options));
  if (like.bits == kWholeCoordinate) return sketch.ToBytes();
  LOOKALIKE_ASSIGN_OR_RETURN(const auto compressed, sketch.Compressed(like.bits));
  return compressed.ToBytes();
}

}  // namespace

Result<StoredDocument> StoreLike(const StoredSketch& like, const std::string& place,
                                 const CountedText& text, const Options& options) {
  LOOKALIKE_ASSIGN_OR_RETURN(const std::string bytes, BytesLike(like, text.text, options));
  LOOKALIKE_ASSIGN_OR_RETURN(StoredSketch sketch, DecodeSketch(bytes));
  sketch.shingle = text.spec;  // if it was a page, its text has already been extracted
  if (sketch.shingle == like.shingle) return StoredDocument{std::move(sketch), text.features};
  return InputError("holds sketches of " + like.shingle + ", but the text would be compared by " +
                        text.spec + "; pass the options that the sketches were made with",
                    place);
}

Result<Comparison> CompareStored(const StoredDocument& a, const StoredDocument& b) {
  const bool samples = a.sketch.IsSample();
  if (samples != b.sketch.IsSample() || a.sketch.bits != b.sketch.bits) {
    return InputError(
        "only one of the sketches is a sample, or they have different numbers of bits per "
        "coordinate; make both with the same options");
  }
  const auto compare = samples                             ? CompareStoredSamples
                       : a.sketch.bits == kWholeCoordinate ? CompareStoredAs<Sketch>
                                                           : CompareStoredAs<CompressedSketch>;
  auto result = compare(a, b);
  if (result) result->exact = false;
  return result;
}

Result<Comparison> CompareSketches(std::string_view a, std::string_view b, const Options& options) {
  const auto compare = NamesSetSketch(options.sketch) ? CompareSamples : CompareCoordinates;
  auto result = compare(a, b, options);
  if (result) result->exact = false;
  return result;
}

}  // namespace lookalike
