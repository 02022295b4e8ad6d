#include "lookalike/sketch.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "api/run.h"
#include "fingerprint/feature_extractor.h"
#include "format/sketch_bytes.h"
#include "lookalike/fingerprint.h"
#include "options/feature_options.h"
#include "stages/sketch/sketch.h"

namespace lookalike {
namespace {

SketchSpec SpecOf(SketchKind kind, std::span<const uint32_t> coordinates) {
  return {static_cast<uint32_t>(coordinates.size()), kind};
}

bool HasNoFeatures(std::span<const uint32_t> coordinates) {
  return std::all_of(coordinates.begin(), coordinates.end(),
                     [](uint32_t value) { return value == kNoCoordinate; });
}

/// Whether a sketch of this kind can have these values, or they are those of no features.
Status CheckCoordinates(SketchKind kind, std::span<const uint32_t> coordinates) {
  const auto wrong = std::find_if(coordinates.begin(), coordinates.end(),
                                  [kind](uint32_t value) { return !IsCoordinate(kind, value); });
  if (wrong == coordinates.end() || HasNoFeatures(coordinates)) return {};
  return Fail(
      fmt::format("coordinate {} is {:#010x}, a value that no sketch {} has; give the "
                  "coordinates as they were made",
                  wrong - coordinates.begin(), *wrong, SketchName(kind)));
}

/// The kind and number of coordinates that are stored, if there are such sketches.
Status CheckStoredName(const StoredSketch& stored) {
  const auto kind = static_cast<SketchKind>(stored.kind);
  if (!IsKnownKind(kind)) {
    return Fail(
        fmt::format("the stored sketch is of kind {}, which this version does not know; "
                    "read it with the version that wrote it",
                    stored.kind));
  }
  const SketchSpec spec = SpecOf(kind, stored.coordinates);
  if (ParseSketch(ToString(spec))) return {};
  return Fail(
      fmt::format("the stored sketch has {} coordinates, but there are none but of a power "
                  "of two from 16 to 1024; these bytes were not written by lookalike",
                  spec.coordinates));
}

/// Sketches of another version of the fingerprint cannot be compared with those made now.
Status CheckStored(const StoredSketch& stored) {
  if (stored.fingerprint_version != kFingerprintVersion) {
    return Fail(
        fmt::format("the stored sketch is of fingerprint version {}, and this program "
                    "makes version {}; make it anew from the text",
                    stored.fingerprint_version, kFingerprintVersion));
  }
  if (!NamesFeatures(stored.shingle)) {
    return Fail(
        "the stored sketch names no shingle such as word:5 or char:9; these bytes were not "
        "written by lookalike");
  }
  LOOKALIKE_RETURN_IF_ERROR(CheckStoredName(stored));
  return CheckCoordinates(static_cast<SketchKind>(stored.kind), stored.coordinates);
}

}  // namespace

/// A sketch of no features.
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
    LOOKALIKE_RETURN_IF_ERROR(CheckLength(text));
    LOOKALIKE_ASSIGN_OR_RETURN(const FeatureSpec spec, ReadSetSpec(options));
    FeatureExtractor extractor(spec);
    return OfFeatures(extractor.Features(text), options);
  });
}

Result<Sketch> Sketch::OfFeatures(std::span<const uint64_t> features, const Options& options) {
  return WithoutExceptions([&]() -> Result<Sketch> {
    LOOKALIKE_ASSIGN_OR_RETURN(Sketch sketch, Unfilled(options));
    if (features.empty()) return sketch;
    Sketcher sketcher(SpecOf(sketch.kind_, sketch.coordinates_));
    const auto made = sketcher.Run(features);
    sketch.coordinates_.assign(made.begin(), made.end());
    return sketch;
  });
}

Result<Sketch> Sketch::OfCoordinates(std::span<const uint32_t> coordinates,
                                     const Options& options) {
  return WithoutExceptions([&]() -> Result<Sketch> {
    LOOKALIKE_ASSIGN_OR_RETURN(Sketch sketch, Unfilled(options));
    if (coordinates.size() != sketch.coordinates_.size()) {
      return Fail(fmt::format("{} coordinates were given, but a sketch {} has {}; give one row",
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
    LOOKALIKE_RETURN_IF_ERROR(CheckStored(stored));
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
  const std::array<std::array<std::string, 3>, 3> facts = {
      {{"sketch", name(), other.name()},
       {"shingle", shingle_, other.shingle_},
       {"seed", std::to_string(seed_), std::to_string(other.seed_)}}};
  std::string differences;
  for (const auto& [what, here, there] : facts) {
    if (here == there) continue;
    differences +=
        fmt::format("{}{} {} and {}", differences.empty() ? "" : ", ", what, here, there);
  }
  if (differences.empty()) return {};
  return Fail("these sketches cannot be compared or merged, as they differ: " + differences +
              "; make both with the same options");
}

Status Sketch::Merge(const Sketch& other) {
  LOOKALIKE_RETURN_IF_ERROR(CheckComparable(other));
  MergeSketch(other.coordinates_, coordinates_);
  return {};
}

Result<ResemblanceEstimate> Sketch::EstimateResemblance(const Sketch& other) const {
  LOOKALIKE_RETURN_IF_ERROR(CheckComparable(other));
  ResemblanceEstimate estimate;
  estimate.coordinates = static_cast<uint32_t>(coordinates_.size());
  if (empty() || other.empty()) return estimate;
  for (size_t i = 0; i < coordinates_.size(); ++i) {
    estimate.equal += coordinates_[i] == other.coordinates_[i];
  }
  const double count = estimate.coordinates;
  estimate.resemblance = estimate.equal / count;
  // Moved a little towards one half (Agresti and Coull 1998): all equal does not say identical.
  const double share = (estimate.equal + 0.5) / (count + 1);
  estimate.standard_error = std::sqrt(share * (1 - share) / count);
  return estimate;
}

FeatureCountEstimate Sketch::EstimateFeatureCount() const {
  if (empty()) return {};
  const double features = EstimateFeatures(kind_, coordinates_);
  return {features, features / std::sqrt(static_cast<double>(coordinates_.size()) - 2)};
}

}  // namespace lookalike
