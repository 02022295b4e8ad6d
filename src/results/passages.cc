#include "results/passages.h"

#include <algorithm>
#include <span>
#include <tuple>

#include "io/utf8.h"
#include "results/shared_places.h"
#include "stages/features/words.h"
#include "stages/normalize/normalizer.h"
#include "text/utf8.h"

namespace lookalike {
namespace {

// Maximum number of positions in the other text at which a longest match is tried: a phrase that is
// repeated a thousand times must not cost a million comparisons.
constexpr size_t kPlacesTried = 64;

// A run of the same units in both texts, in units.
struct Match {
  size_t a, b, length;
};

// The positions at which each feature of a text begins, ascending.
class FeaturePlaces {
 public:
  FeaturePlaces(std::span<const uint64_t> features, CancelCheck* check) {
    std::vector<std::pair<uint64_t, size_t>> sorted;
    sorted.reserve(features.size());
    for (size_t i = 0; i < features.size(); ++i) sorted.emplace_back(features[i], i);
    std::sort(sorted.begin(), sorted.end());
    features_.reserve(sorted.size());
    places_.reserve(sorted.size());
    for (size_t i = 0; i < sorted.size() && !check->Step(); ++i) {
      features_.push_back(sorted[i].first);
      places_.push_back(sorted[i].second);
    }
  }

  // Most features of a text are in the run that an earlier one began, and are not looked up. So a
  // search among sorted values costs less than a table of them.
  [[nodiscard]] std::span<const size_t> Of(uint64_t feature) const {
    const auto [begin, end] = std::equal_range(features_.begin(), features_.end(), feature);
    return std::span(places_).subspan(static_cast<size_t>(begin - features_.begin()),
                                      static_cast<size_t>(end - begin));
  }

 private:
  std::vector<uint64_t> features_;
  std::vector<size_t> places_;
};

// Counts the equal units starting at unit `i` of `a` and unit `j` of `b`.
size_t CountEqualUnits(const UnitText& a, size_t i, const UnitText& b, size_t j) {
  size_t length = 0;
  while (i + length < a.units.size() && j + length < b.units.size() &&
         a.units[i + length].value == b.units[j + length].value) {
    ++length;
  }
  return length;
}

// Returns the longest run from unit `i` on among features of `b`; if several are equally long, the
// first at or after unit `near`.
Match LongestMatch(const UnitText& a, size_t i, const UnitText& b, std::span<const size_t> places,
                   size_t near) {
  Match best{i, 0, 0};
  const auto first = static_cast<size_t>(
      std::ranges::lower_bound(places, near, {}, [&](size_t place) { return b.first[place]; }) -
      places.begin());
  for (size_t tried = 0; tried < std::min(places.size(), kPlacesTried); ++tried) {
    const size_t j = b.first[places[(first + tried) % places.size()]];
    const size_t length = CountEqualUnits(a, i, b, j);
    if (length > best.length) best = {i, j, length};
  }
  return best;
}

// Goes through `a` and appends the longest run at each shared feature that is not marked in
// `covered` (one flag per feature of `a`).
std::vector<Match> FindMatches(const UnitText& a, const UnitText& b, size_t window,
                               std::vector<bool> covered, CancelCheck* check) {
  const FeaturePlaces places(b.features, check);
  std::vector<Match> matches;
  size_t near = 0, from = 0;  // from: the first unit whose feature is in no match yet
  for (size_t i = 0; i < a.features.size() && !check->Step(); ++i) {
    if (covered[i] || a.first[i] < from) continue;
    const std::span<const size_t> in_b = places.Of(a.features[i]);
    if (in_b.empty()) continue;
    const Match match = LongestMatch(a, a.first[i], b, in_b, near);
    if (match.length < window) continue;  // Different words with the same hash.
    matches.push_back(match);
    near = match.b + match.length + 1 - window;
    from = match.a + match.length + 1 - window;
  }
  return matches;
}

std::vector<Match> FindMatchesBothWays(const UnitText& a, const UnitText& b, size_t window,
                                       CancelCheck* check) {
  std::vector<Match> matches =
      FindMatches(a, b, window, std::vector<bool>(a.features.size()), check);
  std::vector<bool> covered(b.features.size());
  for (const Match& match : matches) {
    const auto begin = std::ranges::lower_bound(b.first, match.b) - b.first.begin();
    const auto end =
        std::ranges::lower_bound(b.first, match.b + match.length + 1 - window) - b.first.begin();
    std::fill(covered.begin() + begin, covered.begin() + end, true);
  }
  for (const Match& back : FindMatches(b, a, window, std::move(covered), check)) {
    matches.push_back({back.b, back.a, back.length});
  }
  return matches;
}

// Finds the match of two texts that are shorter than a shingle: all their units form one feature.
std::vector<Match> FindShortMatch(const UnitText& a, const UnitText& b) {
  const size_t length = a.units.size();
  if (a.features.empty() || length != b.units.size() || CountEqualUnits(a, 0, b, 0) < length)
    return {};
  return {{0, 0, length}};
}

// A cutter of code points of well-formed UTF-8, from front to back.
class CodePointCutter {
 public:
  explicit CodePointCutter(std::string_view text) : text_(text) {}

  // Returns the text up to code point `end`, counted from the front, without what was cut before.
  std::string_view CutTo(uint64_t end) {
    const size_t begin = byte_;
    while (byte_ < text_.size() && code_point_ < end) {
      do ++byte_;
      while (byte_ < text_.size() && (text_[byte_] & 0xC0) == 0x80);
      ++code_point_;
    }
    return text_.substr(begin, byte_ - begin);
  }

 private:
  std::string_view text_;
  size_t byte_ = 0;
  uint64_t code_point_ = 0;
};

// Returns the parts of one side that lie in passages: disjoint, with gaps between them, in order.
std::vector<std::pair<uint64_t, uint64_t>> SharedParts(const std::vector<Passage>& passages,
                                                       Side side) {
  std::vector<std::pair<uint64_t, uint64_t>> parts;
  for (const Passage& p : passages) {
    parts.emplace_back(side == Side::kA ? p.a_begin : p.b_begin,
                       side == Side::kA ? p.a_end : p.b_end);
  }
  std::sort(parts.begin(), parts.end());
  std::vector<std::pair<uint64_t, uint64_t>> merged;
  for (const auto& part : parts) {
    if (!merged.empty() && part.first <= merged.back().second) {
      merged.back().second = std::max(merged.back().second, part.second);
    } else {
      merged.push_back(part);
    }
  }
  return merged;
}

}  // namespace

bool CanBeCut(const FeatureSpec& spec) {
  return FormOfTexts(spec) != TextForm::kItems && !spec.shingle.HasOwnNormalForm();
}

std::vector<Passage> SharedPassages(const UnitText& a, const UnitText& b, const FeatureSpec& spec,
                                    CancelCheck* check) {
  CancelCheck never;
  if (check == nullptr) check = &never;
  const size_t window = spec.shingle.units();
  if (spec.shingle.HasOwnNormalForm()) {
    return SharedPlaces(a, b, window, spec.shingle.kind == ShingleSpec::Kind::kSeries);
  }
  const bool is_short = std::min(a.units.size(), b.units.size()) < window;
  std::vector<Passage> passages;
  for (const Match& match :
       is_short ? FindShortMatch(a, b) : FindMatchesBothWays(a, b, window, check)) {
    const size_t last = match.length - 1;
    passages.push_back({a.units[match.a].begin, a.units[match.a + last].end, b.units[match.b].begin,
                        b.units[match.b + last].end});
  }
  std::sort(passages.begin(), passages.end(), [](const Passage& x, const Passage& y) {
    return std::tie(x.a_begin, x.b_begin, x.a_end) < std::tie(y.a_begin, y.b_begin, y.a_end);
  });
  return passages;
}

std::vector<Passage> SharedPassages(std::string_view a, std::string_view b, const FeatureSpec& spec,
                                    TextKind kind) {
  return SharedPassages(*ReadUnits(a, spec, kind), *ReadUnits(b, spec, kind), spec);
}

std::vector<Segment> SplitByPassages(std::string_view text, const std::vector<Passage>& passages,
                                     Side side, size_t limit) {
  std::string repaired;
  if (!IsUtf8(text)) text = repaired = RepairUtf8(text);
  CodePointCutter cutter(text);
  std::vector<Segment> segments;
  const auto add = [&](uint64_t end, bool shared) {
    const std::string_view cut = cutter.CutTo(std::min<uint64_t>(end, limit));
    if (!cut.empty()) segments.push_back({std::string(cut), shared});
  };
  for (const auto& [begin, end] : SharedParts(passages, side)) {
    add(begin, false);
    add(end, true);
  }
  add(UINT64_MAX, false);
  return segments;
}

}  // namespace lookalike
