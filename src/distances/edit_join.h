// Edit distances of short strings, and all pairs of strings within one.
#ifndef LOOKALIKE_DISTANCES_EDIT_JOIN_H_
#define LOOKALIKE_DISTANCES_EDIT_JOIN_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "distances/distance.h"
#include "distances/point_join.h"
#include "lookalike/status.h"

namespace lookalike {

/// Strings of code points, one after the other.
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

/// Returns the least number of edits that make one string of the other, or nothing where that is
/// more than `within`. An edit inserts or deletes a code point, or replaces one where the kind is
/// kEdit (Levenshtein 1966); with kIndel a replacement counts as two (MMDS, section 3.5.5). In
/// O(within x length): only the band of the table about its diagonal is filled in (Ukkonen 1985).
/// Asks `cancelled` now and then, and returns nothing after a yes.
/// REQUIRES: IsOfStrings(kind).
std::optional<uint32_t> EditDistance(std::u32string_view a, std::u32string_view b, uint32_t within,
                                     DistanceKind kind = DistanceKind::kEdit,
                                     const std::function<bool()>& cancelled = {});

/// Every pair of strings within `within` edits, none else, each once, to `take` as JoinPoints does;
/// task.within and task.recall have no use. Candidates are complete: a string is cut into within +
/// 1 pieces, of which one is untouched by so many edits, and stands in the other string at a place
/// that differs by the edits before and behind it (Pass-Join: Li, Deng, Wang and Feng, VLDB 2012).
/// That holds for both kinds of edits, as an insertion or a deletion is an edit of kEdit.
Status JoinStrings(const StringSet& strings, uint32_t within, DistanceKind kind,
                   const JoinTask& task,
                   const std::function<Status(std::span<const PointPair>)>& take);

}  // namespace lookalike

#endif  // LOOKALIKE_DISTANCES_EDIT_JOIN_H_
