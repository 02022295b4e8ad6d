#include "stages/features/bag.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include "kernels/splitmix.h"

namespace lookalike {
namespace {

/// A bijection of the hashes for each j, unlike the others.
uint64_t HashOccurrence(uint64_t feature, uint64_t j) { return Mix64(feature + j * kGolden); }

}  // namespace

void NumberOccurrences(std::span<uint64_t> features) {
  std::vector<uint32_t> places(features.size());
  std::iota(places.begin(), places.end(), 0U);
  std::sort(places.begin(), places.end(), [&](uint32_t x, uint32_t y) {
    return features[x] != features[y] ? features[x] < features[y] : x < y;
  });
  uint64_t feature = 0, j = 0;
  for (size_t i = 0; i < places.size(); ++i) {
    uint64_t& here = features[places[i]];
    j = i > 0 && here == feature ? j + 1 : 0;
    feature = here;
    if (j > 0) here = HashOccurrence(feature, j);
  }
}

}  // namespace lookalike
