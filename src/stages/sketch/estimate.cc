#include "stages/sketch/estimate.h"

#include <bit>
#include <cmath>

namespace lookalike {

bool IsAllowedWidth(uint64_t bits) { return std::has_single_bit(bits) && bits <= kWholeCoordinate; }

uint32_t KeepBits(uint32_t coordinate, uint32_t bits) {
  if (bits == kWholeCoordinate) return coordinate;
  uint32_t x = (coordinate ^ coordinate >> 16) * 0x7feb352dU;
  x = (x ^ x >> 15) * 0x846ca68bU;
  return (x ^ x >> 16) >> (kWholeCoordinate - bits);
}

ResemblanceEstimate EstimateFromEqual(uint32_t equal, uint32_t coordinates, uint32_t bits) {
  const double count = coordinates;
  const double chance = bits == kWholeCoordinate ? 0 : 1 / static_cast<double>(uint64_t{1} << bits);
  ResemblanceEstimate estimate;
  estimate.equal = equal;
  estimate.coordinates = coordinates;
  estimate.resemblance = (equal - count * chance) / (count * (1 - chance));
  const double share = (equal + 0.5) / (count + 1);
  estimate.standard_error = std::sqrt(share * (1 - share) / count) / (1 - chance);
  return estimate;
}

uint32_t LeastEqual(double threshold, uint32_t coordinates, uint32_t bits) {
  uint32_t equal = 0;
  while (equal < coordinates &&
         EstimateFromEqual(equal, coordinates, bits).resemblance < threshold) {
    ++equal;
  }
  return equal;
}

}  // namespace lookalike
