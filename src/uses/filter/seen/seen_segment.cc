#include "uses/filter/seen/seen_segment.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "uses/filter/seen/seen_filter.h"

namespace lookalike {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are written as memory has them");

constexpr uint64_t kOnes = 0x0101010101010101ULL, kLow = 0x7f7f7f7f7f7f7f7fULL;
constexpr size_t kPiece = size_t{1} << 18;

uint64_t Aligned(uint64_t bytes) { return (bytes + 7) / 8 * 8; }

/// Returns the number of bits needed to number the documents.
uint32_t NumberBits(uint64_t count) {
  return std::max(1U, static_cast<uint32_t>(std::bit_width(count - 1)));
}

uint64_t Load(const std::byte* bytes, size_t count) {
  uint64_t value = 0;
  std::memcpy(&value, bytes, count);
  return value;
}

/// Counts the equal bytes of two words.
size_t EqualBytes(uint64_t a, uint64_t b) {
  const uint64_t differ = a ^ b;
  const uint64_t nonzero = (((differ & kLow) + kLow) | differ) >> 7 & kOnes;  // 1 for each
  return 8 - static_cast<size_t>(nonzero * kOnes >> 56);
}

/// Spreads the bits of a block over the whole word.
uint64_t Spread(uint64_t block) {
  uint64_t x = (block + 1) * 0x9fb21c651e98df25ULL;
  x ^= x >> 32;
  x *= 0xc4ceb9fe1a85ec53ULL;
  return x ^ (x >> 29);
}

bool IsBefore(const SegmentEntry& a, const SegmentEntry& b) {
  return a.key != b.key ? a.key < b.key : a.number < b.number;
}

/// A cursor over the documents of a segment, or over unpacked records, in order of their keys.
class KeyCursor {
 public:
  /// Makes a cursor over entries that are all in one bucket.
  explicit KeyCursor(std::vector<SegmentEntry> entries) : pending_(std::move(entries)) { Sort(); }

  KeyCursor(const SegmentView& segment, size_t list, uint32_t base)
      : segment_(&segment), list_(list), base_(base) {}

  /// Appends the entries whose highest `bits` bits are `bucket`. REQUIRES: buckets come in order,
  /// and `bits` is not less than for the segment's buckets.
  void Take(uint64_t bucket, uint32_t bits, std::vector<SegmentEntry>* entries) {
    while (true) {
      if (at_ == pending_.size() && !Refill(bucket, bits)) return;
      if (at_ == pending_.size()) continue;
      if (pending_[at_].key >> (64 - bits) != bucket) return;
      entries->push_back(pending_[at_++]);
    }
  }

 private:
  bool Refill(uint64_t bucket, uint32_t bits) {
    if (segment_ == nullptr) return false;
    const uint32_t own = segment_->bucket_bits();
    if (next_ >> own != 0 || next_ << (bits - own) > bucket) return false;
    pending_.clear();
    at_ = 0;
    segment_->AppendBucket(list_, next_++, &pending_);
    for (SegmentEntry& entry : pending_) entry.number += base_;
    Sort();
    return true;
  }

  void Sort() { std::sort(pending_.begin(), pending_.end(), IsBefore); }

  const SegmentView* segment_ = nullptr;
  size_t list_ = 0;
  uint32_t base_ = 0;
  uint64_t next_ = 0;  // bucket of the segment
  std::vector<SegmentEntry> pending_;
  size_t at_ = 0;
};

/// A buffer that passes bytes on in pieces.
class Pieces {
 public:
  explicit Pieces(const WriteBytes& write) : write_(write) {}

  Status Add(const void* bytes, size_t count) {
    buffer_.append(static_cast<const char*>(bytes), count);
    return buffer_.size() < kPiece ? Status() : Flush();
  }

  /// Pads the `bytes` bytes added so far to whole words.
  Status Align(uint64_t bytes) {
    constexpr uint64_t kZero = 0;
    return Add(&kZero, Aligned(bytes) - bytes);
  }

  Status Flush() {
    const Status written = buffer_.empty() ? Status() : write_(buffer_);
    buffer_.clear();
    return written;
  }

 private:
  const WriteBytes& write_;
  std::string buffer_;
};

Status WriteList(const SegmentShape& shape, uint64_t count, std::span<KeyCursor> cursors,
                 Pieces* out) {
  const uint32_t bits = shape.BucketBits(count), number_bits = NumberBits(count);
  const uint32_t key_bits = shape.StoredKeyBits(count);
  const size_t entry_bytes = shape.EntryBytes(count);
  std::vector<uint32_t> directory = {0};
  directory.reserve((size_t{1} << bits) + 1);
  std::vector<SegmentEntry> entries;
  for (uint64_t bucket = 0; bucket >> bits == 0; ++bucket) {
    entries.clear();
    for (KeyCursor& cursor : cursors) cursor.Take(bucket, bits, &entries);
    std::sort(entries.begin(), entries.end(), IsBefore);
    for (const SegmentEntry& entry : entries) {
      const uint64_t rest = key_bits == 0 ? 0 : entry.key << bits >> (64 - key_bits);
      const uint64_t words[2] = {rest << number_bits | entry.number, rest >> (64 - number_bits)};
      LOOKALIKE_RETURN_IF_ERROR(out->Add(words, entry_bytes));
    }
    directory.push_back(directory.back() + static_cast<uint32_t>(entries.size()));
  }
  LOOKALIKE_RETURN_IF_ERROR(out->Align(directory.back() * entry_bytes));
  const uint64_t bytes = directory.size() * sizeof(uint32_t);
  LOOKALIKE_RETURN_IF_ERROR(out->Add(directory.data(), bytes));
  return out->Align(bytes);
}

}  // namespace

SegmentShape::SegmentShape(const Design& design, uint32_t bits) {
  const FilterRecords records(design, bits);
  part_bytes_ = records.part_bytes();
  record_bytes_ = records.bytes();
  needed_ = design.kind == Design::Kind::kGroups ? design.tau : 1;
  const size_t parts = records.parts(), blocks = parts - needed_ + 1;
  kind_ = part_bytes_ > 1 ? Kind::kValues : parts / blocks > 1 ? Kind::kBlocks : Kind::kScan;
  if (kind_ == Kind::kScan) return;
  const size_t lists = kind_ == Kind::kValues ? parts : blocks;
  for (size_t i = 0; i < lists; ++i) {
    const size_t begin = i * parts / lists, end = (i + 1) * parts / lists;
    blocks_.push_back({begin * part_bytes_, (end - begin) * part_bytes_});
  }
}

uint32_t SegmentShape::BucketBits(uint64_t count) const {
  const int bits = std::max(1, static_cast<int>(std::bit_width(count)) - 4);
  const size_t most = kind_ == Kind::kValues ? 8 * part_bytes_ : 64;
  return std::min(static_cast<uint32_t>(bits), static_cast<uint32_t>(most));
}

uint32_t SegmentShape::StoredKeyBits(uint64_t count) const {
  if (kind_ != Kind::kValues) return 0;
  return static_cast<uint32_t>(8 * part_bytes_) - BucketBits(count);
}

size_t SegmentShape::EntryBytes(uint64_t count) const {
  return (StoredKeyBits(count) + NumberBits(count) + 7) / 8;
}

uint64_t SegmentShape::DirectoryBegin(uint64_t count) const {
  return Aligned(count * EntryBytes(count));
}

uint64_t SegmentShape::ListBegin(size_t list, uint64_t count) const {
  const uint64_t records = keeps_records() ? Aligned(count * record_bytes_) : 0;
  const uint64_t directory = Aligned(((uint64_t{1} << BucketBits(count)) + 1) * sizeof(uint32_t));
  return records + list * (DirectoryBegin(count) + directory);
}

uint64_t SegmentShape::Bytes(uint64_t count) const { return ListBegin(lists(), count); }

uint64_t SegmentShape::KeyOf(size_t list, std::span<const std::byte> record) const {
  const Block& block = blocks_[list];
  if (kind_ == Kind::kValues) {
    return Load(&record[block.begin], block.bytes) << (64 - 8 * block.bytes);
  }
  uint64_t key = 0;
  for (size_t i = 0; i < block.bytes; i += 8) {
    key = Spread(key ^ Load(&record[block.begin + i], std::min<size_t>(8, block.bytes - i)));
  }
  return key;
}

bool SegmentShape::AreAlike(const std::byte* a, const std::byte* b) const {
  size_t equal = 0;  // hashes have one byte each
  for (size_t i = 0; i < record_bytes_; i += 8) {
    const size_t count = std::min<size_t>(8, record_bytes_ - i);
    equal += EqualBytes(Load(a + i, count), Load(b + i, count)) - (8 - count);
  }
  return equal >= needed_;
}

SegmentView::SegmentView(const SegmentShape& shape, uint64_t count,
                         std::span<const std::byte> bytes)
    : shape_(&shape),
      count_(count),
      bytes_(bytes),
      bucket_bits_(shape.BucketBits(count)),
      number_bits_(NumberBits(count)),
      key_bits_(shape.StoredKeyBits(count)),
      entry_bytes_(shape.EntryBytes(count)) {}

std::span<const std::byte> SegmentView::records() const {
  return bytes_.first(shape_->keeps_records() ? count_ * shape_->record_bytes() : 0);
}

const std::byte* SegmentView::RecordOf(uint32_t number) const {
  return &bytes_[number * shape_->record_bytes()];
}

SegmentView::Range SegmentView::BucketRange(size_t list, uint64_t bucket) const {
  const uint64_t directory = shape_->ListBegin(list, count_) + shape_->DirectoryBegin(count_);
  const uint64_t bounds = Load(&bytes_[directory + bucket * sizeof(uint32_t)], sizeof(uint64_t));
  const uint64_t end = std::min(bounds >> 32, count_);
  return {std::min(bounds & UINT32_MAX, end), end};
}

SegmentEntry SegmentView::EntryAt(size_t list, uint64_t bucket, uint64_t at) const {
  const std::byte* const entry = &bytes_[shape_->ListBegin(list, count_) + at * entry_bytes_];
  const uint64_t low = Load(entry, std::min<size_t>(entry_bytes_, 8));
  const uint64_t high = entry_bytes_ > 8 ? Load(entry + 8, entry_bytes_ - 8) : 0;
  SegmentEntry read;
  read.number = static_cast<uint32_t>(low & ((uint64_t{1} << number_bits_) - 1));
  read.number = static_cast<uint32_t>(std::min<uint64_t>(read.number, count_ - 1));
  if (key_bits_ == 0 && shape_->keeps_records()) {
    read.key = shape_->KeyOf(list, {RecordOf(read.number), shape_->record_bytes()});
    return read;
  }
  const uint64_t rest = low >> number_bits_ | high << (64 - number_bits_);
  read.key = bucket << (64 - bucket_bits_);
  if (key_bits_ != 0) read.key |= rest << (64 - key_bits_) >> bucket_bits_;
  return read;
}

void SegmentView::AppendBucket(size_t list, uint64_t bucket,
                               std::vector<SegmentEntry>* entries) const {
  const Range range = BucketRange(list, bucket);
  for (uint64_t at = range.begin; at < range.end; ++at) {
    entries->push_back(EntryAt(list, bucket, at));
  }
}

std::optional<uint32_t> SegmentView::Find(std::span<const std::byte> record) const {
  switch (shape_->kind()) {
    case SegmentShape::Kind::kValues:
      return FindByValues(record);
    case SegmentShape::Kind::kBlocks:
      return FindByBlocks(record);
    case SegmentShape::Kind::kScan:
      break;
  }
  return Scan(record);
}

std::optional<uint32_t> SegmentView::FindByValues(std::span<const std::byte> record) const {
  std::vector<uint32_t> met;  // once for each equal hash
  for (size_t list = 0; list < shape_->lists(); ++list) {
    const uint64_t key = shape_->KeyOf(list, record);
    const uint64_t bucket = key >> (64 - bucket_bits_);
    const Range range = BucketRange(list, bucket);
    for (uint64_t at = range.begin; at < range.end; ++at) {
      const SegmentEntry entry = EntryAt(list, bucket, at);
      if (entry.key == key) met.push_back(entry.number);
    }
  }
  const size_t needed = shape_->needed();
  if (met.size() < needed) return std::nullopt;
  std::sort(met.begin(), met.end());
  for (size_t i = 0; i + needed <= met.size(); ++i) {
    if (met[i] == met[i + needed - 1]) return met[i];
  }
  return std::nullopt;
}

std::optional<uint32_t> SegmentView::FindByBlocks(std::span<const std::byte> record) const {
  std::optional<uint32_t> first;
  for (size_t list = 0; list < shape_->lists(); ++list) {
    const uint64_t bucket = shape_->KeyOf(list, record) >> (64 - bucket_bits_);
    const Range range = BucketRange(list, bucket);
    for (uint64_t at = range.begin; at < range.end; ++at) {
      const std::byte* const entry = &bytes_[shape_->ListBegin(list, count_) + at * entry_bytes_];
      const uint64_t number = Load(entry, entry_bytes_);
      if (number >= count_ || (first && *first <= number)) continue;
      const auto candidate = static_cast<uint32_t>(number);
      if (shape_->AreAlike(record.data(), RecordOf(candidate))) first = candidate;
    }
  }
  return first;
}

std::optional<uint32_t> SegmentView::Scan(std::span<const std::byte> record) const {
  if (record.size() == sizeof(uint64_t)) {
    const uint64_t asked = Load(record.data(), sizeof(asked));
    const size_t needed = shape_->needed();
    for (uint64_t number = 0; number < count_; ++number) {
      const uint64_t other = Load(&bytes_[number * sizeof(other)], sizeof(other));
      if (EqualBytes(asked, other) >= needed) return static_cast<uint32_t>(number);
    }
    return std::nullopt;
  }
  for (uint32_t number = 0; number < count_; ++number) {
    if (shape_->AreAlike(record.data(), RecordOf(number))) return number;
  }
  return std::nullopt;
}

std::string PackSegment(const SegmentShape& shape, std::span<const std::byte> records,
                        uint64_t count) {
  std::string packed;
  const WriteBytes write = [&](std::string_view bytes) -> Status {
    packed += bytes;
    return {};
  };
  Pieces out(write);
  if (shape.keeps_records()) {
    (void)out.Add(records.data(), records.size());
    (void)out.Align(records.size());
  }
  for (size_t list = 0; list < shape.lists(); ++list) {
    std::vector<SegmentEntry> entries;
    for (uint32_t i = 0; i < count; ++i) {
      entries.push_back(
          {shape.KeyOf(list, records.subspan(i * shape.record_bytes(), shape.record_bytes())), i});
    }
    KeyCursor cursor(std::move(entries));
    (void)WriteList(shape, count, {&cursor, 1}, &out);
  }
  (void)out.Flush();
  return packed;
}

Status MergeSegments(const SegmentShape& shape, std::span<const SegmentView> segments,
                     const WriteBytes& write) {
  Pieces out(write);
  uint64_t count = 0, bytes = 0;
  for (const SegmentView& segment : segments) {
    count += segment.count();
    const auto records = segment.records();
    bytes += records.size();
    LOOKALIKE_RETURN_IF_ERROR(out.Flush());
    if (!records.empty()) {
      LOOKALIKE_RETURN_IF_ERROR(
          write({reinterpret_cast<const char*>(records.data()), records.size()}));
    }
  }
  LOOKALIKE_RETURN_IF_ERROR(out.Align(bytes));
  for (size_t list = 0; list < shape.lists(); ++list) {
    std::vector<KeyCursor> cursors;
    uint64_t base = 0;
    for (const SegmentView& segment : segments) {
      cursors.emplace_back(segment, list, static_cast<uint32_t>(base));
      base += segment.count();
    }
    LOOKALIKE_RETURN_IF_ERROR(WriteList(shape, count, cursors, &out));
  }
  return out.Flush();
}

}  // namespace lookalike
