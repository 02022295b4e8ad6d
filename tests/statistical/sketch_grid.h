// Bias and variance of every kind of sketch over sizes of sets, numbers of coordinates and kinds of
// input: measured here, judged by sketch_grid_test.cc, drawn by bench/sketch_page.py.
#ifndef LOOKALIKE_TESTS_STATISTICAL_SKETCH_GRID_H_
#define LOOKALIKE_TESTS_STATISTICAL_SKETCH_GRID_H_

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "measures/binomial.h"
#include "stages/sketch/set_sketch.h"
#include "stages/sketch/sketch.h"
#include "stages/sketch/sketch_kinds.h"
#include "statistical/sketch_pairs.h"

namespace lookalike {

/// Two sets of `n` features, with about a third or four fifths of all features in both.
struct GridShape {
  size_t n;

  [[nodiscard]] size_t only(bool alike) const { return alike ? (n + 8) / 9 : n / 2; }
  [[nodiscard]] size_t all(bool alike) const { return n + only(alike); }
  [[nodiscard]] double Resemblance(bool alike) const {
    return static_cast<double>(n - only(alike)) / static_cast<double>(all(alike));
  }
};

/// One measurement. `variance`: the mean square error in units of J (1 - J) / K for coordinates,
/// and of its theoretical value for samples.
struct GridCell {
  std::string sketch;
  Source source = Source::kRandom;
  size_t n = 0;
  double j = 0;
  bool alike = false;
  double trials = 0, bias = 0, bias_error = 0, variance = 0, variance_error = 0;
};

/// A table of errors of estimates. The errors in a row come from the same pair of sets, the errors
/// in a column from the same hash functions.
class ErrorTable {
 public:
  explicit ErrorTable(size_t columns) : columns_(columns) {}
  void Add(double error) { errors_.push_back(error); }

  /// Fills in the figures of a cell whose estimates have this variance in theory. Estimates are
  /// assumed to be independent; with `by_cluster`, rows and columns are taken as clusters that need
  /// not be independent, and the greater of both standard errors is used.
  void Summarize(double theory, bool by_cluster, GridCell* cell) const {
    std::vector<double> squares(errors_.size());
    for (size_t i = 0; i < errors_.size(); ++i) squares[i] = errors_[i] * errors_[i] / theory;
    const auto [bias, bias_error] = MeanOf(errors_, by_cluster);
    const auto [variance, variance_error] = MeanOf(squares, by_cluster);
    cell->trials = static_cast<double>(errors_.size());
    // The spread of few estimates is itself uncertain: the theoretical one is used if it is
    // greater.
    const double of_theory = errors_.size() < 200 ? std::sqrt(theory / cell->trials) : 0;
    cell->bias = bias, cell->bias_error = std::max(bias_error, of_theory);
    cell->variance = variance, cell->variance_error = variance_error;
  }

 private:
  using Estimate = std::pair<double, double>;

  static Estimate PlainMean(std::span<const double> values) {
    double sum = 0, squares = 0;
    for (const double value : values) sum += value, squares += value * value;
    const auto count = static_cast<double>(values.size());
    const double mean = sum / count;
    const double spread = std::max(0., squares / count - mean * mean);
    return {mean, std::sqrt(spread / std::max(1., count - 1))};
  }

  [[nodiscard]] Estimate MeanOf(std::span<const double> values, bool by_cluster) const {
    if (!by_cluster) return PlainMean(values);
    const size_t rows = values.size() / columns_;
    std::vector<double> of_row(rows, 0), of_column(columns_, 0);
    for (size_t i = 0; i < values.size(); ++i) {
      of_row[i / columns_] += values[i] / static_cast<double>(columns_);
      of_column[i % columns_] += values[i] / static_cast<double>(rows);
    }
    const Estimate by_row = PlainMean(of_row), by_column = PlainMean(of_column);
    return {by_row.first, std::max(by_row.second, by_column.second)};
  }

  size_t columns_;
  std::vector<double> errors_;
};

/// Makes the sketches of both sets, for either resemblance, from sketches of the parts that they
/// share. Other tests check that merging gives the sketch of the union; sketches that cannot be
/// merged are made from the whole sets.
class PairSketcher {
 public:
  PairSketcher(const SketchSpec& spec, const GridShape& shape)
      : sketcher_(spec), spec_(spec), shape_(shape) {}

  /// Returns the sketches of a, b, and the b that is more like a. The features are from a
  /// PairMaker.
  std::array<std::vector<uint32_t>, 3> Run(const std::vector<uint64_t>& a,
                                           const std::vector<uint64_t>& b) {
    const size_t only = shape_.only(false), less = shape_.only(true);
    const size_t common = shape_.n - only;
    const auto part = [&](const std::vector<uint64_t>& set, size_t first, size_t last) {
      return std::span(set).subspan(first, last - first);
    };
    const auto both = part(a, 0, common), a1 = part(a, common, shape_.n - less),
               a2 = part(a, shape_.n - less, shape_.n), b1 = part(b, common, common + less),
               b2 = part(b, common + less, shape_.n);
    if (IsMergeable(spec_.kind)) {
      const auto s = Sketch(both), x = Sketch(a1), y = Sketch(b1);
      return {Union({s, x, Sketch(a2)}), Union({s, y, Sketch(b2)}), Union({s, x, y})};
    }
    std::vector<uint64_t> alike(a.begin(), a.end() - static_cast<ptrdiff_t>(less));
    alike.insert(alike.end(), b1.begin(), b1.end());
    return {Sketch(a), Sketch(b), Sketch(alike)};
  }

 private:
  std::vector<uint32_t> Sketch(std::span<const uint64_t> features) {
    if (features.empty()) return std::vector<uint32_t>(spec_.coordinates, UINT32_MAX);
    const auto made = sketcher_.Run(features);
    return {made.begin(), made.end()};
  }

  static std::vector<uint32_t> Union(std::array<std::vector<uint32_t>, 3> parts) {
    MergeSketch(parts[1], parts[0]);
    MergeSketch(parts[2], parts[0]);
    return parts[0];
  }

  Sketcher sketcher_;
  SketchSpec spec_;
  GridShape shape_;
};

/// Returns the estimate from coordinates first .. last - 1: the share of equal coordinates among
/// those that are not empty on both sides.
inline double EstimateOf(Row a, Row b, size_t first, size_t last, bool may_be_empty) {
  double equal = 0, none = 0;
  for (size_t c = first; c < last; ++c) {
    const bool empty = may_be_empty && a[c] == kEmptyBin && b[c] == kEmptyBin;
    none += empty;
    equal += a[c] == b[c] && !empty;
  }
  return equal / (static_cast<double>(last - first) - none);
}

/// True if a sketch of fewer coordinates has the same functions as the first coordinates of a
/// longer sketch, so that one sketch of 1024 coordinates gives 64 sketches of 16.
inline bool HasGroups(SketchKind kind) {
  const CoordinateScale scale = RowOf(kind).scale;
  return scale != CoordinateScale::kRounds && scale != CoordinateScale::kBins;
}

/// True if the hash functions see the features' structure unchanged.
inline bool IsRaw(Source source) {
  return source == Source::kConsecutive || source == Source::kGrid;
}

inline constexpr uint32_t kGridCoordinates[] = {16, 64, 256, 1024};

/// Measures a kind with all numbers of coordinates (`made` is the number in the sketches that are
/// made: 1024, cut into groups, or the only one).
inline std::vector<GridCell> MeasureCoordinates(SketchKind kind, uint32_t made, Source source,
                                                size_t n, uint64_t trials) {
  const GridShape shape{n};
  PairMaker pairs(source, n - shape.only(false), shape.only(false), 977 * made + n);
  PairSketcher sketcher({made, kind}, shape);
  std::vector<uint32_t> sizes = {made};
  if (HasGroups(kind)) sizes.assign(std::begin(kGridCoordinates), std::end(kGridCoordinates));
  std::map<std::pair<uint32_t, bool>, ErrorTable> tables;
  std::vector<uint64_t> a, b;
  for (uint64_t trial = 0; trial < trials; ++trial) {
    pairs.Draw(&a, &b);
    const auto sketches = sketcher.Run(a, b);
    for (const bool alike : {false, true}) {
      for (const uint32_t k : sizes) {
        auto& table = tables.try_emplace({k, alike}, ErrorTable(made / k)).first->second;
        for (uint32_t begin = 0; begin < made; begin += k) {
          table.Add(EstimateOf(sketches[0], sketches[alike ? 2 : 1], begin, begin + k,
                               kind == SketchKind::kBins) -
                    shape.Resemblance(alike));
        }
      }
    }
  }
  std::vector<GridCell> cells;
  for (const auto& [key, table] : tables) {
    const double j = shape.Resemblance(key.second);
    cells.push_back({ToString(SketchSpec{key.first, kind}), source, n, j, key.second});
    table.Summarize(j * (1 - j) / key.first, IsRaw(source), &cells.back());
  }
  return cells;
}

/// Returns the mean of 1 / (bins that are not empty) for `features` features, at least one.
inline double MeanOfInverseFilled(uint32_t bins, size_t features) {
  const auto k = static_cast<double>(bins);
  if (features > size_t{12} * bins) {  // hardly ever is one empty, let alone two
    const double empty = k * std::pow(1 - 1 / k, static_cast<double>(features));
    return (1 + empty / k) / k;
  }
  std::vector<double> filled(bins + 1, 0.);
  filled[0] = 1;
  for (size_t f = 0; f < features; ++f) {
    for (uint32_t i = bins; i > 0; --i) {
      filled[i] = filled[i] * i / k + filled[i - 1] * (k - i + 1) / k;
    }
    filled[0] = 0;
  }
  double mean = 0;
  for (uint32_t i = 1; i <= bins; ++i) mean += filled[i] / i;
  return mean;
}

/// Returns the variance of the estimate by bins that are not empty on both sides, in units of J (1
/// - J) / K (Li, Owen, Zhang 2012): it uses as many features of the union as bins are filled.
inline double VarianceOfBins(uint32_t bins, size_t features_of_union) {
  const auto f = static_cast<double>(features_of_union);
  return bins * (MeanOfInverseFilled(bins, features_of_union) * (1 + 1 / (f - 1)) - 1 / (f - 1));
}

/// Returns the variance of a sample's estimate if the sample is not empty; 0 if it nearly always is
/// empty, or is all of both sets.
inline double VarianceOfSample(const SetSketchSpec& spec, const GridShape& shape, bool alike) {
  const double j = shape.Resemblance(alike);
  const auto u = static_cast<double>(shape.all(alike));
  const auto without_replacement = [&](double drawn) {
    return j * (1 - j) / drawn * (u - drawn) / (u - 1);
  };
  if (spec.kind == SetSketchKind::kBottomK) {
    return shape.n < spec.parameter ? 0 : without_replacement(static_cast<double>(spec.parameter));
  }
  const auto drawn =
      Binomial(static_cast<uint32_t>(shape.all(alike)), 1 / static_cast<double>(spec.parameter));
  if (drawn[0] > .9) return 0;
  double mean = 0;
  for (size_t i = 1; i < drawn.size(); ++i) {
    mean += drawn[i] * without_replacement(static_cast<double>(i));
  }
  return mean / (1 - drawn[0]);
}

/// Measures a sample, with `variance` in units of theory. Returns no cells if the sample is all of
/// the sets, or nearly always empty.
inline std::vector<GridCell> MeasureSample(const SetSketchSpec& spec, Source source, size_t n,
                                           uint64_t trials) {
  std::vector<GridCell> cells;
  for (const bool alike : {false, true}) {
    const GridShape shape{n};
    const double j = shape.Resemblance(alike);
    const double theory = VarianceOfSample(spec, shape, alike);
    if (theory <= 0) continue;
    PairMaker pairs(source, n - shape.only(alike), shape.only(alike), spec.parameter + n);
    ErrorTable table(1);
    std::vector<uint64_t> a, b;
    for (uint64_t trial = 0; trial < trials; ++trial) {
      pairs.Draw(&a, &b);
      const auto look = Look(spec, SampleFeatures(spec, a), SampleFeatures(spec, b));
      if (look.seen == 0) continue;
      table.Add(static_cast<double>(look.common) / static_cast<double>(look.seen) - j);
    }
    cells.push_back({ToString(spec), source, n, j, alike});
    table.Summarize(theory, false, &cells.back());
  }
  return cells;
}

}  // namespace lookalike

#endif  // LOOKALIKE_TESTS_STATISTICAL_SKETCH_GRID_H_
