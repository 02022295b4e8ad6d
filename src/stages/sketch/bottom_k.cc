#include "stages/sketch/bottom_k.h"

#include <algorithm>

#include "kernels/kernels.h"
#include "kernels/sets.h"

namespace lookalike {
namespace {

size_t SortDistinct(uint32_t* values, size_t count) {
  if (count <= kMostFew) return SortFewDistinct(values, count);
  SortValues(values, count);
  return static_cast<size_t>(std::unique(values, values + count) - values);
}

}  // namespace

// Keeps the distinct hashes below a bound, ascending.
void BottomSketcher::Collect(std::span<const uint64_t> features, uint32_t bound) {
  const size_t room = features.size() + kCollectRoom;
  if (found_.size() < room) found_.resize(room);
  uint32_t* const out = found_.data();
  const size_t count = CollectBelow(features.data(), features.size(), bound, out);
  const size_t distinct = std::min(SortDistinct(out, count), sketch_.size());
  std::copy_n(out, distinct, sketch_.begin());
  std::fill(sketch_.begin() + static_cast<ptrdiff_t>(distinct), sketch_.end(), kNoBottomValue);
}

std::span<const uint32_t> BottomSketcher::Run(std::span<const uint64_t> features) {
  // The first bound is chosen so that more hashes than needed are expected below it, and a second
  // pass is rare: finding fewer than 32 where 56 are expected happens once in a thousand times.
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
