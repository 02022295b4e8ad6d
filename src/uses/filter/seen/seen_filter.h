// A filter for streams: was a document like this seen before? (Broder's slides "Algorithms for
// duplicate documents", filtering: 6 groups of 14 samples, two of which must be equal, 48 bytes per
// document.)
#ifndef LOOKALIKE_USES_FILTER_SEEN_SEEN_FILTER_H_
#define LOOKALIKE_USES_FILTER_SEEN_SEEN_FILTER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "stages/candidates/design.h"

namespace lookalike {

/// Makes the records that a filter keeps of documents: a hash of `bits` bits for each group of
/// groups:GxL:TAU, or for other designs for each key. Immutable; safe from several threads.
class FilterRecords {
 public:
  /// `bits`: size of each hash, 8, 16, 32 or 64.
  FilterRecords(const Design& design, uint32_t bits);

  /// Returns the size of a record in bytes, the same for every document.
  [[nodiscard]] size_t bytes() const { return parts() * part_bytes_; }
  /// Returns the number of hashes of a record.
  [[nodiscard]] size_t parts() const { return parts_.keys; }
  [[nodiscard]] size_t part_bytes() const { return part_bytes_; }

  /// Appends the record of a sketch. REQUIRES: as many coordinates as the design needs.
  void Append(std::span<const uint32_t> sketch, std::vector<std::byte>* records) const;

 private:
  Design parts_;
  size_t part_bytes_;
};

/// Remembers documents by their records, a constant number of bytes each, and finds the first
/// document that shares a key of the design with a given document. Keys are not stored but looked
/// up in a table of positions, at most 12 bytes per key. Not thread-safe.
class SeenFilter {
 public:
  SeenFilter(const Design& design, uint32_t bits);

  /// Returns the number of the first remembered document that shares a key with this one, or
  /// nothing. Depends only on what was remembered before. REQUIRES: a record of the same design.
  [[nodiscard]] std::optional<uint64_t> Find(std::span<const std::byte> record) const;

  /// Remembers a document; its number is the count of earlier documents. REQUIRES: below 2^32 - 1.
  void Remember(std::span<const std::byte> record);

  /// Forgets all documents.
  void Clear();

  [[nodiscard]] uint64_t size() const {
    return record_bytes_ == 0 ? 0 : all_.size() / record_bytes_;
  }
  [[nodiscard]] size_t record_bytes() const { return record_bytes_; }

  /// Returns the size in bytes of the records and the table of positions.
  [[nodiscard]] uint64_t bytes() const { return all_.size() + slots_.size() * sizeof(slots_[0]); }

  /// Returns all records, in the order in which they were remembered.
  [[nodiscard]] std::span<const std::byte> records() const { return all_; }

 private:
  [[nodiscard]] std::span<const std::byte> RecordOf(uint32_t number) const;
  [[nodiscard]] uint64_t HashKey(size_t key, std::span<const std::byte> record) const;
  [[nodiscard]] bool SharesKey(size_t key, std::span<const std::byte> a,
                               std::span<const std::byte> b) const;
  void Enter(uint32_t number);
  void Grow();

  size_t part_bytes_, record_bytes_;
  size_t keys_, parts_of_key_;
  std::vector<uint16_t> key_parts_;  // keys * parts_of_key, key after key
  std::vector<std::byte> all_;
  std::vector<uint32_t> slots_;  // 0: free; else the number of a document, plus 1
  size_t used_ = 0;
};

}  // namespace lookalike

#endif  // LOOKALIKE_USES_FILTER_SEEN_SEEN_FILTER_H_
