#include "stages/input/columnar_batches.h"

#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "io/arrow_memory.h"
#include "lookalike/size.h"
#include "records/input_file.h"

namespace lookalike {
namespace {

constexpr int64_t kBatchBytes = int64_t{1} << 20;
constexpr int64_t kMostRows = 8192;

/// Marks a message as written by this program, not by the library.
class Ours : public arrow::StatusDetail {
 public:
  static constexpr const char* kTypeId = "lookalike::Defect";
  const char* type_id() const override { return kTypeId; }
  std::string ToString() const override { return {}; }
};

}  // namespace

int64_t RowsPerBatch(int64_t bytes, int64_t rows) {
  const int64_t row_bytes = std::max<int64_t>(1, bytes / std::max<int64_t>(1, rows));
  return std::clamp<int64_t>(kBatchBytes / row_bytes, 1, kMostRows);
}

uint64_t ShareOf(uint64_t bytes, int64_t part, int64_t rows) {
  const double share = static_cast<double>(part) / static_cast<double>(std::max<int64_t>(1, rows));
  return static_cast<uint64_t>(static_cast<double>(bytes) * share);
}

arrow::Status Defect(std::string what) {
  return arrow::Status::IOError(std::move(what)).WithDetail(std::make_shared<Ours>());
}

tl::unexpected<Error> Broken(const char* format, const arrow::Status& status,
                             const std::string& place) {
  if (const int64_t refused = RefusedBytes(status); refused > 0) {
    const uint64_t size = ((static_cast<uint64_t>(refused) >> 20) + 1) << 20;
    const uint64_t unpacked =
        size + (size >> 23 << 20);  // at least, if the refused page is compressed
    return InputError(fmt::format("has a page of {}, too large for $<memory>; raise it to at least "
                                  "{}, or write the file with smaller pages",
                                  FormatSize(size), FormatSize(kMemoryOfPart * unpacked)),
                      place);
  }
  const bool ours = status.detail() != nullptr && status.detail()->type_id() == Ours::kTypeId;
  std::string why = ours ? " (" + status.message() + ")" : std::string();
  if (status.IsNotImplemented()) why = ", or uses a feature that this version cannot read";
  return CorruptError(
      fmt::format("cannot be read as {}: it is truncated or corrupt{}; get a good copy "
                  "or pass $<skip-bad-inputs>",
                  format, why),
      place);
}

}  // namespace lookalike
