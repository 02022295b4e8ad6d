// The key records of one partition, wherever they are stored, and how a large partition is divided.
#ifndef LOOKALIKE_SEARCH_KEY_RECORDS_H_
#define LOOKALIKE_SEARCH_KEY_RECORDS_H_

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "records/bitmap.h"
#include "records/records.h"
#include "run/units.h"
#include "run/workspace.h"
#include "search/keep_order.h"
#include "stages/candidates/buckets.h"
#include "threads/spares.h"

namespace lookalike {

/// Records that can be read any number of times; their members are ranks.
class KeyRecords {
 public:
  using Visit = std::function<Status(std::span<const KeyRecord>)>;
  virtual ~KeyRecords() = default;
  /// Returns an upper bound on the number of records.
  [[nodiscard]] virtual uint64_t size() const = 0;
  /// Passes all records on, in blocks.
  virtual Status ForEach(const Visit& visit) const = 0;
};

/// The keys of the representatives in one partition, from pass one.
class PackedKeys : public KeyRecords {
 public:
  PackedKeys(const DocumentUnits& units, const Ranking& ranking, const Bitmap& reps,
             uint32_t partition)
      : units_(units), ranking_(ranking), reps_(reps), stream_(kUnitKeys + partition) {}
  [[nodiscard]] uint64_t size() const override;
  Status ForEach(const Visit& visit) const override;

 private:
  const DocumentUnits& units_;
  const Ranking& ranking_;
  const Bitmap& reps_;
  uint32_t stream_;
};

/// Plain records in one stream of some runs.
class StoredKeys : public KeyRecords {
 public:
  StoredKeys(std::vector<RunPointer> runs, uint32_t stream)
      : runs_(std::move(runs)), stream_(stream) {}
  [[nodiscard]] uint64_t size() const override;
  Status ForEach(const Visit& visit) const override;

 private:
  std::vector<RunPointer> runs_;
  uint32_t stream_;
};

/// Joins all buckets of some records, however many there are: whatever does not fit in `bytes` of
/// memory is divided by further bits of the keys, through temporary runs; a single key that does
/// not fit becomes a bitmap of its members.
class PartitionJoin {
 public:
  /// Memory for the records of a partition, which later ones use again.
  using Buffers = Spares<std::vector<KeyRecord>>;

  PartitionJoin(Workspace* workspace, uint64_t ranks, uint64_t bytes, Buffers* buffers,
                BucketJoin* join)
      : workspace_(*workspace),
        ranks_(ranks),
        most_(bytes / sizeof(KeyRecord)),
        buffers_(*buffers),
        join_(*join) {}

  /// `shift`: the number of top bits of the keys that are known to be equal.
  Status Join(const KeyRecords& records, uint32_t shift);

 private:
  static constexpr uint32_t kDivideBits = 8;
  static constexpr uint32_t kParts = uint32_t{1} << kDivideBits;

  struct Range {
    uint64_t low = UINT64_MAX, high = 0;
  };
  Result<RunPointer> Distribute(const KeyRecords& records, uint32_t shift,
                                std::array<Range, kParts>* ranges);
  Status JoinInMemory(const KeyRecords& records);
  Status JoinOneKey(uint64_t key, const KeyRecords& records);
  Status Divide(const KeyRecords& records, uint32_t shift);

  Workspace& workspace_;
  uint64_t ranks_, most_;
  Buffers& buffers_;
  BucketJoin& join_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_SEARCH_KEY_RECORDS_H_
