#include "stages/output/batch_part.h"

#include <arrow/record_batch.h>

#include <algorithm>
#include <iterator>

namespace lookalike {
namespace {

/// Returns the number of rejections that come before document `i`, or of all if it is the end.
size_t RejectionsBefore(const DocumentBatch& batch, size_t i) {
  if (i == batch.documents.size()) return batch.rejections.size();
  const uint64_t row = batch.documents[i].row;
  const auto after =
      std::partition_point(batch.rejections.begin(), batch.rejections.end(),
                           [&](const Rejection& rejection) { return rejection.row < row; });
  return static_cast<size_t>(after - batch.rejections.begin());
}

/// Returns the number of rejections that earlier parts have, if a part begins at document `i`.
size_t RejectionsOfEarlierParts(const DocumentBatch& batch, size_t i) {
  return i == 0 ? 0 : RejectionsBefore(batch, i - 1);
}

template <class Item>
std::vector<Item> Copy(const std::vector<Item>& items, size_t begin, size_t end) {
  return {items.begin() + static_cast<std::ptrdiff_t>(begin),
          items.begin() + static_cast<std::ptrdiff_t>(end)};
}

}  // namespace

DocumentBatch PartOfBatch(const DocumentBatch& batch, size_t begin, size_t end) {
  const bool is_last = end == batch.documents.size();
  const size_t first_rejection = RejectionsOfEarlierParts(batch, begin);
  const size_t end_rejection =
      is_last ? batch.rejections.size() : RejectionsOfEarlierParts(batch, end);
  DocumentBatch part;
  part.source = batch.source;
  part.documents = Copy(batch.documents, begin, end);
  part.rejections = Copy(batch.rejections, first_rejection, end_rejection);
  for (const PassThrough& other : batch.pass_through) {
    if (other.before < begin || (other.before >= end && !is_last)) continue;
    part.pass_through.push_back({other.before - begin, other.raw});
  }
  part.header = batch.header;
  part.storage = batch.storage;
  part.bytes_read = batch.bytes_read;
  if (batch.columns != nullptr) {
    const auto first_row = static_cast<int64_t>(begin + first_rejection);
    const auto end_row = static_cast<int64_t>(end + end_rejection);
    part.columns = batch.columns->Slice(first_row, end_row - first_row);
    for (Rejection& rejection : part.rejections) rejection.columnar_row -= first_row;
  }
  return part;
}

}  // namespace lookalike
