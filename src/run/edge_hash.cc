#include "run/edge_hash.h"

#include <algorithm>
#include <span>
#include <vector>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "io/file_system.h"

namespace lookalike {

Result<uint64_t> HashEdges(const InputFile& file, uint64_t most) {
  if (!file.problem.empty() || file.table) return uint64_t{0};
  LOOKALIKE_ASSIGN_OR_RETURN(const auto reader, RealFileSystem().OpenRead(file.path));
  const uint64_t edge = std::min(reader->size(), most);
  std::vector<std::byte> bytes(2 * edge);
  const auto first = std::span(bytes).first(edge), last = std::span(bytes).last(edge);
  LOOKALIKE_RETURN_IF_ERROR(ReadFully(*reader, 0, first));
  if (edge == reader->size()) {
    std::ranges::copy(first, last.begin());
  } else {
    LOOKALIKE_RETURN_IF_ERROR(ReadFully(*reader, reader->size() - edge, last));
  }
  return XXH3_64bits(bytes.data(), bytes.size());
}

}  // namespace lookalike
