#include "stages/sketch/sketch.h"

#include <algorithm>
#include <bit>
#include <charconv>
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
};

// In the order of SketchKind. A new sketch is one row.
constexpr KindRow kKinds[] = {
    {SketchKind::kFss, "fss", SketchFss},
    {SketchKind::kPermutations, "permutations", RunPermutations},
    {SketchKind::kOnePermutation, "one-permutation", SketchOnePermutation},
};

const KindRow& RowOf(SketchKind kind) { return kKinds[static_cast<size_t>(kind)]; }

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
