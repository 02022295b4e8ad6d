// The bytes of a filter's state of version 1, which is read and no longer written
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

/// What is stored of a filter.
struct StoredFilter {
  std::string settings;  ///< What decides its answers, in one line.
  uint64_t asked = 0;    ///< Documents that it has answered for.
  uint32_t record_bytes = 0;
  std::vector<std::byte> records;  ///< Of all remembered documents, one after the other.
  std::vector<uint64_t> id_ends;   ///< Of each, in `ids`.
  std::string ids;
};

/// The same where it lies.
struct FilterView {
  std::string_view settings;
  uint64_t asked = 0;
  uint32_t record_bytes = 0;
  std::span<const std::byte> records;
  std::span<const uint64_t> id_ends;
  std::string_view ids;
};

/// Gives the bytes of a filter to `write`, piece by piece.
Status EncodeFilter(const FilterView& filter, const std::function<Status(std::string_view)>& write);

/// What EncodeFilter was given. The Error says what is wrong with the bytes.
Result<StoredFilter> DecodeFilter(std::string_view bytes);

}  // namespace lookalike

#endif  // LOOKALIKE_FORMAT_FILTER_FILE_H_
