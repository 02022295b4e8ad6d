// Remembered documents of a filter, packed. A segment is built once and then only read, in place:
// in memory, or in a mapped file. docs/format/filter-state-v2.md describes its bytes.
#ifndef LOOKALIKE_USES_FILTER_SEEN_SEEN_SEGMENT_H_
#define LOOKALIKE_USES_FILTER_SEEN_SEEN_SEGMENT_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lookalike/status.h"
#include "stages/candidates/design.h"

namespace lookalike {

/// The most documents of a segment: their numbers fit three bytes.
inline constexpr uint64_t kMostInSegment = uint64_t{1} << 24;

/// The layout in which the records of a design are packed. Immutable; safe from several threads.
class SegmentShape {
 public:
  enum class Kind {
    /// Lists of (hash, document), one for each hash of a record, and no records: documents that are
    /// equal in TAU hashes meet in TAU lists.
    kValues,
    /// Records, and a list of documents for each of G - TAU + 1 blocks of hashes: if two documents
    /// differ in at most G - TAU hashes, one block is equal throughout. For hashes of one byte.
    kBlocks,
    /// Records alone, all of which are compared: blocks of one byte would filter out too little.
    kScan,
  };

  /// `bits` is as for FilterRecords.
  SegmentShape(const Design& design, uint32_t bits);

  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] size_t record_bytes() const { return record_bytes_; }
  [[nodiscard]] size_t lists() const { return blocks_.size(); }
  [[nodiscard]] bool keeps_records() const { return kind_ != Kind::kValues; }

  /// Returns the bits of a document's bucket in a list of `count` documents: 8 to 15 share a
  /// bucket.
  [[nodiscard]] uint32_t BucketBits(uint64_t count) const;
  /// Returns the size in bytes of an entry in a list.
  [[nodiscard]] size_t EntryBytes(uint64_t count) const;
  /// Returns the size of a segment in bytes.
  [[nodiscard]] uint64_t Bytes(uint64_t count) const;
  /// Returns where a list begins; for lists(), the end of all lists.
  [[nodiscard]] uint64_t ListBegin(size_t list, uint64_t count) const;
  /// Returns where in a list its directory begins: the begin of each bucket, and the end.
  [[nodiscard]] uint64_t DirectoryBegin(uint64_t count) const;

  /// Returns the key by which a list is sorted; its highest bits are a document's bucket.
  [[nodiscard]] uint64_t KeyOf(size_t list, std::span<const std::byte> record) const;
  /// Returns the bits of a key that are stored in addition to the bucket.
  [[nodiscard]] uint32_t StoredKeyBits(uint64_t count) const;

  /// True if two records are equal in as many hashes as the design requires. REQUIRES:
  /// keeps_records().
  [[nodiscard]] bool AreAlike(const std::byte* a, const std::byte* b) const;
  /// Returns the number of equal hashes that make two documents alike.
  [[nodiscard]] size_t needed() const { return needed_; }

 private:
  struct Block {
    size_t begin, bytes;  // in a record
  };

  Kind kind_;
  size_t part_bytes_, record_bytes_, needed_;
  std::vector<Block> blocks_;  // one per list
};

/// A document in a list.
struct SegmentEntry {
  uint64_t key = 0;
  uint32_t number = 0;
};

/// A packed segment stored elsewhere. Damaged bytes can only make its answers wrong. Safe to read
/// from several threads.
class SegmentView {
 public:
  /// REQUIRES: shape.Bytes(count) bytes, and 1 to kMostInSegment documents. Both outlive this.
  SegmentView(const SegmentShape& shape, uint64_t count, std::span<const std::byte> bytes);

  [[nodiscard]] uint64_t count() const { return count_; }

  /// Returns the number, from 0, of the first document that is alike.
  [[nodiscard]] std::optional<uint32_t> Find(std::span<const std::byte> record) const;

  /// Appends the documents of a bucket.
  void AppendBucket(size_t list, uint64_t bucket, std::vector<SegmentEntry>* entries) const;

  [[nodiscard]] std::span<const std::byte> records() const;
  [[nodiscard]] uint32_t bucket_bits() const { return bucket_bits_; }

 private:
  struct Range {
    uint64_t begin, end;
  };
  [[nodiscard]] Range BucketRange(size_t list, uint64_t bucket) const;
  [[nodiscard]] SegmentEntry EntryAt(size_t list, uint64_t bucket, uint64_t at) const;
  [[nodiscard]] std::optional<uint32_t> FindByValues(std::span<const std::byte> record) const;
  [[nodiscard]] std::optional<uint32_t> FindByBlocks(std::span<const std::byte> record) const;
  [[nodiscard]] std::optional<uint32_t> Scan(std::span<const std::byte> record) const;
  [[nodiscard]] const std::byte* RecordOf(uint32_t number) const;

  const SegmentShape* shape_;
  uint64_t count_;
  std::span<const std::byte> bytes_;
  uint32_t bucket_bits_, number_bits_, key_bits_;
  size_t entry_bytes_;
};

using WriteBytes = std::function<Status(std::string_view)>;

/// Packs records into one segment.
std::string PackSegment(const SegmentShape& shape, std::span<const std::byte> records,
                        uint64_t count);

/// Passes the bytes of one segment that holds the documents of several, in order, to `write`.
/// Memory: the directory of a list, about half a byte per document. REQUIRES: at most
/// kMostInSegment documents.
Status MergeSegments(const SegmentShape& shape, std::span<const SegmentView> segments,
                     const WriteBytes& write);

}  // namespace lookalike

#endif  // LOOKALIKE_USES_FILTER_SEEN_SEEN_SEGMENT_H_
