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

/// Which cells of which grids stand for a point.
struct CellRule {
  double width = 1;     ///< Of a cell, along each axis.
  double radius = 0;    ///< The cells whose centres are so near; 0: the one that the point is in.
  uint32_t grids = 1;   ///< That one in so many grids, each shifted at random.
  uint32_t window = 0;  ///< So many numbers in a row are a point; 0: the text says which are.
  bool operator==(const CellRule&) const = default;
};

/// What no document has more of: numbers of one point, cells of one point's cube (below), features.
inline constexpr uint64_t kMostDimensions = 4096;
inline constexpr uint64_t kMostCellsOfPoint = 4096;
inline constexpr uint64_t kMostCellsOfText = uint64_t{1} << 24;

/// A number divided by the width of a cell may be at most so large: then all that is computed of
/// cells is exact but for that division and the squares of distances.
inline constexpr double kLargestCell = 0x1p50;

/// What a rule may be: finite widths above 0; with a radius, the width at most, and few enough
/// cells on a line. The Error says what is wrong of it.
Status CheckRule(const CellRule& rule);

/// The points of a text.
struct PointList {
  std::vector<double> values;   ///< All their numbers, one point after the other.
  std::vector<ByteSpan> spans;  ///< Of each point, from its first number to its last.
  uint32_t dimension = 0;       ///< Numbers of each. With a window 1: the spans are of numbers.
};

/// Reads a list of points: numbers, separated by white space, a comma or U+001E, and points, each
/// ended by a semicolon or a line end or in brackets of its own; brackets may stand around all, and
/// in brackets a line end is white space. With a window all numbers are one series, whatever
/// separates them. Numbers are decimal; none is NaN, infinite or beyond what a double holds. The
/// Error says what else was met, and where, and names the `option` that asked for numbers; `points`
/// then holds the whole points before it. REQUIRES: text below 4 GiB.
Status ReadPoints(std::string_view text, const CellRule& rule, PointList* points,
                  std::string_view option = "--shingle");

/// Appends the hashes of the cells of each point, or of each window of a series, in order, and to
/// `ends` how many there are up to the end of each. A series shorter than its window, but not
/// empty, is one point of fewer dimensions. Equal cells of equal grids and as many dimensions have
/// equal hashes; others do not, but by chance. `seed` decides the hashes and how grids are shifted.
/// REQUIRES: `points` is what ReadPoints made by this rule.
///
/// With a radius r = R / Q, in units of the width Q, the cells of a point u are those whose centres
/// k + 1/2 have |k + 1/2 - u| < r by the Euclidean distance; of two opposite ones at exactly r one
/// counts, that with the lesser first coordinate in which they differ from u. So on a line each
/// point has 2r cells where that is whole, and two of distance d, a multiple of Q, share all but
/// d / Q of them: J = (2R - d) / (2R + d).
/// Without one, a cell is shared in a grid with probability max(0, 1 - |d_i| / W), multiplied over
/// the axes i.
void AppendCells(const PointList& points, const CellRule& rule, uint64_t seed,
                 std::vector<uint64_t>* features, std::vector<uint32_t>* ends);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_FEATURES_POINTS_H_
