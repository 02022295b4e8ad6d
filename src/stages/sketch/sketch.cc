#include "stages/sketch/sketch.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <iterator>
#include <string>

#include "kernels/kernels.h"
#include "kernels/one_permutation.h"
#include "kernels/permutations.h"

namespace lookalike {

namespace {

// The features, then what every kernel takes: how many they are, coordinates, scratch, result.
using Kernel = void (*)(const uint64_t*, size_t, size_t, uint32_t*, uint32_t*);

void RunPermutations(const uint64_t* features, size_t count, size_t coordinates, uint32_t*,
                     uint32_t* out) {
  SketchPermutations(features, count, coordinates, out);
}

struct KindRow {
  SketchKind kind;
  std::string_view name;
  Kernel kernel;
  uint32_t rounds;  // in which each feature goes to one bin, before bins have hashes of their own
};

// A new sketch is one row.
constexpr KindRow kKinds[] = {
    {SketchKind::kFss, "fss", SketchFss, 16},
    {SketchKind::kPermutations, "permutations", RunPermutations, 0},
    {SketchKind::kOnePermutation, "one-permutation", SketchOnePermutation, 1},
};

const KindRow* FindRow(SketchKind kind) {
  const auto* const row = std::find_if(std::begin(kKinds), std::end(kKinds),
                                       [&](const KindRow& known) { return known.kind == kind; });
  return row == std::end(kKinds) ? nullptr : row;
}

const KindRow& RowOf(SketchKind kind) { return *FindRow(kind); }

// Of kinds with rounds: a coordinate is its round and a value of 27 bits; a fresh hash stands above
// all rounds.
constexpr uint32_t kValueBits = 27, kValues = 1U << kValueBits;
constexpr uint32_t kFresh = 1U << 31;

// The hazard that a hash of 32 bits passes up to this value, of so many that it may have.
double HazardOf(double value, double values) { return -std::log1p(-(value + 0.5) / values); }

// P[no feature up to here] = exp(-features * hazard). In a round each feature is in the bin of a
// coordinate with probability 1 / bins, and has a value up to v there with v / bins.
double HazardBefore(uint32_t rounds, uint32_t coordinate, double bins) {
  if (rounds == 0) return HazardOf(coordinate, 0x1p32);
  const double round = -std::log1p(-1 / bins);
  if (coordinate >= kFresh) return rounds * round + HazardOf(coordinate - kFresh, kValues);
  const uint32_t before = coordinate >> kValueBits;
  return before * round + HazardOf(coordinate % kValues, kValues * bins);
}

}  // namespace

Result<SketchSpec> ParseSketch(std::string_view text) {
  const auto wrong = [&] {
    return Fail("--sketch '" + std::string(text) +
                "' is not understood; give fss:K, permutations:K or one-permutation:K with K a "
                "power of two from 16 to 1024");
  };
  const size_t colon = text.find(':');
  const auto* const row =
      std::find_if(std::begin(kKinds), std::end(kKinds),
                   [&](const KindRow& known) { return known.name == text.substr(0, colon); });
  if (row == std::end(kKinds)) return wrong();
  SketchSpec spec;
  spec.kind = row->kind;
  if (colon == std::string_view::npos) return spec;
  const std::string_view digits = text.substr(colon + 1);
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), spec.coordinates);
  if (error != std::errc() || end != digits.data() + digits.size()) return wrong();
  if (!std::has_single_bit(spec.coordinates)) return wrong();
  if (spec.coordinates < 16 || spec.coordinates > 1024) return wrong();
  return spec;
}

std::string_view SketchName(SketchKind kind) { return RowOf(kind).name; }

std::string ToString(const SketchSpec& spec) {
  return std::string(SketchName(spec.kind)) + ":" + std::to_string(spec.coordinates);
}

bool IsKnownKind(SketchKind kind) { return FindRow(kind) != nullptr; }

bool IsCoordinate(SketchKind kind, uint32_t value) {
  const uint32_t rounds = RowOf(kind).rounds;
  if (rounds == 0) return true;
  return value >= kFresh ? value - kFresh < kValues : value >> kValueBits < rounds;
}

double EstimateFeatures(SketchKind kind, std::span<const uint32_t> sketch) {
  const auto bins = static_cast<double>(sketch.size());
  double sum = 0;
  for (const uint32_t coordinate : sketch) {
    sum += HazardBefore(RowOf(kind).rounds, coordinate, bins);
  }
  return (bins - 1) / sum;
}

void MergeSketch(std::span<const uint32_t> other, std::span<uint32_t> sketch) {
  for (size_t i = 0; i < sketch.size(); ++i) sketch[i] = std::min(sketch[i], other[i]);
}

std::span<const uint32_t> Sketcher::Run(std::span<const uint64_t> features) {
  const size_t wanted = SketchScratch(features.size());
  if (scratch_.size() < wanted) scratch_.resize(wanted);
  RowOf(spec_.kind)
      .kernel(features.data(), features.size(), spec_.coordinates, scratch_.data(), sketch_.data());
  return sketch_;
}

void MakeCodes(std::span<const uint32_t> sketch, uint8_t* codes) {
  const uint32_t count = CodeCount(static_cast<uint32_t>(sketch.size()));
  for (uint32_t i = 0; i < count; ++i) {
    codes[i] = static_cast<uint8_t>(sketch[i] * 0x9e3779b1U >> 24);
  }
}

}  // namespace lookalike
