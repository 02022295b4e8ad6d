#include "stages/input/refusing_reader.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace lookalike {
namespace {

using Refusal = std::function<std::string(std::string_view)>;

/// Returns the row of a batch's first record; in columnar formats the others follow without a gap.
uint64_t FirstRow(const DocumentBatch& batch) {
  uint64_t first = UINT64_MAX;
  for (const Document& document : batch.documents) first = std::min(first, document.row);
  for (const Rejection& rejection : batch.rejections) first = std::min(first, rejection.row);
  return first;
}

// Moves each PassThrough of an erased document to the next remaining document. `erased`: the erased
// documents, in order.
void MovePassThrough(const std::vector<size_t>& erased, std::vector<PassThrough>* pass_through) {
  for (PassThrough& each : *pass_through) {
    const auto behind = std::lower_bound(erased.begin(), erased.end(), each.before);
    each.before -= static_cast<size_t>(behind - erased.begin());
  }
}

void Refuse(const Refusal& refusal, DocumentBatch* batch) {
  const uint64_t first = FirstRow(*batch);
  std::vector<size_t> erased;
  auto kept = batch->documents.begin();
  for (Document& document : batch->documents) {
    std::string reason = refusal(document.text);
    if (reason.empty()) {
      if (&*kept != &document) *kept = std::move(document);
      ++kept;
      continue;
    }
    erased.push_back(static_cast<size_t>(&document - batch->documents.data()));
    const bool columnar = document.raw.empty();
    batch->rejections.push_back({document.row, std::move(reason), document.raw,
                                 columnar ? static_cast<int64_t>(document.row - first) : -1});
  }
  batch->documents.erase(kept, batch->documents.end());
  if (erased.empty()) return;
  MovePassThrough(erased, &batch->pass_through);
  std::stable_sort(batch->rejections.begin(), batch->rejections.end(),
                   [](const Rejection& x, const Rejection& y) { return x.row < y.row; });
}

class RefusingParser final : public LineParser {
 public:
  RefusingParser(std::shared_ptr<const LineParser> parser, Refusal refusal)
      : parser_(std::move(parser)), refusal_(std::move(refusal)) {}

  void Parse(DocumentBatch* batch) const override {
    const std::shared_ptr<const LineParser> self = batch->unread.parser;  // the batch releases it
    parser_->Parse(batch);
    Refuse(refusal_, batch);
  }

 private:
  std::shared_ptr<const LineParser> parser_;
  Refusal refusal_;
};

class RefusingReader final : public InputReader {
 public:
  RefusingReader(std::unique_ptr<InputReader> reader, Refusal refusal)
      : reader_(std::move(reader)), refusal_(std::move(refusal)) {}

  Result<bool> Next(DocumentBatch* batch) override {
    LOOKALIKE_ASSIGN_OR_RETURN(const bool more, reader_->Next(batch));
    Refuse(refusal_, batch);
    return more;
  }

  Result<bool> NextUnread(DocumentBatch* batch) override {
    LOOKALIKE_ASSIGN_OR_RETURN(const bool more, reader_->NextUnread(batch));
    Refuse(refusal_, batch);
    auto& parser = batch->unread.parser;
    if (parser) parser = std::make_shared<RefusingParser>(std::move(parser), refusal_);
    return more;
  }

  [[nodiscard]] ReadPosition position() const override { return reader_->position(); }

 private:
  std::unique_ptr<InputReader> reader_;
  Refusal refusal_;
};

}  // namespace

std::unique_ptr<InputReader> RefuseTexts(std::unique_ptr<InputReader> reader, Refusal refusal) {
  return std::make_unique<RefusingReader>(std::move(reader), std::move(refusal));
}

}  // namespace lookalike
