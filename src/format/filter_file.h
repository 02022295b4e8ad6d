// The bytes of a filter's state of version 1, which is still read but no longer written
// (docs/format/filter-file-v1.md). Encoding is for tests of the reader.
#ifndef LOOKALIKE_FORMAT_FILTER_FILE_H_
#define LOOKALIKE_FORMAT_FILTER_FILE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lookalike/status.h"

namespace lookalike {

/// The stored parts of a filter.
struct StoredFilter {
  std::string settings;  ///< The settings that decide its answers, in one line.
  uint64_t asked = 0;    ///< Documents that it was asked about.
  uint32_t record_bytes = 0;
  std::vector<std::byte> records;  ///< Records of all remembered documents, back to back.
  std::vector<uint64_t> id_ends;   ///< End of each document's id, in `ids`.
  std::string ids;
};

/// A view of the same parts.
struct FilterView {
  std::string_view settings;
  uint64_t asked = 0;
  uint32_t record_bytes = 0;
  std::span<const std::byte> records;
  std::span<const uint64_t> id_ends;
  std::string_view ids;
};

/// Passes the bytes of a filter to `write`, piece by piece.
Status EncodeFilter(const FilterView& filter, const std::function<Status(std::string_view)>& write);

/// Returns what was passed to EncodeFilter. The Error says what is wrong with the bytes.
Result<StoredFilter> DecodeFilter(std::string_view bytes);

}  // namespace lookalike

#endif  // LOOKALIKE_FORMAT_FILTER_FILE_H_
