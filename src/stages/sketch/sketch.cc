#include "stages/sketch/sketch.h"

#include <bit>
#include <charconv>
#include <string>

#include "kernels/kernels.h"

namespace lookalike {

Result<SketchSpec> ParseSketch(std::string_view text) {
  const std::string given(text);
  const auto wrong = [&] {
    return Fail("--sketch '" + given +
                "' is not understood; give fss:K with K a power of two from 16 to 1024");
  };
  const size_t colon = text.find(':');
  if (text.substr(0, colon) != "fss") return wrong();
  SketchSpec spec;
  if (colon == std::string_view::npos) return spec;
  const std::string_view digits = text.substr(colon + 1);
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), spec.coordinates);
  if (error != std::errc() || end != digits.data() + digits.size()) return wrong();
  if (!std::has_single_bit(spec.coordinates)) return wrong();
  if (spec.coordinates < 16 || spec.coordinates > 1024) return wrong();
  return spec;
}

std::span<const uint32_t> Sketcher::Run(std::span<const uint64_t> features) {
  const size_t wanted = SketchScratch(features.size());
  if (scratch_.size() < wanted) scratch_.resize(wanted);
  SketchFss(features.data(), features.size(), spec_.coordinates, scratch_.data(), sketch_.data());
  return sketch_;
}

void MakeCodes(std::span<const uint32_t> sketch, uint8_t* codes) {
  const uint32_t count = CodeCount(static_cast<uint32_t>(sketch.size()));
  for (uint32_t i = 0; i < count; ++i) {
    codes[i] = static_cast<uint8_t>(sketch[i] * 0x9e3779b1U >> 24);
  }
}

}  // namespace lookalike
