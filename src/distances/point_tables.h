// Points sorted by their keys, one table after the other.
#ifndef LOOKALIKE_DISTANCES_POINT_TABLES_H_
#define LOOKALIKE_DISTANCES_POINT_TABLES_H_

#include <cstdint>
#include <span>
#include <vector>

#include "distances/distance.h"
#include "distances/point_keys.h"

namespace lookalike {

class PointTables {
 public:
  /// `metric` outlives the tables.
  PointTables(const Metric& metric, const KeyDesign& design, uint64_t seed)
      : metric_(metric), design_(design), seed_(seed) {}

  /// Makes the next table, in parallel: its keys, and the points by key, then number.
  void MakeNext();

  /// Key << 32 | point, ascending.
  [[nodiscard]] std::span<const uint64_t> order() const { return order_; }

  /// Whether a table before the last one has two points under one key.
  [[nodiscard]] bool SharedBefore(uint32_t a, uint32_t b) const {
    return Shared(tables_ - 1, a, b);
  }
  /// Whether any table made so far has.
  [[nodiscard]] bool SharedYet(uint32_t a, uint32_t b) const { return Shared(tables_, a, b); }

 private:
  static constexpr uint32_t kBlock = 16;  ///< Tables whose keys of a point fill a cache line.

  [[nodiscard]] bool Shared(uint32_t tables, uint32_t a, uint32_t b) const;

  const Metric& metric_;
  KeyDesign design_;
  uint64_t seed_;
  uint32_t tables_ = 0;                        ///< Made so far.
  std::vector<std::vector<uint32_t>> blocks_;  ///< Keys by block of tables, point, table.
  std::vector<uint64_t> order_;
};

/// Sorts points by keys: key << 32 | point.
std::vector<uint64_t> OrderOf(std::span<const uint32_t> keys);

/// Where to cut an order so that the pairs of points of equal keys between two cuts are a million,
/// or those of one point with what is behind it.
std::vector<size_t> CutByPairs(std::span<const uint64_t> order);

constexpr uint32_t KeyOfEntry(uint64_t entry) { return static_cast<uint32_t>(entry >> 32); }
constexpr uint32_t PointOfEntry(uint64_t entry) { return static_cast<uint32_t>(entry); }

}  // namespace lookalike

#endif  // LOOKALIKE_DISTANCES_POINT_TABLES_H_
