#include "input/read_records.h"

#include <algorithm>
#include <cstddef>

namespace lookalike::testing {
namespace {

void CopyBatch(const DocumentBatch& batch, ReadResult* result) {
  const size_t begin = result->records.size();
  const auto documents =
      static_cast<size_t>(std::count_if(result->records.begin(), result->records.end(),
                                        [](const Record& record) { return !record.rejected; }));
  for (const PassThrough& piece : batch.pass_through) {
    result->pass_through.emplace_back(documents + piece.before, piece.raw);
  }
  for (const Document& document : batch.documents) {
    result->records.push_back({document.row, false, std::string(document.text),
                               std::string(document.id), std::string(document.raw), "",
                               document.has_id, document.null_text, document.repaired,
                               document.keep_field, document.kind});
  }
  for (const Rejection& rejection : batch.rejections) {
    Record record;
    record.row = rejection.row;
    record.rejected = true;
    record.raw = rejection.raw;
    record.reason = rejection.reason;
    result->records.push_back(record);
  }
  std::sort(result->records.begin() + static_cast<std::ptrdiff_t>(begin), result->records.end(),
            [](const Record& a, const Record& b) { return a.row < b.row; });
  result->header = batch.header;
  result->bytes_read = batch.bytes_read;
  ++result->batches;
}

}  // namespace

ReadResult ReadAll(const ReaderSetup& setup) {
  ReadResult result;
  auto reader = OpenReader(setup);
  if (!reader) {
    result.error = reader.error().ToString();
    return result;
  }
  while (true) {
    result.positions.push_back({(*reader)->position(), result.records.size()});
    DocumentBatch batch;
    const Result<bool> more = (*reader)->Next(&batch);
    if (!more) {
      result.error = more.error().ToString();
      return result;
    }
    if (!*more) return result;
    CopyBatch(batch, &result);
  }
}

ReadResult ReadInParts(ReaderSetup setup, const std::vector<uint64_t>& places) {
  ReadResult all;
  uint64_t rows = 0;
  for (size_t i = 0; i <= places.size(); ++i) {
    setup.from.offset = i == 0 ? 0 : places[i - 1];
    setup.at_cut = i != 0;
    setup.until = i < places.size() ? places[i] : UINT64_MAX;
    ReadResult part = ReadAll(setup);
    // The second half is read once more, from a position in the part.
    if (part.error.empty() && part.positions.size() > 1) {
      const auto [middle, before] = part.positions[part.positions.size() / 2];
      ReaderSetup half = setup;
      half.from = middle;
      half.at_cut = false;
      const ReadResult rest = ReadAll(half);
      part.error = rest.error;
      part.records.resize(before);
      part.records.insert(part.records.end(), rest.records.begin(), rest.records.end());
    }
    if (!part.error.empty()) {
      all.error = part.error;
      return all;
    }
    for (Record& record : part.records) record.row += rows;
    all.records.insert(all.records.end(), part.records.begin(), part.records.end());
    rows += part.positions.back().first.row;
    all.positions.push_back({{part.positions.back().first.offset, rows}, all.records.size()});
  }
  return all;
}

}  // namespace lookalike::testing
