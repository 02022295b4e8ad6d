// Set sketches as values: samples of a set of features, made from a text, merged, compared, stored.
//
// Unlike a Sketch they cannot make band keys, but they estimate containment and sizes as well as
// resemblance, and some kinds grow with the text.
#ifndef LOOKALIKE_SET_SKETCH_H_
#define LOOKALIKE_SET_SKETCH_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lookalike/options.h"
#include "lookalike/sketch.h"
#include "lookalike/status.h"

namespace lookalike {

/// The rules for which features are in the sample, based on a random order of all features. The
/// numbers are part of docs/format/sketch-v1.md: they never change, and 0 is not used.
enum class SetSketchKind : uint8_t {
  kBottomK = 129,      ///< The K least features (Broder 1997): `bottom-k:K`.
  kModM = 130,         ///< Features whose number is 0 modulo M (Broder 1997): `mod-m:M`.
  kFracMinHash = 131,  ///< Features in the first of S parts (Irber et al. 2022): `fracminhash:S`.
};

/// An estimate from a sample.
struct SampleEstimate {
  double value = 0;
  /// Treats the sample as drawn without replacement from a union whose size is estimated too; if
  /// the sample is the whole set, it is 0 and the value is exact.
  double standard_error = 0;
  uint64_t common = 0, seen = 0;  ///< Sampled features in both sets, and in the denominator.
};

/// A sample of a set of features. A value type: equal sketches have equal bits.
class SetSketch {
 public:
  /// Makes the sketch of one text. Uses Options::sketch ("bottom-k:128") and the options that
  /// define features. Returns an Error if an option is not allowed or the text is too long.
  static Result<SetSketch> OfText(std::string_view text, const Options& options);

  /// Makes the sketch of a set of features; repetitions and any order are allowed.
  static Result<SetSketch> OfFeatures(std::span<const uint64_t> features, const Options& options);

  /// Reads what ToBytes wrote (docs/format/sketch-v1.md); any other bytes give an Error that says
  /// what is wrong.
  static Result<SetSketch> FromBytes(std::string_view bytes);

  /// Returns 36 bytes, the shingle's text and 8 bytes per value; equal for equal sketches.
  [[nodiscard]] std::string ToBytes() const;

  [[nodiscard]] SetSketchKind kind() const { return kind_; }
  /// Returns the kind and the parameter, written as in Options::sketch: "bottom-k:128".
  [[nodiscard]] std::string name() const;
  /// Returns the definition of its features: "word:5".
  [[nodiscard]] const std::string& shingle() const { return shingle_; }
  [[nodiscard]] uint64_t seed() const { return seed_; }
  /// Returns the places of the sampled features in the order of all features, ascending.
  [[nodiscard]] std::span<const uint64_t> values() const { return values_; }

  /// Makes this the sketch of the union of both sets, exactly as if it had been made from the
  /// union. Returns an Error and changes nothing if the two differ in kind, parameter, features or
  /// seed.
  Status Merge(const SetSketch& other);

  /// Adds features to the set; repetitions and any order are allowed.
  Status Add(std::span<const uint64_t> features);

  /// Estimates |A ∩ B| / |A ∪ B|; if the sample of the union is empty, 0 with standard error 1.
  [[nodiscard]] Result<SampleEstimate> EstimateResemblance(const SetSketch& other) const;

  /// Estimates |A ∩ B| / |A|, where A is this set.
  [[nodiscard]] Result<SampleEstimate> EstimateContainment(const SetSketch& other) const;

  /// Estimates how many distinct features the set has.
  [[nodiscard]] FeatureCountEstimate EstimateFeatureCount() const;

  bool operator==(const SetSketch&) const = default;

 private:
  SetSketch() = default;
  [[nodiscard]] Status CheckComparable(const SetSketch& other) const;

  SetSketchKind kind_ = SetSketchKind::kBottomK;
  uint64_t parameter_ = 0;
  uint64_t seed_ = 0;
  std::string shingle_;
  std::vector<uint64_t> values_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_SET_SKETCH_H_
