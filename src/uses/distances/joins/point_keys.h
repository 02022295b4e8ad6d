// Keys that near points share more often than far points: one family of hash functions for each
// distance, several functions per key (all must agree), several keys per point (one must agree).
#ifndef LOOKALIKE_USES_DISTANCES_JOINS_POINT_KEYS_H_
#define LOOKALIKE_USES_DISTANCES_JOINS_POINT_KEYS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "uses/distances/joins/distance.h"

namespace lookalike {

/// The parameters for making keys of points.
struct KeyDesign {
  uint32_t rows = 1;    ///< Hash functions of one key.
  uint32_t tables = 1;  ///< Keys of a point.
  double width = 0;     ///< Width of the cells on a projection line (l1 and l2).
};

/// Returns "projections:ROWSxTABLES:WIDTH", "hyperplanes:ROWSxTABLES" or "samples:ROWSxTABLES".
std::string ToString(const KeyDesign& design, DistanceKind kind);

/// Returns the probability that one function of the family gives two points at this distance the
/// same value. With t = width / distance: l2: projections on normal vectors, 1 - 2 Phi(-t) - 2 (1 -
/// exp(-t^2 / 2)) / (sqrt(2 pi) t); l1: projections on Cauchy-distributed vectors, 2 atan(t) / pi -
/// ln(1 + t^2) / (pi t) (Datar, Immorlica, Indyk and Mirrokni, SoCG 2004); angular and cosine:
/// sides of random hyperplanes, 1 - angle / pi (Charikar, STOC 2002); hamming: a coordinate drawn
/// at random, 1 - distance / dimension (Indyk and Motwani, STOC 1998).
double ChanceOfFunction(DistanceKind kind, double distance, double width, uint32_t dimension);

/// Returns the probability that two points share one key, and at least one of all keys.
double ChanceOfKey(double chance_of_function, uint32_t rows);
double ChanceOfAny(double chance_of_key, uint32_t tables);

/// Makes the keys of one table. Safe to use from several threads if each passes its own scratch
/// vector to KeyOf.
class PointKeys {
 public:
  /// REQUIRES: `kind` is a distance of points; `table` is below design.tables.
  PointKeys(DistanceKind kind, uint32_t dimension, const KeyDesign& design, uint64_t seed,
            uint32_t table);

  /// Returns the key of a point; `scratch` is any vector, reused between calls.
  [[nodiscard]] uint32_t KeyOf(const double* point, std::vector<double>* scratch) const;

 private:
  DistanceKind kind_;
  uint32_t dimension_, rows_;
  uint64_t start_;
  double width_;
  std::vector<double> vectors_;    ///< For projections and hyperplanes, back to back.
  std::vector<double> offsets_;    ///< For projections, from 0 to the width.
  std::vector<uint32_t> samples_;  ///< For hamming: coordinates.
};

}  // namespace lookalike

#endif  // LOOKALIKE_USES_DISTANCES_JOINS_POINT_KEYS_H_
