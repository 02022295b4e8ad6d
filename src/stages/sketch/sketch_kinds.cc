#include "stages/sketch/sketch_kinds.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "kernels/kernels.h"
#include "kernels/one_permutation.h"
#include "kernels/permutations.h"
#include "stages/sketch/bins.h"
#include "stages/sketch/hash_families.h"
#include "stages/sketch/lead_byte.h"
#include "stages/sketch/run_selectors.h"
#include "stages/sketch/sketch.h"
#include "stages/sketch/weighted.h"

namespace lookalike {

namespace {

// Takes the features, their number, the number of coordinates, scratch, and the result.
using Kernel = void (*)(const uint64_t*, size_t, size_t, uint32_t*, uint32_t*);

template <Kernel kernel>
SketchFunction WithScratch(uint32_t) {
  return [scratch = std::vector<uint32_t>()](std::span<const uint64_t> features,
                                             std::span<uint32_t> out) mutable {
    const size_t wanted = SketchScratch(features.size());
    if (scratch.size() < wanted) scratch.resize(wanted);
    kernel(features.data(), features.size(), out.size(), scratch.data(), out.data());
  };
}

SketchFunction MakePermutations(uint32_t) {
  return [](std::span<const uint64_t> features, std::span<uint32_t> out) {
    SketchPermutations(features.data(), features.size(), out.size(), out.data());
  };
}

using enum CoordinateScale;

// To add a kind of sketch, add a row.
constexpr KindRow kKinds[] = {
    {SketchKind::kFss, "fss", "", WithScratch<SketchFss>, kRounds, 16},
    {SketchKind::kPermutations, "permutations", "", MakePermutations, kUniform},
    {SketchKind::kOnePermutation, "one-permutation", "", WithScratch<SketchOnePermutation>, kRounds,
     1},
    {SketchKind::kMixerPermutations, "permutations", "mixer", MakeMixer, kUniform},
    {SketchKind::kLinearPermutations, "permutations", "linear", MakeLinear, kUniform},
    {SketchKind::kUniversalPermutations, "permutations", "universal", MakeUniversal, kUniform},
    {SketchKind::kMatrixPermutations, "permutations", "matrix", MakeMatrix, kUniform},
    {SketchKind::kTabulationPermutations, "permutations", "tabulation", MakeTabulation, kUniform},
    {SketchKind::kMixedTabulationPermutations, "permutations", "mixed-tabulation",
     MakeMixedTabulation, kUniform},
    {SketchKind::kLeadByte, "lead-byte", "", MakeLeadByte, kUniform},
    {SketchKind::kLeadNibble, "lead-byte", "4", MakeLeadNibble, kUniform},
    {.kind = SketchKind::kDensifiedBins,
     .name = "one-permutation",
     .variant = "densified",
     .make = MakeDensifiedBins,
     .scale = kBins,
     .mergeable = false},
    {.kind = SketchKind::kBins,
     .name = "one-permutation",
     .variant = "bins",
     .make = MakeBins,
     .scale = kBins,
     .bandable = false},
    {SketchKind::kGeometric, "geometric", "", MakeGeometric, kRuns},
    {SketchKind::kBiased, "biased", "", MakeBiased, kBiased},
    {.kind = SketchKind::kWeighted,
     .name = "weighted",
     .variant = "",
     .make = nullptr,
     .scale = kRaces,
     .make_weighted = MakeWeighted},
};

/// Returns the text up to the next colon, and removes it and the colon from `text`.
std::string_view TakePart(std::string_view* text) {
  const size_t colon = std::min(text->find(':'), text->size());
  const std::string_view part = text->substr(0, colon);
  text->remove_prefix(std::min(colon + 1, text->size()));
  return part;
}

/// Parses a whole number, or returns nothing; numbers out of range become the largest value.
std::optional<uint32_t> ParseCoordinates(std::string_view digits) {
  uint32_t count = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
  if (end != digits.data() + digits.size()) return {};
  if (error == std::errc::result_out_of_range) return UINT32_MAX;
  return error == std::errc() ? std::optional(count) : std::nullopt;
}

}  // namespace

const KindRow* FindRow(SketchKind kind) {
  const auto* const row = std::find_if(std::begin(kKinds), std::end(kKinds),
                                       [&](const KindRow& known) { return known.kind == kind; });
  return row == std::end(kKinds) ? nullptr : row;
}

const KindRow& RowOf(SketchKind kind) { return *FindRow(kind); }

Result<SketchSpec> ParseSketch(std::string_view text) {
  SketchSpec spec;
  std::string_view rest = text;
  const std::string_view name = TakePart(&rest);
  std::optional<uint32_t> count = spec.coordinates;
  if (text.size() > name.size()) count = ParseCoordinates(TakePart(&rest));
  const bool ends = !text.ends_with(':');
  const auto* const row = std::find_if(
      std::begin(kKinds), std::end(kKinds),
      [&](const KindRow& known) { return known.name == name && known.variant == rest; });
  if (row == std::end(kKinds) || !count || !ends) {
    return OptionError("$<sketch='" + std::string(text) + "'> is not understood; use " +
                       kSketchForms);
  }
  spec.kind = row->kind;
  spec.coordinates = std::clamp(*count, kLeastCoordinates, kMostCoordinates);
  if (spec.coordinates != *count) {
    return OptionError("$<sketch='" + std::string(text) +
                       "'> is not allowed: a sketch has 16 to 1024 coordinates; use " +
                       ToString(spec) + ", the nearest");
  }
  return spec;
}

std::string ToString(const SketchSpec& spec) {
  const KindRow& row = RowOf(spec.kind);
  std::string text = std::string(row.name) + ":" + std::to_string(spec.coordinates);
  if (!row.variant.empty()) text += ":" + std::string(row.variant);
  return text;
}

bool IsMergeable(SketchKind kind) { return RowOf(kind).mergeable; }

bool IsBandable(SketchKind kind) { return RowOf(kind).bandable; }

bool TakesWeights(SketchKind kind) { return RowOf(kind).make_weighted != nullptr; }

bool IsKnownKind(SketchKind kind) { return FindRow(kind) != nullptr; }

std::vector<SketchKind> AllKinds() {
  std::vector<SketchKind> kinds;
  for (const KindRow& row : kKinds) kinds.push_back(row.kind);
  return kinds;
}

}  // namespace lookalike
