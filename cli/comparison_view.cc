#include "comparison_view.h"

#include <fmt/format.h>
#include <wchar.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "quantity.h"
#include "terminal.h"

namespace lookalike::cli {
namespace {

constexpr size_t kMaxPassages = 20;
constexpr size_t kMaxLines = 8;    // per passage
constexpr uint64_t kContext = 40;  // code points on either side
constexpr std::string_view kSeparator = " | ";

/// One position of the terminal: a character with its combining marks.
struct Cell {
  std::string bytes;
  size_t columns = 1;
  bool shared = false;
};

using Line = std::vector<Cell>;

/// Returns the bytes of each code point of valid UTF-8.
std::vector<std::string_view> CodePoints(std::string_view text) {
  std::vector<std::string_view> points;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = begin + 1;
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) ++end;
    points.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  return points;
}

wchar_t Value(std::string_view bytes) {
  const auto first = static_cast<unsigned char>(bytes[0]);
  if (bytes.size() == 1) return static_cast<wchar_t>(first);
  uint32_t value = first & (0x7Fu >> bytes.size());
  for (const char c : bytes.substr(1)) value = value << 6 | (static_cast<unsigned char>(c) & 0x3Fu);
  return static_cast<wchar_t>(value);
}

/// Appends code points [begin, end): runs of white space and controls become one blank.
void AppendCells(const std::vector<std::string_view>& points, uint64_t begin, uint64_t end,
                 bool shared, Line* cells) {
  for (uint64_t i = begin; i < std::min<uint64_t>(end, points.size()); ++i) {
    const int columns = wcwidth(Value(points[i]));
    const bool blank = points[i] == " " || points[i] == "\u00A0" || columns < 0;
    if (blank) {
      if (cells->empty() || cells->back().bytes != " ") cells->push_back({" ", 1, shared});
    } else if (columns == 0) {
      if (!cells->empty()) cells->back().bytes += points[i];
    } else {
      cells->push_back({std::string(points[i]), static_cast<size_t>(columns), shared});
    }
  }
}

size_t Columns(const Line& line) {
  size_t columns = 0;
  for (const Cell& cell : line) columns += cell.columns;
  return columns;
}

/// Breaks lines at blanks if there is one in the line's second half, else anywhere.
std::vector<Line> Wrap(const Line& cells, size_t width) {
  std::vector<Line> lines(1);
  size_t columns = 0;
  for (const Cell& cell : cells) {
    if (columns + cell.columns > width) {
      Line& full = lines.back();
      Line rest;
      while (full.size() > width / 2 && full.back().bytes != " " && cell.bytes != " " &&
             rest.size() < width / 2) {
        rest.insert(rest.begin(), full.back());
        full.pop_back();
      }
      columns = Columns(rest);
      lines.push_back(std::move(rest));
    }
    if (lines.back().empty() && cell.bytes == " ") continue;
    lines.back().push_back(cell);
    columns += cell.columns;
  }
  return lines;
}

void CutMiddle(std::vector<Line>* lines) {
  if (lines->size() <= kMaxLines) return;
  constexpr size_t kHead = kMaxLines - 3;
  lines->erase(lines->begin() + kHead, lines->end() - 2);
  lines->insert(lines->begin() + kHead, Line{{".", 1, false}, {".", 1, false}, {".", 1, false}});
}

/// Returns one excerpt: some text before, the passage, some text after.
std::vector<Line> Excerpt(const std::vector<std::string_view>& points, uint64_t begin, uint64_t end,
                          size_t width, bool colour) {
  Line cells;
  AppendCells(points, begin - std::min(begin, kContext), begin, false, &cells);
  if (!colour) cells.push_back({"[", 1, false});
  AppendCells(points, begin, end, true, &cells);
  if (!colour) cells.push_back({"]", 1, false});
  AppendCells(points, end, end + kContext, false, &cells);
  std::vector<Line> lines = Wrap(cells, width);
  CutMiddle(&lines);
  return lines;
}

std::string Render(const Line& line, bool colour) {
  std::string text;
  bool green = false;
  for (const Cell& cell : line) {
    if (colour && cell.shared != green) text += cell.shared ? "\x1b[32m" : "\x1b[0m";
    green = cell.shared;
    text += cell.bytes;
  }
  return colour && green ? text + "\x1b[0m" : text;
}

std::string SideBySide(const std::vector<Line>& left, const std::vector<Line>& right, size_t width,
                       bool colour) {
  static const Line kNone;
  std::string text;
  for (size_t i = 0; i < std::max(left.size(), right.size()); ++i) {
    const Line& a = i < left.size() ? left[i] : kNone;
    const Line& b = i < right.size() ? right[i] : kNone;
    text += Render(a, colour);
    text += std::string(width - std::min(width, Columns(a)), ' ');
    text += kSeparator;
    text += Render(b, colour) + "\n";
  }
  return text;
}

std::string Estimates(const Comparison& c) {
  std::string text = fmt::format("resemblance  {:.4f} +- {:.4f}, estimated from sketches\n",
                                 c.resemblance, c.standard_error);
  text += fmt::format("A in B       {:.4f}  (of about {})\n", c.containment_ab, Count(c.size_a));
  text += fmt::format("B in A       {:.4f}  (of about {})\n", c.containment_ba, Count(c.size_b));
  return text;
}

std::string Measures(const Comparison& c, const std::string& a, const std::string& b) {
  std::string text = fmt::format("A  {}\nB  {}\n\n", OneLine(a), OneLine(b));
  if (c.distance) return text + fmt::format("distance  {}\n", *c.distance);
  if (!c.exact) return text + Estimates(c);
  text += fmt::format("resemblance  {:.6f}  ({} common of {})\n", c.resemblance, Count(c.common),
                      Count(c.size_union, "shingle"));
  text += fmt::format("A in B       {:.6f}  (of {})\n", c.containment_ab, Count(c.size_a));
  text += fmt::format("B in A       {:.6f}  (of {})\n", c.containment_ba, Count(c.size_b));
  return text;
}

}  // namespace

std::string ViewComparison(const Comparison& comparison, const std::string& a, const std::string& b,
                           const ViewStyle& style) {
  std::string text = Measures(comparison, a, b);
  const std::vector<std::string_view> points_a = CodePoints(comparison.text_a);
  const std::vector<std::string_view> points_b = CodePoints(comparison.text_b);
  const size_t width = (std::max<size_t>(style.width, 40) - kSeparator.size()) / 2;
  const size_t shown = std::min(comparison.passages.size(), kMaxPassages);
  for (size_t i = 0; i < shown; ++i) {
    const Passage& p = comparison.passages[i];
    text += fmt::format("\npassage {} of {}: A {}-{}, B {}-{}\n", i + 1, comparison.passages.size(),
                        p.a_begin, p.a_end, p.b_begin, p.b_end);
    text +=
        SideBySide(Excerpt(points_a, p.a_begin, p.a_end, width, style.colour),
                   Excerpt(points_b, p.b_begin, p.b_end, width, style.colour), width, style.colour);
  }
  if (shown < comparison.passages.size()) {
    text += fmt::format("\n... and {}; --json lists all\n",
                        Count(comparison.passages.size() - shown, "more passage"));
  }
  return text;
}

}  // namespace lookalike::cli
