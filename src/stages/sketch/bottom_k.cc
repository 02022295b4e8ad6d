#include "stages/sketch/bottom_k.h"

#include <algorithm>

namespace lookalike {
namespace {

/// SketchFss orders by bits 24 to 63 first.
uint32_t HashOf(uint64_t feature) {
  return static_cast<uint32_t>(feature << 8) | static_cast<uint32_t>(feature >> 56);
}

}  // namespace

// Keeps the distinct hashes below a bound, ascending. Appending without a branch is what makes the
// pass over the features cheap.
void BottomSketcher::Collect(std::span<const uint64_t> features, uint32_t bound) {
  if (found_.size() < features.size() + 1) found_.resize(features.size() + 1);
  uint32_t* const out = found_.data();
  size_t count = 0;
  for (const uint64_t feature : features) {
    const uint32_t hash = HashOf(feature);
    out[count] = hash;
    count += hash < bound;
  }
  std::sort(out, out + count);
  const auto* const end = std::unique(out, out + count);
  const auto distinct = std::min<size_t>(static_cast<size_t>(end - out), sketch_.size());
  std::copy_n(out, distinct, sketch_.begin());
  std::fill(sketch_.begin() + static_cast<ptrdiff_t>(distinct), sketch_.end(), kNoBottomValue);
}

std::span<const uint32_t> BottomSketcher::Run(std::span<const uint64_t> features) {
  // Some more than needed are expected below the first bound, so that a second look is rare: 32 of
  // 56 are missed once in a thousand times.
  const uint64_t wanted = sketch_.size() * 3 / 2 + 8;
  uint64_t bound = kNoBottomValue;
  if (features.size() > wanted) bound = (uint64_t{kNoBottomValue} * wanted) / features.size();
  while (true) {
    Collect(features, static_cast<uint32_t>(bound));
    if (bound == kNoBottomValue || sketch_.back() != kNoBottomValue) return sketch_;
    bound = std::min<uint64_t>(bound * 8, kNoBottomValue);
  }
}

}  // namespace lookalike
