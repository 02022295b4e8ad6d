// Sketches as values: made of a text, merged, compared, stored.
//
// A sketch stands for a set of features. It has K coordinates, and the probability over the hash
// functions that a given coordinate of two sketches is equal is the resemblance of their sets.
#ifndef LOOKALIKE_SKETCH_H_
#define LOOKALIKE_SKETCH_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lookalike/options.h"
#include "lookalike/status.h"

namespace lookalike {

/// How coordinates are made. All promise the same; docs/decisions/0012 has what the first three
/// cost and how far their estimates scatter, docs/format/sketch-kinds-v1.md how the others are
/// computed. The numbers are those of docs/format/sketch-v1.md: they never change, and 0 is none.
enum class SketchKind : uint8_t {
  kFss = 1,             ///< Fast similarity sketching: `fss`.
  kPermutations = 2,    ///< One hash function a coordinate: `permutations`.
  kOnePermutation = 3,  ///< Bins, and fresh hashes for empty ones: `one-permutation`.

  // One hash function a coordinate, of a family: `permutations:K:FAMILY`.
  kMixerPermutations = 4,            ///< A finaliser of 64 bits: `mixer`.
  kLinearPermutations = 5,           ///< Upper bits of a x + b mod 2^61 - 1: `linear`.
  kUniversalPermutations = 6,        ///< Lower bits of the same: `universal`.
  kMatrixPermutations = 7,           ///< A random matrix over GF(2): `matrix`.
  kTabulationPermutations = 8,       ///< Simple tabulation: `tabulation`.
  kMixedTabulationPermutations = 9,  ///< Mixed tabulation: `mixed-tabulation`.

  kLeadByte = 10,    ///< Leads of 8 bits, tails of 24 where they can matter: `lead-byte`.
  kLeadNibble = 11,  ///< Leads of 4 bits, tails of 28: `lead-byte:K:4`.

  /// Bins; empty ones take the value of another: `one-permutation:K:densified`. Does not merge.
  kDensifiedBins = 12,
  /// Bins; empty ones stay empty: `one-permutation:K:bins`. For no keys of candidates.
  kBins = 13,

  kGeometric = 14,  ///< The longest run of zeros in a string of random bits: `geometric`.
  kBiased = 15,     ///< A bit that is 0 once in 100, then as `geometric`: `biased`.

  /// Consistent weighted sampling: `weighted`. Other kinds take weights as numbers of units.
  kWeighted = 16,
};

/// The share of equal coordinates of two sketches: an unbiased estimate of the resemblance, but for
/// coordinates that are equal by accident, one in 2^26 at the most.
struct ResemblanceEstimate {
  double resemblance = 0;  ///< equal / coordinates; 0 where one side has no features.
  /// sqrt(J (1 - J) / coordinates) with (equal + 1/2) / (coordinates + 1) for J: that of
  /// independent coordinates. `fss` and `one-permutation` scatter less, by up to a third. Only 0
  /// where a side has no features.
  double standard_error = 0;
  /// How many were compared: of `one-permutation:K:bins` those that are not empty on both sides.
  uint32_t equal = 0, coordinates = 0;
};

/// How many distinct features a sketch stands for.
struct FeatureCountEstimate {
  double features = 0;        ///< Exactly 0 for a sketch of no features.
  double standard_error = 0;  ///< features / sqrt(coordinates - 2), or less.
};

class Sketch;

/// b bits of each coordinate of a sketch (b-bit minwise hashing, Li and Koenig 2010; with bins,
/// Broder 2012): K b bits instead of 32 K, for comparing only. A value.
class CompressedSketch {
 public:
  /// What ToBytes wrote (docs/format/sketch-v1.md); an Error as that of Sketch::FromBytes.
  static Result<CompressedSketch> FromBytes(std::string_view bytes);

  /// 36 bytes, the shingle's text and `bits` bits a coordinate; equal for equal values.
  [[nodiscard]] std::string ToBytes() const;

  /// The estimate that is unbiased: (m - K / 2^b) / (K (1 - 2^-b)) for m equal values of K. It is
  /// below 0 where fewer are equal than by chance; taking 0 instead would bias it (by .02 at
  /// resemblance 0 for 128 values of 2 bits). Standard error: sqrt(p (1 - p) / K) / (1 - 2^-b) with
  /// p = (m + 1/2) / (K + 1), which is about sqrt((1 - J) (J + 1/(2^b - 1)) / K). 0 where one side
  /// has no features. An Error where the two differ in kind, coordinates, bits, shingle or seed.
  [[nodiscard]] Result<ResemblanceEstimate> EstimateResemblance(
      const CompressedSketch& other) const;

  [[nodiscard]] SketchKind kind() const { return kind_; }
  /// Of the sketch it was made of: "fss:128".
  [[nodiscard]] std::string name() const;
  /// Bits of a value: 1, 2, 4, 8 or 16.
  [[nodiscard]] uint32_t bits() const { return bits_; }
  [[nodiscard]] const std::string& shingle() const { return shingle_; }
  [[nodiscard]] uint64_t seed() const { return seed_; }
  /// One for each coordinate, below 2^bits; all 0 in that of no features.
  [[nodiscard]] std::span<const uint16_t> values() const { return values_; }
  [[nodiscard]] bool empty() const { return empty_; }

  bool operator==(const CompressedSketch&) const = default;

 private:
  friend class Sketch;
  CompressedSketch() = default;

  SketchKind kind_ = SketchKind::kFss;
  uint32_t bits_ = 0;
  bool empty_ = false;
  uint64_t seed_ = 0;
  std::string shingle_;
  std::vector<uint16_t> values_;
};

/// The sketch of a set of features. A value: two that are equal stand for the same bits. Not safe
/// to change while another thread uses it.
class Sketch {
 public:
  /// Of one text. Heeds Options::sketch, shingle and seed. A text without words has a sketch
  /// without features. An Error where an option is not allowed or the text is too long (372 MiB).
  static Result<Sketch> OfText(std::string_view text, const Options& options);

  /// Of a set of features, such as Fingerprinter::Features gives, with repetitions and in any
  /// order. REQUIRES: they are spread over all 64 bits as hashes are; hash ids and counters first.
  static Result<Sketch> OfFeatures(std::span<const uint64_t> features, const Options& options);

  /// Of features with weights, none of them twice. Two such sketches estimate the sum of the lesser
  /// weights over that of the greater ones. `weighted` samples by the weights as they are; other
  /// kinds take each for the number of Options::weight_unit that it has, the rest with its
  /// probability (Haeupler, Manasse, Talwar 2014). An Error where there are not as many weights as
  /// features, or one is no number from 1e-100 to 1e100, or of more than 2^20 units.
  static Result<Sketch> OfWeighted(std::span<const uint64_t> features,
                                   std::span<const double> weights, const Options& options);

  /// Of coordinates that Fingerprinter::Run wrote with these options: one row of
  /// FingerprintColumns::sketches. An Error where they are not as many as the options say, or
  /// where one has a value that this kind of sketch never has.
  static Result<Sketch> OfCoordinates(std::span<const uint32_t> coordinates,
                                      const Options& options);

  /// What ToBytes wrote (docs/format/sketch-v1.md). Bytes that are anything else, cut off or
  /// changed give an Error that says what is wrong.
  static Result<Sketch> FromBytes(std::string_view bytes);

  /// 36 bytes, the shingle's text and 4 bytes a coordinate; equal for equal sketches.
  [[nodiscard]] std::string ToBytes() const;

  [[nodiscard]] SketchKind kind() const { return kind_; }
  /// Kind and number of coordinates, as Options::sketch has them: "fss:128",
  /// "permutations:128:mixer".
  [[nodiscard]] std::string name() const;
  /// What its features are: "word:5".
  [[nodiscard]] const std::string& shingle() const { return shingle_; }
  [[nodiscard]] uint64_t seed() const { return seed_; }
  /// Its values; valid until the sketch changes.
  [[nodiscard]] std::span<const uint32_t> coordinates() const { return coordinates_; }
  /// Whether it stands for no features at all.
  [[nodiscard]] bool empty() const;

  /// Makes this the sketch of the union of both sets, exactly as if it had been made of it: the
  /// least of each coordinate. An Error, and no change, where the two differ in kind, coordinates,
  /// shingle or seed, which it names, or are `one-permutation:K:densified`, which cannot be merged.
  Status Merge(const Sketch& other);

  /// Adds features to the set, as OfFeatures takes them: the result is the sketch of all. An Error,
  /// and no change, for `one-permutation:K:densified`, which cannot be merged.
  Status Add(std::span<const uint64_t> features);

  /// Estimates the resemblance of the two sets. An Error where the two differ as for Merge.
  [[nodiscard]] Result<ResemblanceEstimate> EstimateResemblance(const Sketch& other) const;

  /// Keeps 1, 2, 4, 8 or 16 bits of each coordinate. An Error for another number, and for
  /// `one-permutation:K:bins`, where they could not tell an empty bin.
  [[nodiscard]] Result<CompressedSketch> Compressed(uint32_t bits) const;

  /// Estimates how many distinct features the set has.
  [[nodiscard]] FeatureCountEstimate EstimateFeatureCount() const;

  bool operator==(const Sketch&) const = default;

 private:
  Sketch() = default;
  [[nodiscard]] Status CheckComparable(const Sketch& other) const;
  static Result<Sketch> Unfilled(const Options& options);
  void Fill(std::span<const uint64_t> features);
  void FillByWeight(std::span<const uint64_t> features, std::span<const double> weights);

  SketchKind kind_ = SketchKind::kFss;
  uint64_t seed_ = 0;
  std::string shingle_;
  std::vector<uint32_t> coordinates_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_SKETCH_H_
