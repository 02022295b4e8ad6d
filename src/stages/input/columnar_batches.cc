#include "stages/input/columnar_batches.h"

#include <fmt/core.h>

#include <algorithm>

namespace lookalike {
namespace {

constexpr int64_t kBatchBytes = int64_t{1} << 20;
constexpr int64_t kMostRows = 8192;

}  // namespace

int64_t RowsPerBatch(int64_t bytes, int64_t rows) {
  const int64_t row_bytes = std::max<int64_t>(1, bytes / std::max<int64_t>(1, rows));
  return std::clamp<int64_t>(kBatchBytes / row_bytes, 1, kMostRows);
}

uint64_t ShareOf(uint64_t bytes, int64_t part, int64_t rows) {
  const double share = static_cast<double>(part) / static_cast<double>(std::max<int64_t>(1, rows));
  return static_cast<uint64_t>(static_cast<double>(bytes) * share);
}

tl::unexpected<Error> Broken(const char* format, const std::string& why, const std::string& place) {
  std::string line = why;
  std::replace(line.begin(), line.end(), '\n', ' ');
  return Fail(fmt::format("cannot be read as {}, it is truncated or corrupt ({}); get a good copy "
                          "or pass --skip-bad-inputs",
                          format, line),
              place);
}

}  // namespace lookalike
