#include "measures/distance_kind.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace lookalike {
namespace {

constexpr std::pair<std::string_view, DistanceKind> kNames[] = {
    {"l1", DistanceKind::kL1},           {"l2", DistanceKind::kL2},
    {"cosine", DistanceKind::kCosine},   {"angular", DistanceKind::kAngular},
    {"hamming", DistanceKind::kHamming}, {"edit", DistanceKind::kEdit},
    {"indel", DistanceKind::kIndel}};

}  // namespace

std::optional<DistanceKind> ParseDistance(std::string_view name) {
  for (const auto& [known, kind] : kNames) {
    if (known == name) return kind;
  }
  return std::nullopt;
}

std::string_view ToString(DistanceKind kind) {
  return std::find_if(std::begin(kNames), std::end(kNames),
                      [&](const auto& known) { return known.second == kind; })
      ->first;
}

}  // namespace lookalike
