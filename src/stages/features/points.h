// Imprecise features: points of a metric space as the cells of grids around them (Manasse, "Finding
// similar things quickly in large collections", Imprecise features).
#ifndef LOOKALIKE_STAGES_FEATURES_POINTS_H_
#define LOOKALIKE_STAGES_FEATURES_POINTS_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "lookalike/status.h"
#include "stages/features/words.h"

namespace lookalike {

/// The choice of the grid cells that represent a point.
struct CellRule {
  double width = 1;     ///< Side of a cell, along each axis.
  double radius = 0;    ///< Takes the cells with centres within it; 0: the point's own cell.
  uint32_t grids = 1;   ///< Number of grids, each shifted at random, that give one cell each.
  uint32_t window = 0;  ///< Consecutive numbers that form a point; 0: the text separates points.
  bool operator==(const CellRule&) const = default;
};

/// Limits for every document: numbers of one point, cells of one point's cube (below), features.
inline constexpr uint64_t kMostDimensions = 4096;
inline constexpr uint64_t kMostCellsOfPoint = 4096;
inline constexpr uint64_t kMostCellsOfText = uint64_t{1} << 24;

/// Largest allowed ratio of a number to the width of a cell. Up to it, all computations on cells
/// are exact, except for that division and the squares of distances.
inline constexpr double kLargestCell = 0x1p50;

/// Checks that widths are finite and above 0 and, if there is a radius, that it is at least the
/// width and gives few enough cells on a line. The Error says what is wrong.
Status CheckRule(const CellRule& rule);

/// The points of a text.
struct PointList {
  std::vector<double> values;   ///< All their numbers, point after point.
  std::vector<ByteSpan> spans;  ///< The span of each point, from its first number to its last.
  uint32_t dimension = 0;  ///< Numbers per point; 1 with a window: then each number has a span.
};

/// Reads a list of points. Numbers are separated by white space, a comma or U+001E; each point ends
/// with a semicolon or a line end, or has its own brackets. Brackets may also enclose the whole
/// list, and inside brackets a line end is white space. With a window, all numbers form one series,
/// whatever separates them. Numbers are decimal; none may be NaN, infinite or out of range for a
/// double. The Error says what was found instead, and where, and names the `option` that asked for
/// numbers; `points` then holds the whole points before it. REQUIRES: text below 4 GiB.
Status ReadPoints(std::string_view text, const CellRule& rule, PointList* points,
                  std::string_view option = "shingle");

/// Appends the hashes of the cells of each point, or of each window of a series, in order, and
/// appends to `ends` the running count after each point. A series that is not empty, but shorter
/// than its window, is one point of fewer dimensions. Hashes are equal for equal cells of the same
/// grid and dimension, and otherwise only by chance. `seed` determines the hashes and the shifts of
/// the grids. REQUIRES: `points` was made by ReadPoints with this rule.
///
/// With a radius r = R / Q, in units of the width Q, the cells of a point u are those whose centres
/// k + 1/2 have |k + 1/2 - u| < r by the Euclidean distance. Of two opposite cells at exactly r,
/// only the one with the lesser first coordinate that differs from u counts. So on a line each
/// point has 2r cells if 2r is a whole number, and two points at distance d, a multiple of Q, share
/// all but d / Q of them: J = (2R - d) / (2R + d).
/// Without a radius, two points share their cell in a grid with probability max(0, 1 - |d_i| / W),
/// multiplied over the axes i.
void AppendCells(const PointList& points, const CellRule& rule, uint64_t seed,
                 std::vector<uint64_t>* features, std::vector<uint32_t>* ends);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_FEATURES_POINTS_H_
