// Weights of features as numbers of units: the resemblance of sets of units is the weighted
// resemblance of the features.
//
// Bags are the case in which each occurrence weighs 1.
#ifndef LOOKALIKE_STAGES_FEATURES_WEIGHTS_H_
#define LOOKALIKE_STAGES_FEATURES_WEIGHTS_H_

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "lookalike/status.h"

namespace lookalike {

/// A table of weights: what each word (or other unit of a shingle) weighs. Immutable.
class WeightTable {
 public:
  /// Folds a word. The words of the table and the words of texts need the same function.
  using Fold = std::function<std::string(std::string_view)>;

  /// Reads lines "word, tab, weight". The word * gives the weight of all unlisted words, which is 1
  /// otherwise. Empty lines, and lines that begin with # and have no tab, are skipped. Returns an
  /// Error that names the line if a line is malformed, its weight is not a number from 0 to `most`,
  /// or its word was listed before with another weight.
  static Result<WeightTable> OfLines(std::string_view lines, const std::string& path,
                                     const Fold& fold, double most);

  /// Returns the weight of a folded word.
  [[nodiscard]] double Of(std::string_view word) const;

  /// Returns the number of listed words.
  [[nodiscard]] size_t size() const { return weights_.size(); }

 private:
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  std::unordered_map<std::string, double, Hash, std::equal_to<>> weights_;
  double others_ = 1;
};

/// A feature stream expanded into units by weight.
struct WeighedStream {
  std::vector<uint64_t> units;     ///< In the order of the features; its first unit is the feature
                                   ///< itself.
  std::vector<uint32_t> places;    ///< Position of the feature behind each unit.
  std::vector<uint64_t> features;  ///< The distinct features, ascending.
  std::vector<double> weights;     ///< Their weights, in units.
};

/// A rule for counting weights in units.
struct UnitRule {
  double unit = 1;         ///< Weight of one unit; positive.
  bool each_time = false;  ///< Sums the weights of a feature's occurrences; else takes the largest.
};

/// Turns each feature f of total weight w into units (f, 0), (f, 1), ...: unit (f, j) is included
/// if w / unit >= j + 1, and with probability w / unit - j if that lies between 0 and 1, decided by
/// a hash of (f, j) (Haeupler, Manasse, Talwar 2014). So two sets of units have the sum of the
/// lesser weights in common, and the sum of the greater weights in their union: exactly for weights
/// that are whole units, on average for others. A feature without units is dropped; a later
/// occurrence that adds no unit repeats the first unit. `weights`: one per feature, or empty: 1
/// each.
void ExpandUnits(std::span<const uint64_t> features, std::span<const double> weights,
                 const UnitRule& rule, WeighedStream* stream);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_FEATURES_WEIGHTS_H_
