// The encoding of the files that make up a filter's state (docs/format/filter-state-v2.md).
#ifndef LOOKALIKE_FORMAT_FILTER_STATE_H_
#define LOOKALIKE_FORMAT_FILTER_STATE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lookalike/status.h"

namespace lookalike {

/// A file of a state, holding the documents from `first` on.
struct StoredSegment {
  uint64_t first = 0, count = 0;
  uint64_t bytes = 0;     ///< Size of the file.
  uint64_t checksum = 0;  ///< XXH3-64 of the whole file.
};

/// The parts of a state. It is stored in a small file that is replaced as a whole.
struct FilterState {
  std::string settings;  ///< The settings that decide the answers, in one line.
  uint64_t asked = 0;    ///< Documents that were looked up.
  uint64_t record_bytes = 0;
  std::vector<StoredSegment> segments;  ///< In order, without gaps from 0 on.
};

std::string EncodeFilterState(const FilterState& state);

/// Returns what was passed to EncodeFilterState. The Error says what is wrong with the bytes.
Result<FilterState> DecodeFilterState(std::string_view bytes);

/// The front of a segment's file.
struct SegmentHead {
  uint64_t first = 0, count = 0;
  uint64_t packed_bytes = 0;  ///< Size of the packed records, which follow the head.
  uint64_t id_bytes = 0;      ///< Size of the ids, which end the file.

  /// Returns the offset of the ends of the ids: a number of 8 bytes for each document.
  [[nodiscard]] uint64_t ends_begin() const;
  [[nodiscard]] uint64_t ids_begin() const { return ends_begin() + count * sizeof(uint64_t); }
  [[nodiscard]] uint64_t file_bytes() const { return ids_begin() + id_bytes; }
};

inline constexpr size_t kSegmentHeadBytes = 64;

std::string EncodeSegmentHead(const SegmentHead& head);

/// REQUIRES: kSegmentHeadBytes bytes.
Result<SegmentHead> DecodeSegmentHead(std::string_view bytes);

}  // namespace lookalike

#endif  // LOOKALIKE_FORMAT_FILTER_STATE_H_
