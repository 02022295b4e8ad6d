#include "uses/distances/joins/point_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "kernels/distances.h"
#include "kernels/portable_math.h"
#include "kernels/splitmix.h"
#include "uses/distances/joins/join_costs.h"

namespace lookalike {
namespace {

/// Draws a number from -1 to 1, both excluded.
double Symmetric(SplitMix64* random) {
  return (static_cast<double>(random->Next() >> 11) + 0.5) * 0x1p-52 - 1;
}

double Uniform(SplitMix64* random) { return static_cast<double>(random->Next() >> 11) * 0x1p-53; }

/// Draws from the normal distribution (Marsaglia's polar method), with the same bits on every
/// machine.
double Normal(SplitMix64* random) {
  while (true) {
    const double u = Symmetric(random), v = Symmetric(random);
    const double square = u * u + v * v;
    if (square < 1) return u * std::sqrt(-2 * PortableLog(square) / square);
  }
}

/// Draws from the Cauchy distribution, as the ratio of two normals.
double Cauchy(SplitMix64* random) {
  const double top = Normal(random);
  return top / Normal(random);
}

/// Returns the bits of a number; equal numbers have equal bits, even 0 and -0.
uint64_t BitsOf(double x) { return std::bit_cast<uint64_t>(x + 0.0); }

/// Returns the contribution of one function's value to a key. Each is computed independently, so
/// that none waits for another.
uint64_t HashOf(double value, uint32_t row, uint64_t start) {
  return Mix64(BitsOf(value) + start + row * kGolden);
}

/// Returns the same as std::floor, which would be a function call where the compiler cannot assume
/// the instruction.
double Floor(double x) {
  if (!(std::fabs(x) < 0x1p52)) return x;
  const auto whole = static_cast<double>(static_cast<int64_t>(x));
  return whole > x ? whole - 1 : whole;
}

}  // namespace

std::string ToString(const KeyDesign& design, DistanceKind kind) {
  if (IsProjected(kind)) {
    return fmt::format("projections:{}x{}:{:.4g}", design.rows, design.tables, design.width);
  }
  return fmt::format("{}:{}x{}", IsOfDirections(kind) ? "hyperplanes" : "samples", design.rows,
                     design.tables);
}

double ChanceOfFunction(DistanceKind kind, double distance, double width, uint32_t dimension) {
  if (distance == 0) return 1;
  const double t = width / distance;
  switch (kind) {
    case DistanceKind::kL1:
      return 2 * std::atan(t) / kPi - std::log1p(t * t) / (kPi * t);
    case DistanceKind::kL2:
      return 1 - std::erfc(t / std::sqrt(2.0)) +
             2 * std::expm1(-t * t / 2) / (std::sqrt(2 * kPi) * t);
    case DistanceKind::kCosine:
      return 1 - std::acos(std::clamp(1 - distance, -1.0, 1.0)) / kPi;
    case DistanceKind::kAngular:
      return 1 - std::min(distance, 1.0);
    default:
      return 1 - std::min(distance / dimension, 1.0);
  }
}

double ChanceOfKey(double chance_of_function, uint32_t rows) {
  return std::pow(chance_of_function, rows);
}

double ChanceOfAny(double chance_of_key, uint32_t tables) {
  return chance_of_key >= 1 ? 1 : -std::expm1(tables * std::log1p(-chance_of_key));
}

PointKeys::PointKeys(DistanceKind kind, uint32_t dimension, const KeyDesign& design, uint64_t seed,
                     uint32_t table)
    : kind_(kind),
      dimension_(dimension),
      rows_(design.rows),
      start_(Mix64(Mix64(seed + kGolden) ^ table)),
      width_(design.width) {
  SplitMix64 random(start_);
  for (uint32_t row = 0; row < rows_; ++row) {
    if (kind == DistanceKind::kHamming) {
      samples_.push_back(static_cast<uint32_t>(random.Next() % dimension));
      continue;
    }
    for (uint32_t i = 0; i < dimension; ++i) {
      vectors_.push_back(kind == DistanceKind::kL1 ? Cauchy(&random) : Normal(&random));
    }
    if (IsProjected(kind)) offsets_.push_back(Uniform(&random) * width_);
  }
}

uint32_t PointKeys::KeyOf(const double* point, std::vector<double>* scratch) const {
  uint64_t hash = 0;
  if (kind_ == DistanceKind::kHamming) {
    for (uint32_t row = 0; row < rows_; ++row) hash += HashOf(point[samples_[row]], row, start_);
    return static_cast<uint32_t>(hash >> 32);
  }
  scratch->resize(rows_);
  SumProducts(point, vectors_.data(), rows_, dimension_, scratch->data());
  for (uint32_t row = 0; row < rows_; ++row) {
    const double product = (*scratch)[row];
    const double value =
        offsets_.empty() ? (product < 0 ? 1 : 0) : Floor((product + offsets_[row]) / width_);
    hash += HashOf(value, row, start_);
  }
  return static_cast<uint32_t>(hash >> 32);
}

}  // namespace lookalike
