// The distances between points, and between strings.
#ifndef LOOKALIKE_MEASURES_DISTANCE_KIND_H_
#define LOOKALIKE_MEASURES_DISTANCE_KIND_H_

#include <cstdint>
#include <optional>
#include <string_view>

namespace lookalike {

/// A distance d of two points, a and b (MMDS, section 3.5; Charikar, STOC 2002, for the angle):
enum class DistanceKind : uint8_t {
  kL1,       ///< sum |a_i - b_i|.
  kL2,       ///< sqrt(sum (a_i - b_i)^2).
  kCosine,   ///< 1 - a.b / sqrt(a.a b.b), from 0 to 2. Not a metric.
  kAngular,  ///< The angle as a share of a half turn, from 0 to 1.
  kHamming,  ///< The number of coordinates that differ.
  kEdit,     ///< For strings: the least number of insertions, deletions and replacements.
  kIndel,    ///< For strings: the least number of insertions and deletions.
};

/// Parses "l1", "l2", "cosine", "angular", "hamming", "edit" or "indel".
std::optional<DistanceKind> ParseDistance(std::string_view name);
std::string_view ToString(DistanceKind kind);

/// True for a distance of directions; a point of zeros has no direction.
constexpr bool IsOfDirections(DistanceKind kind) {
  return kind == DistanceKind::kCosine || kind == DistanceKind::kAngular;
}

/// True for a distance of strings, false for one of points.
constexpr bool IsOfStrings(DistanceKind kind) {
  return kind == DistanceKind::kEdit || kind == DistanceKind::kIndel;
}

/// True if a distance is a whole number.
constexpr bool IsWhole(DistanceKind kind) {
  return kind == DistanceKind::kHamming || IsOfStrings(kind);
}

}  // namespace lookalike

#endif  // LOOKALIKE_MEASURES_DISTANCE_KIND_H_
