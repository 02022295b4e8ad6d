#include "stages/features/bag.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace lookalike {
namespace {

/// A bijection of the hashes for each j, unlike the others.
uint64_t HashOccurrence(uint64_t feature, uint64_t j) {
  uint64_t x = feature + j * 0x9e3779b97f4a7c15;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}

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
