#include "results/shared_places.h"

#include <algorithm>
#include <compare>
#include <cstdint>
#include <tuple>
#include <utility>

namespace lookalike {
namespace {

/// A feature and its place.
struct Placed {
  uint64_t feature;
  uint32_t place;
  auto operator<=>(const Placed&) const = default;
};

/// A position in each text, given as the number of a unit.
using PlacePair = std::pair<uint32_t, uint32_t>;

/// Returns the features and places, sorted by feature, then place.
std::vector<Placed> SortFeatures(const UnitText& text) {
  std::vector<Placed> sorted(text.features.size());
  for (size_t i = 0; i < sorted.size(); ++i) sorted[i] = {text.features[i], text.first[i]};
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  return sorted;
}

size_t EndOfFeature(const std::vector<Placed>& sorted, size_t begin) {
  size_t end = begin;
  while (end < sorted.size() && sorted[end].feature == sorted[begin].feature) ++end;
  return end;
}

/// Pairs the places of each shared feature in order; in the text that has fewer, the last place is
/// paired with all the remaining ones of the other.
std::vector<PlacePair> PairPlaces(const UnitText& a, const UnitText& b) {
  const std::vector<Placed> of_a = SortFeatures(a), of_b = SortFeatures(b);
  std::vector<PlacePair> pairs;
  for (size_t i = 0, j = 0; i < of_a.size() && j < of_b.size();) {
    const size_t end_i = EndOfFeature(of_a, i), end_j = EndOfFeature(of_b, j);
    const auto order = of_a[i].feature <=> of_b[j].feature;
    for (size_t k = 0; order == 0 && k < std::max(end_i - i, end_j - j); ++k) {
      pairs.emplace_back(of_a[std::min(i + k, end_i - 1)].place,
                         of_b[std::min(j + k, end_j - 1)].place);
    }
    if (order <= 0) i = end_i;
    if (order >= 0) j = end_j;
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

/// Returns the range of code points of a text that spans a window of its units.
std::pair<uint32_t, uint32_t> Hull(const UnitText& text, size_t first, size_t window) {
  auto [begin, end] = std::pair(text.units[first].begin, text.units[first].end);
  for (size_t i = first; i < std::min(first + window, text.units.size()); ++i) {
    begin = std::min(begin, text.units[i].begin);
    end = std::max(end, text.units[i].end);
  }
  return {begin, end};
}

/// Joins pairs that continue each other: (i, j), (i + 1, j + 1) and so on.
std::vector<Passage> JoinPairs(const UnitText& a, const UnitText& b, std::vector<PlacePair> pairs,
                               size_t window) {
  const auto key = [](const PlacePair& p) {
    return std::tuple(int64_t{p.second} - int64_t{p.first}, p.first);
  };
  std::sort(pairs.begin(), pairs.end(),
            [&](const PlacePair& x, const PlacePair& y) { return key(x) < key(y); });
  std::vector<Passage> passages;
  for (size_t i = 0, end; i < pairs.size(); i = end) {
    const auto [first_a, first_b] = pairs[i];
    for (end = i + 1; end < pairs.size(); ++end) {
      if (pairs[end] != PlacePair(first_a + (end - i), first_b + (end - i))) break;
    }
    const auto in_a = Hull(a, first_a, window + (end - i) - 1);
    const auto in_b = Hull(b, first_b, window + (end - i) - 1);
    passages.push_back({in_a.first, in_a.second, in_b.first, in_b.second});
  }
  return passages;
}

}  // namespace

std::vector<Passage> SharedPlaces(const UnitText& a, const UnitText& b, size_t window,
                                  bool windows_join) {
  const std::vector<PlacePair> pairs = PairPlaces(a, b);
  std::vector<Passage> passages;
  if (windows_join) {
    passages = JoinPairs(a, b, pairs, window);
  } else {
    for (const auto& [in_a, in_b] : pairs) {
      const auto part_a = Hull(a, in_a, window), part_b = Hull(b, in_b, window);
      passages.push_back({part_a.first, part_a.second, part_b.first, part_b.second});
    }
  }
  std::sort(passages.begin(), passages.end(), [](const Passage& x, const Passage& y) {
    return std::tie(x.a_begin, x.b_begin, x.a_end) < std::tie(y.a_begin, y.b_begin, y.a_end);
  });
  return passages;
}

}  // namespace lookalike
