// Scatter of the share of equal coordinates around the resemblance, for each sketch and sets of few
// features: `bench_sketch_accuracy [TRIALS]`. Prints a tab-separated table; sd is divided by that
// of a binomial with as many coordinates, which is minhash's. bench/sketch_choice.py reads it.
#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <vector>

#include "stages/sketch/sketch.h"

namespace lookalike {
namespace {

constexpr uint32_t kCoordinates = 128;

struct Scatter {
  double bias = 0, bias_error = 0, sd_ratio = 0;
};

// Measures sets of `size` features, `common` of which are in both.
Scatter Measure(SketchKind kind, size_t size, size_t common, uint64_t trials) {
  const double j = static_cast<double>(common) / static_cast<double>(2 * size - common);
  std::mt19937_64 random(size * 1000 + common);
  Sketcher sketcher(SketchSpec{kCoordinates, kind});
  std::vector<uint64_t> features(2 * size - common);
  std::vector<uint32_t> first;
  double sum = 0, squares = 0;
  for (uint64_t trial = 0; trial < trials; ++trial) {
    for (uint64_t& feature : features) feature = random();
    const auto span = sketcher.Run({features.data(), size});
    first.assign(span.begin(), span.end());
    const auto second = sketcher.Run({features.data() + features.size() - size, size});
    double equal = 0;
    for (uint32_t c = 0; c < kCoordinates; ++c) equal += first[c] == second[c];
    const double error = equal / kCoordinates - j;
    sum += error, squares += error * error;
  }
  const auto n = static_cast<double>(trials);
  const double variance = squares / n - sum / n * sum / n;
  const double binomial = j * (1 - j) / kCoordinates;
  return {sum / n, std::sqrt(variance / n), std::sqrt(variance / binomial)};
}

void PrintAll(uint64_t trials) {
  fmt::print("sketch\tfeatures\tresemblance\tbias\tbias_error\tsd_ratio\n");
  for (const char* name : {"fss", "permutations", "one-permutation"}) {
    const SketchKind kind = ParseSketch(name)->kind;
    for (const size_t size : {5, 20, 60, 150, 700}) {
      for (const double wanted : {.5, .8}) {
        const auto common = std::lround(2 * static_cast<double>(size) * wanted / (1 + wanted));
        const auto both = static_cast<size_t>(common);
        const Scatter s = Measure(kind, size, both, trials);
        fmt::print("{}\t{}\t{:.4f}\t{:+.5f}\t{:.5f}\t{:.4f}\n", name, size,
                   static_cast<double>(both) / static_cast<double>(2 * size - both), s.bias,
                   s.bias_error, s.sd_ratio);
      }
    }
  }
}

}  // namespace
}  // namespace lookalike

int main(int argc, char** argv) {
  lookalike::PrintAll(argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 20000);
  return 0;
}
