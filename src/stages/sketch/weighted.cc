#include "stages/sketch/weighted.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <memory>

#include "kernels/portable_math.h"
#include "stages/sketch/random_words.h"

namespace lookalike {

namespace {

struct Weight {
  double value, log;
};

Weight WeightOf(const WeightedFeatures& features, size_t i) {
  if (features.weights.empty()) return {1, 0};
  const double value = std::clamp(features.weights[i], kLeastWeight, kGreatestWeight);
  return {value, PortableLog(value)};
}

/// Returns a number between 0 and 1.
double NextUniform(RandomWords* words) {
  return (static_cast<double>(words->Next() >> 11) + 0.5) * 0x1p-53;
}

/// Returns a product of two uniform numbers; its logarithm, negated, has the gamma distribution
/// with shape 2.
double NextProduct(RandomWords* words) {
  const double first = NextUniform(words);
  return first * NextUniform(words);
}

/// Returns the value of a feature if it is below `least`; otherwise any value that is not below
/// `least`.
double DrawBelow(double least, uint64_t feature, uint64_t word, const Weight& weight) {
  RandomWords words(Mix64(feature ^ word));
  const double p = NextProduct(&words), q = NextProduct(&words);
  // c is at least 1 - p, and z at most w e^r = w / q, up to rounding. Most features need no
  // logarithm.
  constexpr double kRounded = 1 + 1e-9;
  if ((1 - p) * q >= least * weight.value * kRounded) return least;
  const double c = -PortableLog(p), r = -PortableLog(q);
  const double beta = NextUniform(&words);
  const double step = std::floor(weight.log / r + beta);
  return c * PortableExp(r * (beta - step - 1));  // c / z, ln z = r (step - beta + 1)
}

struct Least {
  double value = std::numeric_limits<double>::infinity();
  size_t feature = 0;
};

Least FindLeast(const WeightedFeatures& features, std::span<const Weight> weights, uint64_t word) {
  Least least;
  for (size_t i = 0; i < features.features.size(); ++i) {
    const double value = DrawBelow(least.value, features.features[i], word, weights[i]);
    if (value < least.value) least = {value, i};
  }
  return least;
}

std::vector<Weight> WeightsOf(const WeightedFeatures& features) {
  std::vector<Weight> weights(features.features.size());
  for (size_t i = 0; i < weights.size(); ++i) weights[i] = WeightOf(features, i);
  return weights;
}

}  // namespace

ConsistentSampling::ConsistentSampling(uint32_t coordinates) : words_(coordinates) {
  for (uint32_t b = 0; b < coordinates; ++b) {
    words_[b] = RandomWords(SketchKind::kWeighted, b).Next();
  }
}

void ConsistentSampling::Run(const WeightedFeatures& features, std::span<uint32_t> out) const {
  const std::vector<Weight> weights = WeightsOf(features);
  for (size_t b = 0; b < out.size(); ++b) {
    const double least = FindLeast(features, weights, words_[b]).value;
    out[b] = static_cast<uint32_t>(std::bit_cast<uint64_t>(least) >> 32);
  }
}

size_t ConsistentSampling::Choose(const WeightedFeatures& features, uint32_t coordinate) const {
  return FindLeast(features, WeightsOf(features), words_[coordinate]).feature;
}

WeightedSketchFunction MakeWeighted(uint32_t coordinates) {
  return [sampling = std::make_shared<const ConsistentSampling>(coordinates)](
             const WeightedFeatures& features, std::span<uint32_t> out) {
    sampling->Run(features, out);
  };
}

}  // namespace lookalike
