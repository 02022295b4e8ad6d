// Weights of features as numbers of units: sets of units have the weighted resemblance.
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
  /// How words are written in the table and found in texts.
  using Fold = std::function<std::string(std::string_view)>;

  /// Lines "word, tab, weight"; the word * stands for all that are not listed, which otherwise
  /// weigh 1; empty lines and those that begin with # without a tab are none. An Error names the
  /// line of what is not understood, of a weight that is no number from 0 to `most`, and of a word
  /// that was there before with another weight.
  static Result<WeightTable> OfLines(std::string_view lines, const std::string& path,
                                     const Fold& fold, double most);

  /// The weight of a folded word.
  [[nodiscard]] double Of(std::string_view word) const;

  /// How many words are listed.
  [[nodiscard]] size_t size() const { return weights_.size(); }

 private:
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  std::unordered_map<std::string, double, Hash, std::equal_to<>> weights_;
  double others_ = 1;
};

/// Features as they stand for their weights.
struct WeighedStream {
  std::vector<uint64_t> units;  ///< In the order of the features; a feature's first unit is itself.
  std::vector<uint32_t> places;    ///< Of the feature that each unit is of.
  std::vector<uint64_t> features;  ///< The distinct ones, ascending.
  std::vector<double> weights;     ///< Theirs, in units.
};

/// How weights are counted.
struct UnitRule {
  double unit = 1;         ///< Weight of one unit; positive.
  bool each_time = false;  ///< A feature weighs as often as it is there; else once, its heaviest.
};

/// Turns each feature f of total weight w into units (f, 0), (f, 1), ...: (f, j) is there when
/// w / unit >= j + 1, and with the probability of the rest when w / unit is between j and j + 1,
/// decided by a hash of (f, j) (Haeupler, Manasse, Talwar 2014). Over sets of units the sum of
/// the lesser weights is in common and that of the greater in the union: exactly where weights are
/// whole units, and on average elsewhere. A feature without units is none; a later occurrence that
/// adds no unit repeats the first one. `weights`: one a feature, or none: 1 each.
void ExpandUnits(std::span<const uint64_t> features, std::span<const double> weights,
                 const UnitRule& rule, WeighedStream* stream);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_FEATURES_WEIGHTS_H_
