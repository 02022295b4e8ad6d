// The shares of tasks in what is done by keys. Copies are divided by hash, features and band keys
// by partition.
#ifndef LOOKALIKE_RUN_KEY_UNITS_H_
#define LOOKALIKE_RUN_KEY_UNITS_H_

#include <algorithm>
#include <cstdint>

namespace lookalike {

/// Partitions of keys that follow one another.
struct PartitionRange {
  uint32_t first = 0, end = 0;

  [[nodiscard]] uint32_t size() const { return end - first; }
  [[nodiscard]] bool Has(uint32_t partition) const { return partition >= first && partition < end; }
};

/// Returns the number of units into which tasks divide keys of so many partitions. Each has four
/// partitions, so that a task can use several threads.
constexpr uint32_t KeyUnits(uint32_t partitions) { return std::max(1U, partitions / 4); }

/// Returns the partitions of unit `unit` of `units`. REQUIRES: `units` divides `partitions`.
constexpr PartitionRange PartitionsOf(uint64_t unit, uint32_t units, uint32_t partitions) {
  const auto each = partitions / units;
  const auto first = static_cast<uint32_t>(unit) * each;
  return {first, first + each};
}

/// Returns the unit of a hash when all hashes are divided into `units` equal ranges.
constexpr uint64_t UnitOfHash(uint64_t hash, uint32_t units) { return (hash >> 32) * units >> 32; }

}  // namespace lookalike

#endif  // LOOKALIKE_RUN_KEY_UNITS_H_
