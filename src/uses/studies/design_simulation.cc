#include "uses/studies/design_simulation.h"

#include <algorithm>
#include <cmath>

#include "stages/candidates/band_keys.h"

namespace lookalike {

DesignSimulation::DesignSimulation(const Design& design, const SketchSpec& spec, uint64_t seed)
    : design_(design), sketcher_(spec), random_(Mix64(seed) ^ kGolden) {}

bool DesignSimulation::Passes(const DrawnPair& pair) {
  features_.resize(pair.common + pair.alone_a + pair.alone_b);
  for (uint64_t& feature : features_) feature = random_.Next();
  const std::span<const uint64_t> all(features_);
  const auto a = all.first(pair.alone_a + pair.common), b = all.subspan(pair.alone_a);
  if (a.empty() || b.empty()) return false;
  const auto of_a = sketcher_.Run(a);
  sketch_a_.assign(of_a.begin(), of_a.end());
  return Meet(sketch_a_, sketcher_.Run(b));
}

double DesignSimulation::ShareAt(double resemblance, uint64_t features, uint64_t pairs) {
  // With c common features out of n and n, J = c / (2 n - c).
  const double exact = 2 * static_cast<double>(features) * resemblance / (1 + resemblance);
  const auto fewer = std::min(static_cast<uint64_t>(exact), features);
  const double more = exact - static_cast<double>(fewer);  // share of pairs with one more
  uint64_t passed = 0, with_more = 0;
  for (uint64_t i = 0; i < pairs; ++i) {
    const bool one_more = static_cast<double>(with_more) < more * static_cast<double>(i + 1) - 0.5;
    with_more += one_more ? 1 : 0;
    const uint64_t common = std::min(fewer + (one_more ? 1 : 0), features);
    passed += Passes({common, features - common, features - common}) ? 1 : 0;
  }
  return static_cast<double>(passed) / static_cast<double>(pairs);
}

bool DesignSimulation::Meet(std::span<const uint32_t> a, std::span<const uint32_t> b) {
  if (design_.kind == Design::Kind::kSketch) {
    uint32_t equal = 0;
    for (uint32_t i = 0; i < design_.coordinates; ++i) equal += a[i] == b[i] ? 1 : 0;
    return equal >= design_.tau;
  }
  keys_a_.resize(design_.keys);
  keys_b_.resize(design_.keys);
  MakeBandKeys(design_, a, keys_a_);
  MakeBandKeys(design_, b, keys_b_);
  for (uint32_t i = 0; i < design_.keys; ++i) {
    if (keys_a_[i] == keys_b_[i]) return true;
  }
  return false;
}

}  // namespace lookalike
