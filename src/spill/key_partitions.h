// Key records, radix-partitioned by key: every record with one key is in one partition.
#ifndef LOOKALIKE_SPILL_KEY_PARTITIONS_H_
#define LOOKALIKE_SPILL_KEY_PARTITIONS_H_

#include <cstdint>
#include <span>
#include <vector>

#include "flow/records.h"

namespace lookalike {

/// Collects records in any order of keys and gives them back partition by partition. The number of
/// partitions changes neither the records nor what is computed from them.
class KeyPartitions {
 public:
  explicit KeyPartitions(uint32_t bits = 6) : bits_(bits), partitions_(size_t{1} << bits) {}

  void Append(KeyRecord record) { partitions_[record.key >> (64 - bits_)].push_back(record); }

  /// Forgets the records of members at or above `first` (of an input that turned out bad).
  /// REQUIRES: members were appended in ascending order.
  void DropFrom(uint64_t first) {
    for (auto& partition : partitions_) {
      while (!partition.empty() && partition.back().member >= first) partition.pop_back();
    }
  }

  [[nodiscard]] size_t partition_count() const { return partitions_.size(); }

  /// Hands over one partition, which is empty afterwards. Safe to call from several threads for
  /// different partitions.
  [[nodiscard]] std::vector<KeyRecord> Take(size_t partition) {
    return std::move(partitions_[partition]);
  }

 private:
  uint32_t bits_;
  std::vector<std::vector<KeyRecord>> partitions_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_SPILL_KEY_PARTITIONS_H_
