// Edit distances of short strings, and all pairs of strings within a given distance.
#ifndef LOOKALIKE_USES_DISTANCES_JOINS_EDIT_JOIN_H_
#define LOOKALIKE_USES_DISTANCES_JOINS_EDIT_JOIN_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "lookalike/status.h"
#include "uses/distances/joins/distance.h"
#include "uses/distances/joins/point_join.h"

namespace lookalike {

/// Strings of code points, back to back.
struct StringSet {
  std::u32string text;
  std::vector<uint64_t> ends;

  [[nodiscard]] size_t size() const { return ends.size(); }
  [[nodiscard]] std::u32string_view Of(size_t i) const {
    const uint64_t begin = i == 0 ? 0 : ends[i - 1];
    return std::u32string_view(text).substr(begin, ends[i] - begin);
  }
  void Add(std::u32string_view one) {
    text += one;
    ends.push_back(text.size());
  }
};

/// Returns the least number of edits that turn one string into the other, or nothing if that is
/// more than `within`. An edit inserts or deletes a code point, or replaces one if the kind is
/// kEdit (Levenshtein 1966); with kIndel a replacement counts as two (MMDS, section 3.5.5). Takes
/// O(within x length): only the band of the table about its diagonal is filled in (Ukkonen 1985).
/// Calls `cancelled` now and then, and returns nothing once it is true. REQUIRES:
/// IsOfStrings(kind).
std::optional<uint32_t> EditDistance(std::u32string_view a, std::u32string_view b, uint32_t within,
                                     DistanceKind kind = DistanceKind::kEdit,
                                     const std::function<bool()>& cancelled = {});

/// Passes exactly the pairs of strings within `within` edits, each once, to `take` like JoinPoints;
/// task.within and task.recall are ignored. Candidates are complete: a string is cut into within +
/// 1 pieces, one of which is untouched by that many edits, and occurs in the other string at a
/// position shifted at most by the edits before and after it (Pass-Join: Li, Deng, Wang and Feng,
/// VLDB 2012). That holds for both kinds of edits, because kEdit counts insertions and deletions as
/// well.
Status JoinStrings(const StringSet& strings, uint32_t within, DistanceKind kind,
                   const JoinTask& task,
                   const std::function<Status(std::span<const PointPair>)>& take);

}  // namespace lookalike

#endif  // LOOKALIKE_USES_DISTANCES_JOINS_EDIT_JOIN_H_
