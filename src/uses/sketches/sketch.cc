#include "lookalike/sketch.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "fingerprint/feature_extractor.h"
#include "format/sketch_bytes.h"
#include "lookalike/fingerprint.h"
#include "options/feature_options.h"
#include "run/no_exceptions.h"
#include "stages/features/weights.h"
#include "stages/sketch/estimate.h"
#include "stages/sketch/sketch.h"
#include "stages/sketch/weighted.h"
#include "uses/sketches/sketch_checks.h"

namespace lookalike {
namespace {

SketchSpec SpecOf(SketchKind kind, std::span<const uint32_t> coordinates) {
  return {static_cast<uint32_t>(coordinates.size()), kind};
}

bool HasNoFeatures(std::span<const uint32_t> coordinates) {
  return std::all_of(coordinates.begin(), coordinates.end(),
                     [](uint32_t value) { return value == kNoCoordinate; });
}

/// Checks that a sketch of this kind can have these values, or that they mean "no features".
Status CheckCoordinates(SketchKind kind, std::span<const uint32_t> coordinates) {
  const SketchSpec spec = SpecOf(kind, coordinates);
  const auto wrong = std::find_if(coordinates.begin(), coordinates.end(),
                                  [kind](uint32_t value) { return !IsCoordinate(kind, value); });
  if (wrong == coordinates.end() || HasNoFeatures(coordinates)) return {};
  return InputError(
      fmt::format("coordinate {} is {:#010x}, which cannot occur in a sketch {}; pass the "
                  "coordinates as they were made",
                  wrong - coordinates.begin(), *wrong, ToString(spec)));
}

constexpr double kMostUnitsGiven = 1 << 20;  // per feature

Status CheckWeights(std::span<const uint64_t> features, std::span<const double> weights,
                    double most) {
  if (features.size() != weights.size()) {
    return UsageError(
        fmt::format("there are {} features, but {} weights; pass one weight for each feature",
                    features.size(), weights.size()));
  }
  const auto wrong = std::find_if(weights.begin(), weights.end(), [&](double weight) {
    return !(weight >= kLeastWeight && weight <= most);
  });
  if (wrong != weights.end()) {
    return UsageError(
        fmt::format("weight {} is {}, expected a number from {} to {}; leave out features without "
                    "weight, and scale the others",
                    wrong - weights.begin(), *wrong, kLeastWeight, most));
  }
  std::vector<uint64_t> sorted(features.begin(), features.end());
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end()) return {};
  return UsageError("a feature is listed twice; pass each feature once, with its total weight");
}

/// Checks that sketches with the stored kind and number of coordinates exist.
Status CheckStoredName(const StoredSketch& stored) {
  const auto kind = static_cast<SketchKind>(stored.kind);
  if (!IsKnownKind(kind)) {
    return InputError(
        fmt::format("the stored sketch has kind {}, which this version does not know; "
                    "read it with the version that wrote it",
                    stored.kind));
  }
  const SketchSpec spec = SpecOf(kind, stored.coordinates);
  if (ParseSketch(ToString(spec))) return {};
  return CorruptError(
      fmt::format("the stored sketch has {} coordinates, expected 16 to 1024; these bytes were "
                  "not written by lookalike",
                  spec.coordinates));
}

Status CheckStoredSketch(const StoredSketch& stored) {
  LOOKALIKE_RETURN_IF_ERROR(CheckFingerprintVersion(stored));
  if (!NamesFeatures(stored.shingle)) {
    return InputError(
        "the stored sketch does not name a shingle such as word:5 or char:9; these bytes were not "
        "written by lookalike");
  }
  return CheckStoredName(stored);
}

}  // namespace

/// Makes the sketch of no features.
Result<Sketch> Sketch::Unfilled(const Options& options) {
  LOOKALIKE_RETURN_IF_ERROR(options.Validate());
  LOOKALIKE_ASSIGN_OR_RETURN(const FeatureSpec features, ReadSetSpec(options));
  LOOKALIKE_ASSIGN_OR_RETURN(const SketchSpec spec, ParseSketch(options.sketch));
  Sketch sketch;
  sketch.kind_ = spec.kind;
  sketch.seed_ = options.seed;
  sketch.shingle_ = ToString(features);
  sketch.coordinates_.assign(spec.coordinates, kNoCoordinate);
  return sketch;
}

Result<Sketch> Sketch::OfText(std::string_view text, const Options& options) {
  return WithoutExceptions([&]() -> Result<Sketch> {
    LOOKALIKE_ASSIGN_OR_RETURN(Sketch sketch, Unfilled(options));
    LOOKALIKE_ASSIGN_OR_RETURN(const FeatureSpec spec, ReadSetSpec(options));
    LOOKALIKE_RETURN_IF_ERROR(CheckText(spec, text));
    FeatureExtractor extractor(spec);
    const auto features = extractor.Features(text);
    const WeightedFeatures weighted = extractor.weighted();
    if (features.empty()) return sketch;  // even if every feature weighs less than a unit
    if (weighted.features.empty() || !TakesWeights(sketch.kind_)) {
      sketch.Fill(features);
    } else {
      sketch.FillByWeight(weighted.features, weighted.weights);
    }
    return sketch;
  });
}

Result<Sketch> Sketch::OfFeatures(std::span<const uint64_t> features, const Options& options) {
  return WithoutExceptions([&]() -> Result<Sketch> {
    LOOKALIKE_ASSIGN_OR_RETURN(Sketch sketch, Unfilled(options));
    if (!features.empty()) sketch.Fill(features);
    return sketch;
  });
}

Result<Sketch> Sketch::OfWeighted(std::span<const uint64_t> features,
                                  std::span<const double> weights, const Options& options) {
  return WithoutExceptions([&]() -> Result<Sketch> {
    Options plain = options;  // the unit applies to these weights, not to a table
    plain.weight_unit = 1;
    LOOKALIKE_ASSIGN_OR_RETURN(Sketch sketch, Unfilled(plain));
    LOOKALIKE_RETURN_IF_ERROR(CheckWeightUnit(options));
    const bool by_weight = TakesWeights(sketch.kind_);
    if (!by_weight && options.weight_unit != 1) {
      sketch.shingle_ += fmt::format(" weight-unit={}", options.weight_unit);
    }
    LOOKALIKE_RETURN_IF_ERROR(CheckWeights(
        features, weights, by_weight ? kGreatestWeight : kMostUnitsGiven * options.weight_unit));
    if (features.empty()) return sketch;
    if (by_weight) {
      sketch.FillByWeight(features, weights);
      return sketch;
    }
    WeighedStream stream;
    ExpandUnits(features, weights, {options.weight_unit}, &stream);
    if (!stream.units.empty()) sketch.Fill(stream.units);
    return sketch;
  });
}

void Sketch::Fill(std::span<const uint64_t> features) {
  Sketcher sketcher(SpecOf(kind_, coordinates_));
  const auto made = sketcher.Run(features);
  coordinates_.assign(made.begin(), made.end());
}

void Sketch::FillByWeight(std::span<const uint64_t> features, std::span<const double> weights) {
  Sketcher sketcher(SpecOf(kind_, coordinates_));
  const auto made = sketcher.RunWeighted({features, weights});
  coordinates_.assign(made.begin(), made.end());
}

Result<Sketch> Sketch::OfCoordinates(std::span<const uint32_t> coordinates,
                                     const Options& options) {
  return WithoutExceptions([&]() -> Result<Sketch> {
    LOOKALIKE_ASSIGN_OR_RETURN(Sketch sketch, Unfilled(options));
    if (coordinates.size() != sketch.coordinates_.size()) {
      return UsageError(
          fmt::format("{} coordinates were given, but a sketch {} has {}; pass a single row",
                      coordinates.size(), sketch.name(), sketch.coordinates_.size()));
    }
    LOOKALIKE_RETURN_IF_ERROR(CheckCoordinates(sketch.kind_, coordinates));
    sketch.coordinates_.assign(coordinates.begin(), coordinates.end());
    return sketch;
  });
}

Result<Sketch> Sketch::FromBytes(std::string_view bytes) {
  return WithoutExceptions([&]() -> Result<Sketch> {
    LOOKALIKE_ASSIGN_OR_RETURN(StoredSketch stored, DecodeSketch(bytes));
    LOOKALIKE_RETURN_IF_ERROR(CheckStoredSketch(stored));
    if (stored.bits != 32) {
      return InputError(
          fmt::format("the stored sketch was compressed to {} bits per coordinate; read it "
                      "as a CompressedSketch",
                      stored.bits));
    }
    LOOKALIKE_RETURN_IF_ERROR(
        CheckCoordinates(static_cast<SketchKind>(stored.kind), stored.coordinates));
    Sketch sketch;
    sketch.kind_ = static_cast<SketchKind>(stored.kind);
    sketch.seed_ = stored.seed;
    sketch.shingle_ = std::move(stored.shingle);
    sketch.coordinates_ = std::move(stored.coordinates);
    return sketch;
  });
}

std::string Sketch::ToBytes() const {
  StoredSketch stored;
  stored.kind = static_cast<uint8_t>(kind_);
  stored.fingerprint_version = kFingerprintVersion;
  stored.seed = seed_;
  stored.shingle = shingle_;
  stored.coordinates = coordinates_;
  return EncodeSketch(stored);
}

std::string Sketch::name() const { return ToString(SpecOf(kind_, coordinates_)); }

bool Sketch::empty() const { return HasNoFeatures(coordinates_); }

Status Sketch::CheckComparable(const Sketch& other) const {
  return CheckEqual(std::array{Fact{"sketch", name(), other.name()},
                               Fact{"shingle", shingle_, other.shingle_},
                               Fact{"seed", std::to_string(seed_), std::to_string(other.seed_)}});
}

Status Sketch::Merge(const Sketch& other) {
  LOOKALIKE_RETURN_IF_ERROR(CheckComparable(other));
  if (!IsMergeable(kind_)) {
    return UsageError(
        "sketches " + name() +
        " cannot be merged, because empty bins were filled from others; make a sketch of the "
        "features of both, or use one-permutation:K, which can be merged");
  }
  MergeSketch(other.coordinates_, coordinates_);
  return {};
}

Status Sketch::Add(std::span<const uint64_t> features) {
  return WithoutExceptions([&]() -> Status {
    Sketch added = *this;
    if (!features.empty()) added.Fill(features);
    return Merge(added);
  });
}

Result<ResemblanceEstimate> Sketch::EstimateResemblance(const Sketch& other) const {
  LOOKALIKE_RETURN_IF_ERROR(CheckComparable(other));
  if (empty() || other.empty()) {
    return ResemblanceEstimate{.coordinates = static_cast<uint32_t>(coordinates_.size())};
  }
  uint32_t compared = 0, equal = 0;
  for (size_t i = 0; i < coordinates_.size(); ++i) {
    const bool both_empty =
        !IsBandable(kind_) && coordinates_[i] == kEmptyBin && other.coordinates_[i] == kEmptyBin;
    compared += !both_empty;
    equal += !both_empty && coordinates_[i] == other.coordinates_[i];
  }
  return EstimateFromEqual(equal, compared, kWholeCoordinate);
}

Result<CompressedSketch> Sketch::Compressed(uint32_t bits) const {
  if (bits == kWholeCoordinate || !IsAllowedWidth(bits)) {
    return UsageError(fmt::format(
        "a sketch cannot be compressed to {} bits per coordinate; use 1, 2, 4, 8 or 16", bits));
  }
  if (!IsBandable(kind_)) {
    return UsageError("a sketch " + name() +
                      " cannot be compressed, because a few bits cannot mark an empty bin; use "
                      "one-permutation:K, which has none");
  }
  CompressedSketch compressed;
  compressed.kind_ = kind_;
  compressed.bits_ = bits;
  compressed.empty_ = empty();
  compressed.seed_ = seed_;
  compressed.shingle_ = shingle_;
  compressed.values_.resize(coordinates_.size());
  if (compressed.empty_) return compressed;
  std::transform(
      coordinates_.begin(), coordinates_.end(), compressed.values_.begin(),
      [bits](uint32_t coordinate) { return static_cast<uint16_t>(KeepBits(coordinate, bits)); });
  return compressed;
}

FeatureCountEstimate Sketch::EstimateFeatureCount() const {
  if (empty()) return {};
  const double features = EstimateFeatures(kind_, coordinates_);
  return {features, features / std::sqrt(static_cast<double>(coordinates_.size()) - 2)};
}

std::string CompressedSketch::name() const {
  return ToString({static_cast<uint32_t>(values_.size()), kind_});
}

Result<ResemblanceEstimate> CompressedSketch::EstimateResemblance(
    const CompressedSketch& other) const {
  LOOKALIKE_RETURN_IF_ERROR(
      CheckEqual(std::array{Fact{"sketch", name(), other.name()},
                            Fact{"bits", std::to_string(bits_), std::to_string(other.bits_)},
                            Fact{"shingle", shingle_, other.shingle_},
                            Fact{"seed", std::to_string(seed_), std::to_string(other.seed_)}}));
  const auto coordinates = static_cast<uint32_t>(values_.size());
  if (empty_ || other.empty_) return ResemblanceEstimate{.coordinates = coordinates};
  uint32_t equal = 0;
  for (size_t i = 0; i < values_.size(); ++i) equal += values_[i] == other.values_[i];
  return EstimateFromEqual(equal, coordinates, bits_);
}

std::string CompressedSketch::ToBytes() const {
  StoredSketch stored = {static_cast<uint8_t>(kind_), kFingerprintVersion, seed_, shingle_, {}};
  stored.coordinates.assign(values_.begin(), values_.end());
  stored.bits = static_cast<uint8_t>(bits_);
  stored.is_empty = empty_;
  return EncodeSketch(stored);
}

Result<CompressedSketch> CompressedSketch::FromBytes(std::string_view bytes) {
  return WithoutExceptions([&]() -> Result<CompressedSketch> {
    LOOKALIKE_ASSIGN_OR_RETURN(StoredSketch stored, DecodeSketch(bytes));
    LOOKALIKE_RETURN_IF_ERROR(CheckStoredSketch(stored));
    const auto kind = static_cast<SketchKind>(stored.kind);
    const bool has_values = std::any_of(stored.coordinates.begin(), stored.coordinates.end(),
                                        [](uint32_t value) { return value != 0; });
    if (stored.bits == 32 || !IsBandable(kind) || (stored.is_empty && has_values)) {
      return CorruptError(
          "these bytes are not a compressed sketch; read them as a Sketch, or pass what "
          "CompressedSketch::ToBytes wrote");
    }
    CompressedSketch sketch;
    sketch.kind_ = kind;
    sketch.bits_ = stored.bits;
    sketch.empty_ = stored.is_empty;
    sketch.seed_ = stored.seed;
    sketch.shingle_ = std::move(stored.shingle);
    sketch.values_.assign(stored.coordinates.begin(), stored.coordinates.end());
    return sketch;
  });
}

}  // namespace lookalike
