#include "plan/curve.h"

#include <algorithm>

#include "measures/binomial.h"

namespace lookalike {
namespace {

constexpr int kSteps = 1000;
constexpr int kIntervals = 512;  // even

template <class Function>
double Integral(double from, double to, Function&& f) {
  const double step = (to - from) / kIntervals;
  double sum = f(from) + f(to);
  for (int i = 1; i < kIntervals; ++i) sum += (i % 2 == 1 ? 4 : 2) * f(from + i * step);
  return sum * step / 3;
}

}  // namespace

double CurveWidth(const Design& design) {
  return ResemblanceAt(design, .99) - ResemblanceAt(design, .01);
}

std::pair<double, double> SteepestRise(const Design& design) {
  std::pair<double, double> steepest = {0, 0};
  for (int i = 0; i <= kSteps; ++i) {
    const double low = std::max(0.0, (i - .5) / kSteps), high = std::min(1.0, (i + .5) / kSteps);
    const double slope = (Acceptance(design, high) - Acceptance(design, low)) / (high - low);
    if (slope > steepest.second) steepest = {static_cast<double>(i) / kSteps, slope};
  }
  return steepest;
}

std::pair<double, double> WrongAreas(const Design& design, double threshold) {
  return {Integral(0, threshold, [&](double j) { return Acceptance(design, j); }),
          Integral(threshold, 1, [&](double j) { return 1 - Acceptance(design, j); })};
}

std::optional<double> ThresholdRule(const Design& design) {
  const bool bands = design.kind == Design::Kind::kBands ||
                     (design.kind == Design::Kind::kGroups && design.tau == 1);
  if (!bands) return std::nullopt;
  double low = 0, high = 1;
  while (high - low > 1e-11) {
    const double middle = (low + high) / 2;
    (Power(middle, design.rows) * design.keys < 1 ? low : high) = middle;
  }
  return high;
}

}  // namespace lookalike
