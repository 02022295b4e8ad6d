#include "lookalike/set_sketch.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>

#include "fingerprint/feature_extractor.h"
#include "format/sketch_bytes.h"
#include "options/feature_options.h"
#include "run/no_exceptions.h"
#include "stages/sketch/set_sketch.h"
#include "uses/sketches/sketch_checks.h"

namespace lookalike {
namespace {

SampleEstimate Estimate(uint64_t common, uint64_t seen, double drawn_share) {
  SampleEstimate estimate;
  estimate.common = common;
  estimate.seen = seen;
  estimate.standard_error = 1;
  if (seen == 0) {
    if (drawn_share >= 1) estimate.standard_error = 0;  // there is nothing to estimate
    return estimate;
  }
  estimate.value = static_cast<double>(common) / static_cast<double>(seen);
  estimate.standard_error = ErrorOfShare(common, seen, drawn_share);
  return estimate;
}

Status CheckStored(const StoredSketch& stored) {
  LOOKALIKE_RETURN_IF_ERROR(CheckFingerprintVersion(stored));
  const SetSketchSpec spec{static_cast<SetSketchKind>(stored.kind), stored.parameter};
  const bool sample = stored.IsSample() && IsKnownKind(spec.kind);
  const bool ascending = std::adjacent_find(stored.values.begin(), stored.values.end(),
                                            std::greater_equal<>()) == stored.values.end();
  const bool sampled = sample && std::all_of(stored.values.begin(), stored.values.end(),
                                             [&](uint64_t v) { return IsSampled(spec, v); });
  const bool few = spec.kind != SetSketchKind::kBottomK || stored.values.size() <= spec.parameter;
  if (sampled && ascending && few && NamesFeatures(stored.shingle)) return {};
  return CorruptError(
      "these bytes are not a sample of features; they were not written by lookalike");
}

}  // namespace

Result<SetSketch> SetSketch::OfFeatures(std::span<const uint64_t> features,
                                        const Options& options) {
  return WithoutExceptions([&]() -> Result<SetSketch> {
    LOOKALIKE_RETURN_IF_ERROR(options.Validate());
    LOOKALIKE_ASSIGN_OR_RETURN(const FeatureSpec spec, ReadSetSpec(options));
    LOOKALIKE_ASSIGN_OR_RETURN(const SetSketchSpec sample, ParseSetSketch(options.sketch));
    SetSketch sketch;
    sketch.kind_ = sample.kind;
    sketch.parameter_ = sample.parameter;
    sketch.seed_ = options.seed;
    sketch.shingle_ = ToString(spec);
    sketch.values_ = SampleFeatures(sample, features);
    return sketch;
  });
}

Result<SetSketch> SetSketch::OfText(std::string_view text, const Options& options) {
  return WithoutExceptions([&]() -> Result<SetSketch> {
    LOOKALIKE_RETURN_IF_ERROR(options.Validate());
    LOOKALIKE_ASSIGN_OR_RETURN(const FeatureSpec spec, ReadSetSpec(options));
    LOOKALIKE_RETURN_IF_ERROR(CheckText(spec, text));
    FeatureExtractor extractor(spec);
    return OfFeatures(extractor.Features(text), options);
  });
}

Result<SetSketch> SetSketch::FromBytes(std::string_view bytes) {
  return WithoutExceptions([&]() -> Result<SetSketch> {
    LOOKALIKE_ASSIGN_OR_RETURN(StoredSketch stored, DecodeSketch(bytes));
    LOOKALIKE_RETURN_IF_ERROR(CheckStored(stored));
    SetSketch sketch;
    sketch.kind_ = static_cast<SetSketchKind>(stored.kind);
    sketch.parameter_ = stored.parameter;
    sketch.seed_ = stored.seed;
    sketch.shingle_ = std::move(stored.shingle);
    sketch.values_ = std::move(stored.values);
    return sketch;
  });
}

std::string SetSketch::ToBytes() const {
  StoredSketch stored;
  stored.kind = static_cast<uint8_t>(kind_);
  stored.fingerprint_version = kFingerprintVersion;
  stored.seed = seed_;
  stored.shingle = shingle_;
  stored.parameter = static_cast<uint32_t>(parameter_);
  stored.values = values_;
  return EncodeSketch(stored);
}

std::string SetSketch::name() const { return ToString(SetSketchSpec{kind_, parameter_}); }

Status SetSketch::CheckComparable(const SetSketch& other) const {
  return CheckEqual(std::array{Fact{"sketch", name(), other.name()},
                               Fact{"shingle", shingle_, other.shingle_},
                               Fact{"seed", std::to_string(seed_), std::to_string(other.seed_)}});
}

Status SetSketch::Merge(const SetSketch& other) {
  LOOKALIKE_RETURN_IF_ERROR(CheckComparable(other));
  values_ = MergeSamples({kind_, parameter_}, values_, other.values_);
  return {};
}

Status SetSketch::Add(std::span<const uint64_t> features) {
  return WithoutExceptions([&]() -> Status {
    const SetSketchSpec spec{kind_, parameter_};
    values_ = MergeSamples(spec, values_, SampleFeatures(spec, features));
    return {};
  });
}

Result<SampleEstimate> SetSketch::EstimateResemblance(const SetSketch& other) const {
  LOOKALIKE_RETURN_IF_ERROR(CheckComparable(other));
  const SetSketchSpec spec{kind_, parameter_};
  const SampledUnion look = Look(spec, values_, other.values_);
  return Estimate(look.common, look.seen, DrawnShare(spec, look));
}

Result<SampleEstimate> SetSketch::EstimateContainment(const SetSketch& other) const {
  LOOKALIKE_RETURN_IF_ERROR(CheckComparable(other));
  const SetSketchSpec spec{kind_, parameter_};
  const SampledUnion look = Look(spec, values_, other.values_);
  return Estimate(look.common, look.in_a, DrawnShare(spec, look));
}

FeatureCountEstimate SetSketch::EstimateFeatureCount() const {
  const SetSketchSpec spec{kind_, parameter_};
  const double features = EstimateFeatures(spec, values_);
  if (kind_ == SetSketchKind::kBottomK) {
    if (values_.size() < parameter_) return {features, 0};
    return {features, features / std::sqrt(std::max(1.0, static_cast<double>(parameter_) - 2))};
  }
  // A feature is in the sample with probability 1 / M.
  const auto parameter = static_cast<double>(parameter_);
  return {features, std::sqrt(features * (parameter - 1))};
}

}  // namespace lookalike
