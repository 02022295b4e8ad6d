// Set sketches as values: samples of a set of features, made of a text, merged, compared, stored.
//
// Unlike the coordinates of a Sketch they make no band keys; they estimate containment and sizes as
// well as resemblance, and some grow with the text.
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

/// Which features are in the sample, by a random order of all features. The numbers are those of
/// docs/format/sketch-v1.md: they never change, and 0 is none.
enum class SetSketchKind : uint8_t {
  kBottomK = 129,      ///< The K least (Broder 1997): `bottom-k:K`.
  kModM = 130,         ///< Those whose number is 0 modulo M (Broder 1997): `mod-m:M`.
  kFracMinHash = 131,  ///< Those in the first of S parts (Irber et al. 2022): `fracminhash:S`.
};

/// An estimate from a sample.
struct SampleEstimate {
  double value = 0;
  /// Of the sample as drawn without replacement from a union whose size is estimated too; where the
  /// sample is the whole set it is 0 and the value exact.
  double standard_error = 0;
  uint64_t common = 0, seen = 0;  ///< Features of the sample, and of these in both sets.
};

/// A sample of a set of features. A value: two that are equal stand for the same bits.
class SetSketch {
 public:
  /// Of one text. Heeds Options::sketch ("bottom-k:128") and what decides features. An Error where
  /// an option is not allowed or the text is too long.
  static Result<SetSketch> OfText(std::string_view text, const Options& options);

  /// Of a set of features, with repetitions and in any order.
  static Result<SetSketch> OfFeatures(std::span<const uint64_t> features, const Options& options);

  /// What ToBytes wrote (docs/format/sketch-v1.md); an Error says what is wrong with other bytes.
  static Result<SetSketch> FromBytes(std::string_view bytes);

  /// 36 bytes, the text of its features and 8 bytes a value; equal for equal sketches.
  [[nodiscard]] std::string ToBytes() const;

  [[nodiscard]] SetSketchKind kind() const { return kind_; }
  /// Kind and parameter, as Options::sketch has them: "bottom-k:128".
  [[nodiscard]] std::string name() const;
  /// What its features are: "word:5".
  [[nodiscard]] const std::string& shingle() const { return shingle_; }
  [[nodiscard]] uint64_t seed() const { return seed_; }
  /// The places of the sampled features in the order of all, ascending.
  [[nodiscard]] std::span<const uint64_t> values() const { return values_; }

  /// Makes this the sketch of the union of both sets, exactly as if it had been made of it. An
  /// Error, and no change, where the two differ in kind, parameter, features or seed.
  Status Merge(const SetSketch& other);

  /// Adds features to the set, with repetitions and in any order.
  Status Add(std::span<const uint64_t> features);

  /// Estimates |A ∩ B| / |A ∪ B|; 0 where the sample of the union is empty, with the error 1.
  [[nodiscard]] Result<SampleEstimate> EstimateResemblance(const SetSketch& other) const;

  /// Estimates |A ∩ B| / |A|, A being this one.
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
