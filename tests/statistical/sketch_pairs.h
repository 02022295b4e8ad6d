// Pairs of sets of known resemblance, and the errors of a sketch's estimates of it.
#ifndef LOOKALIKE_TESTS_STATISTICAL_SKETCH_PAIRS_H_
#define LOOKALIKE_TESTS_STATISTICAL_SKETCH_PAIRS_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <random>
#include <span>
#include <vector>

#include "kernels/kernels.h"
#include "kernels/splitmix.h"
#include "stages/sketch/sketch.h"

namespace lookalike {

enum class Source {
  kRandom,       // 64 random bits
  kStructured,   // hashes of consecutive integers, like shingles of numbered words
  kConsecutive,  // consecutive integers as they are
  kGrid,         // points of a square grid, one coordinate in each half
  kHashedGrid,   // the same, mixed (hashing windows alone does not suffice: bias .01 at 20 points)
};

/// A source of pairs of sets with `common` features in both and `only` in each one alone.
class PairMaker {
 public:
  PairMaker(Source source, size_t common, size_t only, uint64_t seed)
      : source_(source), common_(common), only_(only), random_(seed) {}

  void Draw(std::vector<uint64_t>* a, std::vector<uint64_t>* b) {
    const std::vector<uint64_t> all = Features(common_ + 2 * only_);
    const auto begin = all.begin();
    const auto first = begin + static_cast<ptrdiff_t>(common_);
    const auto second = first + static_cast<ptrdiff_t>(only_);
    a->assign(begin, second);
    b->assign(begin, first);
    b->insert(b->end(), second, all.end());
  }

 private:
  std::vector<uint64_t> Features(size_t count) {
    std::vector<uint64_t> features(count + 8);
    const uint64_t begin = random_() >> 34;
    switch (source_) {
      case Source::kRandom:
        for (uint64_t& feature : features) feature = random_();
        break;
      case Source::kStructured:
        HashWindows(Numbers(count).data(), count, 1, 0, features.data());
        break;
      case Source::kConsecutive:
        for (size_t i = 0; i < count; ++i) features[i] = begin + i;
        break;
      case Source::kGrid:
        features = GridPoints(begin, count);
        break;
      case Source::kHashedGrid:
        features = GridPoints(begin, count);
        for (uint64_t& feature : features) feature = Mix64(feature + kGolden);
        break;
    }
    features.resize(count);
    return features;
  }

  static std::vector<uint64_t> GridPoints(uint64_t begin, size_t count) {
    const auto side = static_cast<uint64_t>(std::ceil(std::sqrt(static_cast<double>(count))));
    std::vector<uint64_t> points(count);
    for (size_t i = 0; i < count; ++i) points[i] = (begin + i / side) << 32 | (i % side);
    return points;
  }

  std::vector<uint64_t> Numbers(size_t count) {
    std::vector<uint64_t> units(count);
    for (uint64_t& unit : units) unit = next_++;
    return units;
  }

  Source source_;
  size_t common_, only_;
  std::mt19937_64 random_;
  uint64_t next_ = 1'000'000;
};

struct Measured {
  double trials = 0, bias = 0, bias_error = 0, mse = 0, mse_error = 0;
};

/// Returns the means of some errors and of their squares, each with its standard error.
inline Measured Summarize(std::span<const double> errors) {
  double sum = 0, squares = 0, fourths = 0;
  for (const double error : errors) {
    sum += error, squares += error * error, fourths += error * error * error * error;
  }
  const auto n = static_cast<double>(errors.size());
  Measured measured;
  measured.trials = n;
  measured.bias = sum / n;
  measured.mse = squares / n;
  measured.bias_error = std::sqrt(measured.mse / n);
  measured.mse_error = std::sqrt(std::max(0.0, fourths / n - measured.mse * measured.mse) / n);
  return measured;
}

using Row = std::span<const uint32_t>;

/// Measures the error of the share of equal coordinates against the resemblance j, over independent
/// pairs.
inline Measured Measure(PairMaker* pairs, const SketchSpec& spec, double j, uint64_t trials) {
  Sketcher sketcher(spec);
  std::vector<uint64_t> a, b;
  std::vector<double> errors;
  for (uint64_t trial = 0; trial < trials; ++trial) {
    pairs->Draw(&a, &b);
    const Row row = sketcher.Run(a);
    const std::vector<uint32_t> of_a(row.begin(), row.end());
    const Row of_b = sketcher.Run(b);
    double equal = 0;
    for (uint32_t c = 0; c < spec.coordinates; ++c) equal += of_a[c] == of_b[c];
    errors.push_back(equal / spec.coordinates - j);
  }
  return Summarize(errors);
}

}  // namespace lookalike

#endif  // LOOKALIKE_TESTS_STATISTICAL_SKETCH_PAIRS_H_
