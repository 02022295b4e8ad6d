#include "results/excerpts.h"

#include <algorithm>
#include <utility>

#include "results/passages.h"
#include "text/utf8.h"

namespace lookalike {
namespace {

/// The bytes shown before a passage, starting at the first word that begins within them.
constexpr size_t kContext = 160;

/// A range of bytes in a text.
struct Range {
  size_t begin = 0, end = 0;
};

size_t CommonBytes(const Range& x, const Range& y) {
  const size_t begin = std::max(x.begin, y.begin), end = std::min(x.end, y.end);
  return end > begin ? end - begin : 0;
}

/// Returns the positions of the passages in one of the texts.
std::vector<Range> PlacesIn(std::string_view text, const std::vector<Passage>& passages,
                            Side side) {
  std::vector<Range> places(passages.size());
  std::vector<std::pair<uint64_t, size_t*>> wanted;
  for (size_t i = 0; i < passages.size(); ++i) {
    const Passage& p = passages[i];
    wanted.emplace_back(side == Side::kA ? p.a_begin : p.b_begin, &places[i].begin);
    wanted.emplace_back(side == Side::kA ? p.a_end : p.b_end, &places[i].end);
  }
  std::sort(wanted.begin(), wanted.end());
  size_t byte = 0;
  uint64_t at = 0;
  for (const auto& [point, place] : wanted) {
    for (; at < point; ++at) byte += ReadValidCodePoint(text.data() + byte).length;
    *place = byte;
  }
  return places;
}

/// Returns where an excerpt around the position `at` begins.
size_t BeginBefore(std::string_view text, size_t at) {
  if (at <= kContext) return 0;
  const size_t blank = text.find_first_of(" \n\t", at - kContext);
  return blank < at ? blank + 1 : at;
}

Range WindowAt(std::string_view text, size_t begin, size_t bytes) {
  size_t end = std::min(text.size(), begin + bytes);
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return {begin, end};
}

size_t Held(const Range& window, const std::vector<Range>& places) {
  size_t held = 0;
  for (const Range& place : places) held += CommonBytes(window, place);
  return held;
}

/// Returns the first window that shows nearly as much as the best one.
Range BestWindow(std::string_view text, const std::vector<Range>& places, size_t bytes) {
  const Range front = WindowAt(text, 0, bytes);
  if (front.end == text.size()) return front;
  std::vector<std::pair<Range, size_t>> windows = {{front, Held(front, places)}};
  size_t most = windows.front().second;
  for (const Range& place : places) {
    const Range window = WindowAt(text, BeginBefore(text, place.begin), bytes);
    windows.emplace_back(window, Held(window, places));
    most = std::max(most, windows.back().second);
  }
  return std::find_if(windows.begin(), windows.end(),
                      [&](const auto& window) { return 4 * window.second >= 3 * most; })
      ->first;
}

/// Returns where the part of a passage that a window of the first text shows is in the second text.
/// Both contain the same words, so their lengths are similar.
Range PartInOther(const Range& shown, const Range& here, const Range& there,
                  std::string_view other) {
  Range part = there;
  part.begin += std::min(std::max(shown.begin, here.begin) - here.begin, there.end - there.begin);
  const size_t behind = here.end - std::min(shown.end, here.end);
  part.end = std::max(part.begin, there.end - std::min(behind, there.end - there.begin));
  while (part.begin > there.begin && part.begin < other.size() &&
         (static_cast<unsigned char>(other[part.begin]) & 0xC0) == 0x80) {
    --part.begin;
  }
  return part;
}

TextExcerpt ExcerptAt(std::string_view text, const Range& window) {
  return {std::string(text.substr(window.begin, window.end - window.begin)),
          CountCodePoints(text.substr(0, window.begin)), window.end < text.size()};
}

}  // namespace

ExcerptPair ChooseExcerpts(std::string_view a, std::string_view b,
                           const std::vector<Passage>& passages, size_t bytes) {
  const std::vector<Range> in_a = PlacesIn(a, passages, Side::kA);
  const std::vector<Range> in_b = PlacesIn(b, passages, Side::kB);
  const Range of_a = BestWindow(a, in_a, bytes);
  // Show the same part of the second text as of the first, so that they match side by side.
  std::vector<Range> shown;
  for (size_t i = 0; i < in_a.size(); ++i) {
    if (CommonBytes(of_a, in_a[i]) > 0) {
      shown.push_back(PartInOther(of_a, in_a[i], in_b[i], b));
    }
  }
  return {ExcerptAt(a, of_a), ExcerptAt(b, BestWindow(b, shown, bytes))};
}

}  // namespace lookalike
