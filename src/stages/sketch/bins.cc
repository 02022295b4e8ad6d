#include "stages/sketch/bins.h"

#include <algorithm>
#include <vector>

#include "kernels/one_permutation.h"
#include "stages/sketch/random_words.h"

namespace lookalike {

namespace {

/// Returns the bin, out of `bins`, that a number falls into.
size_t BinOf(uint64_t number, size_t bins) {
  return static_cast<size_t>(static_cast<unsigned __int128>(number) * bins >> 64);
}

void FillBins(std::span<const uint64_t> features, std::span<uint32_t> out) {
  SketchBins(features.data(), features.size(), out.size(), out.data());
}

}  // namespace

SketchFunction MakeBins(uint32_t) { return FillBins; }

SketchFunction MakeDensifiedBins(uint32_t) {
  return [filled = std::vector<uint32_t>()](std::span<const uint64_t> features,
                                            std::span<uint32_t> out) mutable {
    FillBins(features, out);
    if (std::count(out.begin(), out.end(), kEmptyBin) == 0) return;
    filled.assign(out.begin(), out.end());
    for (size_t b = 0; b < out.size(); ++b) {
      if (out[b] != kEmptyBin) continue;
      RandomWords words(SketchKind::kDensifiedBins, b);
      while (out[b] == kEmptyBin) out[b] = filled[BinOf(words.Next(), out.size())];
    }
  };
}

}  // namespace lookalike
