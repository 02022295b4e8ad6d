// Sketches as values: made from a text, merged, compared, stored.
//
// A sketch represents a set of features. It has K coordinates; the probability, over the hash
// functions, that a given coordinate of two sketches is equal is the resemblance of their sets.
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

/// The ways to compute coordinates. All give the same guarantee; docs/decisions/0012 compares the
/// cost and the scatter of the first three, docs/format/sketch-kinds-v1.md defines the others. The
/// numbers are part of docs/format/sketch-v1.md: they never change, and 0 is not used.
enum class SketchKind : uint8_t {
  kFss = 1,             ///< Fast similarity sketching: `fss`.
  kPermutations = 2,    ///< One hash function per coordinate: `permutations`.
  kOnePermutation = 3,  ///< Bins; an empty bin takes a fresh hash: `one-permutation`.

  // One hash function per coordinate, from a family: `permutations:K:FAMILY`.
  kMixerPermutations = 4,            ///< A 64-bit finaliser: `mixer`.
  kLinearPermutations = 5,           ///< Upper bits of a x + b mod 2^61 - 1: `linear`.
  kUniversalPermutations = 6,        ///< Lower bits of the same: `universal`.
  kMatrixPermutations = 7,           ///< A random matrix over GF(2): `matrix`.
  kTabulationPermutations = 8,       ///< Simple tabulation: `tabulation`.
  kMixedTabulationPermutations = 9,  ///< Mixed tabulation: `mixed-tabulation`.

  kLeadByte = 10,    ///< 8-bit leads, 24-bit tails where they can matter: `lead-byte`.
  kLeadNibble = 11,  ///< 4-bit leads, 28-bit tails: `lead-byte:K:4`.

  /// Bins; an empty bin takes the value of another: `one-permutation:K:densified`. Cannot be
  /// merged.
  kDensifiedBins = 12,
  /// Bins; an empty bin stays empty: `one-permutation:K:bins`. Cannot make keys for candidates.
  kBins = 13,

  kGeometric = 14,  ///< The longest run of zeros in a string of random bits: `geometric`.
  kBiased = 15,     ///< A bit that is 0 once in 100, then like `geometric`: `biased`.

  /// Consistent weighted sampling: `weighted`. Other kinds turn weights into numbers of units.
  kWeighted = 16,
};

/// The share of equal coordinates of two sketches: an unbiased estimate of the resemblance, except
/// for coordinates that are equal by chance, at most one in 2^26.
struct ResemblanceEstimate {
  double resemblance = 0;  ///< equal / coordinates; 0 if either side has no features.
  /// sqrt(J (1 - J) / coordinates) with (equal + 1/2) / (coordinates + 1) for J, as for independent
  /// coordinates. `fss` and `one-permutation` scatter less, by up to a third. 0 only if a side has
  /// no features.
  double standard_error = 0;
  /// The number of equal coordinates, and the number of compared coordinates: for
  /// `one-permutation:K:bins`, bins that are empty on both sides are not compared.
  uint32_t equal = 0, coordinates = 0;
};

/// An estimate of how many distinct features a sketch represents.
struct FeatureCountEstimate {
  double features = 0;        ///< Exactly 0 for a sketch without features.
  double standard_error = 0;  ///< features / sqrt(coordinates - 2), or less.
};

class Sketch;

/// A sketch reduced to b bits per coordinate (b-bit minwise hashing, Li and Koenig 2010; with bins,
/// Broder 2012): K b bits instead of 32 K, for comparison only. A value type.
class CompressedSketch {
 public:
  /// Reads what ToBytes wrote (docs/format/sketch-v1.md); errors are as for Sketch::FromBytes.
  static Result<CompressedSketch> FromBytes(std::string_view bytes);

  /// Returns 36 bytes, the shingle's text and `bits` bits per coordinate; equal for equal values.
  [[nodiscard]] std::string ToBytes() const;

  /// Returns the unbiased estimate (m - K / 2^b) / (K (1 - 2^-b)) for m equal values out of K. It
  /// is below 0 if fewer are equal than expected by chance; taking 0 instead would bias it (by .02
  /// at resemblance 0 for 128 values of 2 bits). Standard error: sqrt(p (1 - p) / K) / (1 - 2^-b)
  /// with p = (m + 1/2) / (K + 1), which is about sqrt((1 - J) (J + 1/(2^b - 1)) / K). 0 if either
  /// side has no features. Returns an Error if the two differ in kind, coordinates, bits, shingle
  /// or seed.
  [[nodiscard]] Result<ResemblanceEstimate> EstimateResemblance(
      const CompressedSketch& other) const;

  [[nodiscard]] SketchKind kind() const { return kind_; }
  /// Returns the name of the sketch it was made from: "fss:128".
  [[nodiscard]] std::string name() const;
  /// Returns the bits per value: 1, 2, 4, 8 or 16.
  [[nodiscard]] uint32_t bits() const { return bits_; }
  [[nodiscard]] const std::string& shingle() const { return shingle_; }
  [[nodiscard]] uint64_t seed() const { return seed_; }
  /// Returns one value per coordinate, below 2^bits; all 0 if there are no features.
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

/// The sketch of a set of features. A value type: equal sketches have equal bits. Not safe to
/// change while another thread uses it.
class Sketch {
 public:
  /// Makes the sketch of one text. Uses Options::sketch, shingle and seed. A text without words has
  /// a sketch without features. Returns an Error if an option is not allowed or the text is too
  /// long (372 MiB).
  static Result<Sketch> OfText(std::string_view text, const Options& options);

  /// Makes the sketch of a set of features, such as Fingerprinter::Features returns; repetitions
  /// and any order are allowed. REQUIRES: features are spread over all 64 bits like hashes; hash
  /// ids and counters first.
  static Result<Sketch> OfFeatures(std::span<const uint64_t> features, const Options& options);

  /// Makes the sketch of weighted features, each given once. Two such sketches estimate the
  /// weighted resemblance: the sum of the smaller weights divided by the sum of the larger weights.
  /// `weighted` samples by the weights as they are; other kinds round each weight to whole
  /// multiples of Options::weight_unit, rounding up with a probability equal to the remainder
  /// (Haeupler, Manasse, Talwar 2014). Returns an Error if the numbers of weights and features
  /// differ, or a weight is not a number from 1e-100 to 1e100 or has more than 2^20 units.
  static Result<Sketch> OfWeighted(std::span<const uint64_t> features,
                                   std::span<const double> weights, const Options& options);

  /// Makes the sketch from coordinates that Fingerprinter::Run wrote with these options: one row of
  /// FingerprintColumns::sketches. Returns an Error if there are more or fewer than the options ask
  /// for, or if a coordinate has a value that this kind of sketch never has.
  static Result<Sketch> OfCoordinates(std::span<const uint32_t> coordinates,
                                      const Options& options);

  /// Reads what ToBytes wrote (docs/format/sketch-v1.md). Any other bytes, or bytes that were cut
  /// off or changed, give an Error that says what is wrong.
  static Result<Sketch> FromBytes(std::string_view bytes);

  /// Returns 36 bytes, the shingle's text and 4 bytes per coordinate; equal for equal sketches.
  [[nodiscard]] std::string ToBytes() const;

  [[nodiscard]] SketchKind kind() const { return kind_; }
  /// Returns the kind and the number of coordinates, written as in Options::sketch: "fss:128",
  /// "permutations:128:mixer".
  [[nodiscard]] std::string name() const;
  /// Returns the definition of its features: "word:5".
  [[nodiscard]] const std::string& shingle() const { return shingle_; }
  [[nodiscard]] uint64_t seed() const { return seed_; }
  /// Returns its values; valid until the sketch changes.
  [[nodiscard]] std::span<const uint32_t> coordinates() const { return coordinates_; }
  /// True if it represents no features at all.
  [[nodiscard]] bool empty() const;

  /// Makes this the sketch of the union of both sets, exactly as if it had been made from the
  /// union: the minimum of each coordinate. Returns an Error and changes nothing if the two differ
  /// in kind, coordinates, shingle or seed, which the Error names, or are
  /// `one-permutation:K:densified`, which cannot be merged.
  Status Merge(const Sketch& other);

  /// Adds features to the set, as OfFeatures takes them: the result is the sketch of all of them.
  /// Returns an Error and changes nothing for `one-permutation:K:densified`, which cannot be
  /// merged.
  Status Add(std::span<const uint64_t> features);

  /// Estimates the resemblance of the two sets. Returns an Error if the two differ as for Merge.
  [[nodiscard]] Result<ResemblanceEstimate> EstimateResemblance(const Sketch& other) const;

  /// Keeps 1, 2, 4, 8 or 16 bits of each coordinate. Returns an Error for another number, and for
  /// `one-permutation:K:bins`, where an empty bin would no longer be recognisable.
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
