// Keys of all points, the points sorted by key, and the pairs that share keys.
#ifndef LOOKALIKE_USES_DISTANCES_JOINS_POINT_TABLES_H_
#define LOOKALIKE_USES_DISTANCES_JOINS_POINT_TABLES_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "uses/distances/joins/distance.h"
#include "uses/distances/joins/point_keys.h"

namespace lookalike {

/// Makes the keys of all points in one table, in parallel.
std::vector<uint32_t> MakeKeys(const Metric& metric, const KeyDesign& design, uint64_t seed,
                               uint32_t table);

/// A record of the points that share keys, in the tables of a design added so far.
class SharedKeys {
 public:
  SharedKeys(size_t points, uint32_t tables) : points_(points), tables_(tables) {}

  /// Adds the keys of the next table. REQUIRES: fewer tables were added than the design has.
  void Add(std::span<const uint32_t> keys);

  /// True if the two points share a key in a table added before the last table.
  [[nodiscard]] bool Before(uint32_t a, uint32_t b) const { return InFirst(added_ - 1, a, b); }
  /// True if the two points share a key in any table added so far.
  [[nodiscard]] bool Yet(uint32_t a, uint32_t b) const { return InFirst(added_, a, b); }

 private:
  static constexpr uint32_t kBlock = 16;  ///< Tables whose keys of a point fill a cache line.

  [[nodiscard]] bool InFirst(uint32_t tables, uint32_t a, uint32_t b) const;
  /// Returns the number of tables in the block of a table.
  [[nodiscard]] uint32_t WidthOf(uint32_t table) const {
    return std::min(kBlock, tables_ - table / kBlock * kBlock);
  }

  size_t points_;
  uint32_t tables_, added_ = 0;
  std::vector<std::vector<uint32_t>> blocks_;  ///< Keys by block of tables, point, table.
};

/// Sorts points by keys: key << 32 | point.
std::vector<uint64_t> OrderOf(std::span<const uint32_t> keys);

/// Cuts an order into parts. A part has about a million pairs of points with equal keys, or all
/// pairs of one point with those after it.
std::vector<size_t> CutByPairs(std::span<const uint64_t> order);

constexpr uint32_t KeyOfEntry(uint64_t entry) { return static_cast<uint32_t>(entry >> 32); }
constexpr uint32_t PointOfEntry(uint64_t entry) { return static_cast<uint32_t>(entry); }

}  // namespace lookalike

#endif  // LOOKALIKE_USES_DISTANCES_JOINS_POINT_TABLES_H_
