// The bucket join with everything in memory: all levels, any partitioning, either form of buckets.
#ifndef LOOKALIKE_TESTS_ORACLE_MEMORY_JOIN_H_
#define LOOKALIKE_TESTS_ORACLE_MEMORY_JOIN_H_

#include <algorithm>
#include <cstring>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "stages/candidates/buckets.h"

namespace lookalike {

/// Codes by rank, or by document if an order is given. Records which codes were requested.
class MemoryCodes : public CodeSource {
 public:
  MemoryCodes(const uint8_t* codes, uint32_t width, const DocNumber* order = nullptr)
      : codes_(codes), width_(width), order_(order) {}

  [[nodiscard]] uint32_t width() const override { return width_; }

  Status Gather(std::span<const Rank> ranks, uint8_t* codes) const override {
    for (size_t i = 0; i < ranks.size(); ++i) {
      if (i > 0 && ranks[i - 1] >= ranks[i])
        return InputError("ranks must be ascending and distinct");
      const uint64_t row = order_ == nullptr ? ranks[i] : order_[ranks[i]];
      std::memcpy(codes + i * width_, codes_ + row * width_, width_);
    }
    gathered_ += ranks.size();
    most_at_once_ = std::max(most_at_once_, ranks.size());
    return {};
  }

  [[nodiscard]] uint64_t gathered() const { return gathered_; }
  [[nodiscard]] size_t most_at_once() const { return most_at_once_; }

 private:
  const uint8_t* codes_;
  uint32_t width_;
  const DocNumber* order_;
  mutable uint64_t gathered_ = 0;
  mutable size_t most_at_once_ = 0;
};

/// A sink that keeps everything.
struct MemorySink : JoinSink {
  std::vector<CandidatePair> pairs;
  std::vector<KeyRecord> refined;

  Status AddPairs(std::span<const CandidatePair> some) override {
    pairs.insert(pairs.end(), some.begin(), some.end());
    return {};
  }
  Status AddRefined(std::span<const KeyRecord> some) override {
    refined.insert(refined.end(), some.begin(), some.end());
    return {};
  }
};

/// The division of the work; none of it may change a result.
struct MemoryJoinCut {
  uint32_t partition_bits = 0;
  uint64_t code_bytes = uint64_t{1} << 20;
  uint64_t bitmap_from = UINT64_MAX;  ///< Size from which a bucket is given as a bitmap.
};

struct MemoryJoined {
  std::vector<CandidatePair> pairs;  ///< Sorted and distinct.
  BucketCounts counts;
  uint64_t pairs_given = 0;  ///< Including repetitions.
};

namespace memory_join {

/// Joins one partition of one level: large buckets as bitmaps, the rest as records.
inline Status JoinPartition(std::vector<KeyRecord> records, BucketJoin* join, uint64_t bitmap_from,
                            Rank ranks) {
  std::map<uint64_t, uint64_t> sizes;
  if (bitmap_from != UINT64_MAX) {
    for (const KeyRecord& record : records) ++sizes[record.key];
  }
  for (const auto& [key, size] : sizes) {
    if (size < bitmap_from) continue;
    Bitmap members(ranks);
    for (const KeyRecord& record : records) {
      if (record.key == key) members.Set(record.member);
    }
    LOOKALIKE_RETURN_IF_ERROR(join->JoinBucket(key, members));
    std::erase_if(records, [key = key](const KeyRecord& record) { return record.key == key; });
  }
  return join->Join(records);
}

/// Counts the codes of a pair that agree; the smallest buckets give their pairs unchecked.
inline Result<uint32_t> EqualCodes(const CodeSource& codes, const CandidatePair& pair) {
  std::vector<uint8_t> rows(2 * size_t{codes.width()});
  LOOKALIKE_RETURN_IF_ERROR(codes.Gather(std::vector<Rank>{pair.a, pair.d}, rows.data()));
  uint32_t equal = 0;
  for (uint32_t i = 0; i < codes.width(); ++i) equal += rows[i] == rows[codes.width() + i];
  return equal;
}

}  // namespace memory_join

/// Joins level after level until no bucket is split.
inline Result<MemoryJoined> JoinInMemory(std::vector<KeyRecord> records, const CodeSource& codes,
                                         const BucketRules& rules, const PairScope& scope = {},
                                         const MemoryJoinCut& cut = {}) {
  MemoryJoined joined;
  MemorySink sink;
  Rank ranks = 0;
  for (const KeyRecord& record : records) ranks = std::max(ranks, record.member + 1);
  for (uint32_t level = 0; !records.empty(); ++level) {
    std::vector<std::vector<KeyRecord>> partitions(size_t{1} << cut.partition_bits);
    for (const KeyRecord& record : records) {
      partitions[cut.partition_bits == 0 ? 0 : record.key >> (64 - cut.partition_bits)].push_back(
          record);
    }
    records = {};
    for (auto& some : partitions) {
      BucketJoin join(codes, rules, scope, level, cut.code_bytes, &sink, &joined.counts);
      LOOKALIKE_RETURN_IF_ERROR(
          memory_join::JoinPartition(std::move(some), &join, cut.bitmap_from, ranks));
    }
    records = std::exchange(sink.refined, {});
  }
  joined.pairs_given = sink.pairs.size();
  SortDistinct(&sink.pairs);
  for (const CandidatePair& pair : sink.pairs) {
    LOOKALIKE_ASSIGN_OR_RETURN(const uint32_t equal, memory_join::EqualCodes(codes, pair));
    if (equal >= rules.agreement_floor) joined.pairs.push_back(pair);
  }
  joined.counts.pairs_passed = joined.pairs.size();
  return joined;
}

}  // namespace lookalike

#endif  // LOOKALIKE_TESTS_ORACLE_MEMORY_JOIN_H_
