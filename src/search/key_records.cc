#include "search/key_records.h"

#include <algorithm>
#include <array>
#include <utility>

#include "spill/record_reader.h"

namespace lookalike {

uint64_t PackedKeys::size() const {
  uint64_t bytes = 0;
  for (const Unit& unit : units_.units) bytes += unit.run->bytes(stream_);
  return bytes / sizeof(PackedKey);
}

Status PackedKeys::ForEach(const Visit& visit) const {
  RecordReader<PackedKey> reader(units_.runs(), stream_);
  std::vector<KeyRecord> block;
  for (auto packed = reader.NextBlock(); !packed.empty(); packed = reader.NextBlock()) {
    const DocNumber first = units_.units[reader.run()].first;
    block.clear();
    for (const PackedKey& key : packed) {
      const DocNumber doc = first + key.doc;
      if (reps_.Test(doc)) block.push_back({ranking_.RankOf(doc), key.key()});
    }
    LOOKALIKE_RETURN_IF_ERROR(visit(block));
  }
  return reader.status();
}

uint64_t StoredKeys::size() const {
  uint64_t bytes = 0;
  for (const RunPointer& run : runs_) bytes += run->bytes(stream_);
  return bytes / sizeof(KeyRecord);
}

Status StoredKeys::ForEach(const Visit& visit) const {
  RecordReader<KeyRecord> reader(runs_, stream_);
  for (auto block = reader.NextBlock(); !block.empty(); block = reader.NextBlock()) {
    LOOKALIKE_RETURN_IF_ERROR(visit(block));
  }
  return reader.status();
}

Status PartitionJoin::Join(const KeyRecords& records, uint32_t shift) {
  return records.size() <= most_ ? JoinInMemory(records) : Divide(records, shift);
}

Status PartitionJoin::JoinInMemory(const KeyRecords& records) {
  std::vector<KeyRecord> all = buffers_.Take();
  all.clear();
  // Partitions are of about the same size, so that the next one fits too.
  if (all.capacity() < records.size()) all.reserve(records.size() + records.size() / 8);
  Status done = records.ForEach([&](std::span<const KeyRecord> block) -> Status {
    all.insert(all.end(), block.begin(), block.end());
    return {};
  });
  if (done) done = join_.Join(all);
  buffers_.Return(std::move(all));
  return done;
}

Status PartitionJoin::JoinOneKey(uint64_t key, const KeyRecords& records) {
  Bitmap members(ranks_);
  LOOKALIKE_RETURN_IF_ERROR(records.ForEach([&](std::span<const KeyRecord> block) -> Status {
    for (const KeyRecord& record : block) members.Set(record.member);
    return {};
  }));
  return join_.JoinBucket(key, members);
}

Result<RunPointer> PartitionJoin::Distribute(const KeyRecords& records, uint32_t shift,
                                             std::array<Range, kParts>* ranges) {
  auto writer = workspace_.store().Temporary(kParts, RunStore::kSmallestChunkBytes);
  const Status done = records.ForEach([&](std::span<const KeyRecord> block) -> Status {
    for (const KeyRecord& record : block) {
      const auto part = static_cast<uint32_t>(record.key << shift >> (64 - kDivideBits));
      Range& range = (*ranges)[part];
      range.low = std::min(range.low, record.key);
      range.high = std::max(range.high, record.key);
      LOOKALIKE_RETURN_IF_ERROR(writer->AppendRecord(part, record));
    }
    return {};
  });
  if (!done) return tl::make_unexpected(done.error());
  return writer->Finish();
}

Status PartitionJoin::Divide(const KeyRecords& records, uint32_t shift) {
  std::array<Range, kParts> ranges;
  LOOKALIKE_ASSIGN_OR_RETURN(const RunPointer run, Distribute(records, shift, &ranges));
  for (uint32_t part = 0; part < kParts; ++part) {
    const StoredKeys some({run}, part);
    const bool one_key = ranges[part].low == ranges[part].high;
    LOOKALIKE_RETURN_IF_ERROR(one_key && some.size() > most_ ? JoinOneKey(ranges[part].low, some)
                                                             : Join(some, shift + kDivideBits));
  }
  return {};
}

}  // namespace lookalike
