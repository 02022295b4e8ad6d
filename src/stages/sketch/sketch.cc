#include "stages/sketch/sketch.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "stages/sketch/sketch_kinds.h"

namespace lookalike {

namespace {

// For kinds with rounds, a coordinate is its round and a value of 27 bits; a fresh hash is above
// all rounds.
constexpr uint32_t kValueBits = 27, kValues = 1U << kValueBits;
constexpr uint32_t kFresh = 1U << 31;
constexpr uint32_t kInfinity = 0x7ff00000;  // upper half of infinity as a double

// Returns the hazard that a hash passes up to this value, out of `values` possible values.
double HazardOf(double value, double values) { return -std::log1p(-(value + 0.5) / values); }

// In a round, each feature is in the bin of a coordinate with probability 1 / bins, and has a value
// up to v there with probability v / bins.
double HazardInRounds(uint32_t rounds, uint32_t coordinate, double bins) {
  const double round = -std::log1p(-1 / bins);
  if (coordinate >= kFresh) return rounds * round + HazardOf(coordinate - kFresh, kValues);
  const uint32_t before = coordinate >> kValueBits;
  return before * round + HazardOf(coordinate % kValues, kValues * bins);
}

// A run of this many zeros has probability 2^-(zeros + 1); the runs of 31 or more zeros count as
// one. `coordinate`: 31 - zeros, then further bits.
double HazardInRuns(uint32_t coordinate, uint32_t further_bits) {
  const double further = (coordinate % (1U << further_bits) + 0.5) / std::exp2(further_bits);
  const uint32_t rank = coordinate >> further_bits;
  const double before = rank == 0 ? 0 : std::exp2(static_cast<int>(rank) - 32);
  const double here = rank == 0 ? 0x1p-31 : before;
  return -std::log1p(-(before + here * further));
}

// One feature in 100 has a biased bit of 0, followed by 31 further bits; others are examined again.
double HazardOfBiased(uint32_t coordinate) {
  if (coordinate < kFresh) return -std::log1p(-.01 * (coordinate + 0.5) / kFresh);
  return -std::log(.99) + HazardInRuns(coordinate - kFresh, 26);
}

// P[no feature up to here] = exp(-features * hazard).
double HazardBefore(const KindRow& row, uint32_t coordinate, double bins) {
  switch (row.scale) {
    case CoordinateScale::kUniform:
      return HazardOf(coordinate, 0x1p32);
    case CoordinateScale::kRounds:
    case CoordinateScale::kBins:
      return HazardInRounds(row.rounds, coordinate, bins);
    case CoordinateScale::kRuns:
      return HazardInRuns(coordinate, 27);
    case CoordinateScale::kRaces:
      return std::bit_cast<double>(uint64_t{coordinate} << 32 | 0x80000000);
    case CoordinateScale::kBiased:
      return HazardOfBiased(coordinate);
  }
  return 0;
}

// Bins with their own values contribute the hazards of these values, all others the hazard of the
// round.
double EstimateFromBins(const KindRow& row, std::span<const uint32_t> sketch) {
  std::vector<uint32_t> own(sketch.begin(), sketch.end());
  std::sort(own.begin(), own.end());
  own.erase(std::unique(own.begin(), own.end()), own.end());
  std::erase(own, kEmptyBin);
  const auto bins = static_cast<double>(sketch.size()), filled = static_cast<double>(own.size());
  double sum = (bins - filled) * -std::log1p(-1 / bins);
  for (const uint32_t coordinate : own) sum += HazardBefore(row, coordinate, bins);
  return filled * (1 - 1 / bins) / sum;
}

}  // namespace

bool IsCoordinate(SketchKind kind, uint32_t value) {
  const KindRow& row = RowOf(kind);
  switch (row.scale) {
    case CoordinateScale::kUniform:
    case CoordinateScale::kRuns:
    case CoordinateScale::kBiased:
      return true;
    case CoordinateScale::kRaces:
      return value < kInfinity;
    case CoordinateScale::kBins:
      return value < kValues || (value == kEmptyBin && !row.bandable);
    case CoordinateScale::kRounds:
      return value >= kFresh ? value - kFresh < kValues : value >> kValueBits < row.rounds;
  }
  return false;
}

double EstimateFeatures(SketchKind kind, std::span<const uint32_t> sketch) {
  const KindRow& row = RowOf(kind);
  if (row.scale == CoordinateScale::kBins) return EstimateFromBins(row, sketch);
  const auto bins = static_cast<double>(sketch.size());
  double sum = 0;
  for (const uint32_t coordinate : sketch) sum += HazardBefore(row, coordinate, bins);
  return (bins - 1) / sum;
}

void MergeSketch(std::span<const uint32_t> other, std::span<uint32_t> sketch) {
  for (size_t i = 0; i < sketch.size(); ++i) sketch[i] = std::min(sketch[i], other[i]);
}

Sketcher::Sketcher(const SketchSpec& spec) : sketch_(spec.coordinates) {
  const KindRow& row = RowOf(spec.kind);
  if (row.make != nullptr) make_ = row.make(spec.coordinates);
  if (row.make_weighted != nullptr) make_weighted_ = row.make_weighted(spec.coordinates);
}

std::span<const uint32_t> Sketcher::Run(std::span<const uint64_t> features) {
  if (TakesWeights()) return RunWeighted({features});
  make_(features, sketch_);
  return sketch_;
}

std::span<const uint32_t> Sketcher::RunWeighted(const WeightedFeatures& features) {
  make_weighted_(features, sketch_);
  return sketch_;
}

void MakeCodes(std::span<const uint32_t> sketch, uint8_t* codes) {
  const uint32_t count = CodeCount(static_cast<uint32_t>(sketch.size()));
  for (uint32_t i = 0; i < count; ++i) {
    codes[i] = static_cast<uint8_t>(sketch[i] * 0x9e3779b1U >> 24);
  }
}

}  // namespace lookalike
