#include "uses/passages/kept.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "io/output_stream.h"
#include "uses/passages/byte_places.h"
#include "uses/passages/kept_records.h"
#include "uses/passages/lines.h"
#include "uses/passages/shorten.h"

namespace lookalike {
namespace {

/// A batch as it is written, and the lines about it.
struct WrittenBatch {
  PassItem item;
  std::vector<uint8_t> keep;
  std::string cuts, dropped;
  uint64_t cut_bytes = 0;
  Status status;
};

class KeptWriter {
 public:
  KeptWriter(const PassageContext& context, const CutPlan& plan, const CutFacts& facts,
             const DocNames& names, const std::string& folder)
      : job_(context.job), plan_(plan), facts_(facts), names_(names), folder_(folder) {}

  Status Begin() {
    LOOKALIKE_ASSIGN_OR_RETURN(cuts_, OutputStream::Create(folder_ + "/cuts.jsonl", Codec::kNone));
    LOOKALIKE_ASSIGN_OR_RETURN(dropped_,
                               OutputStream::Create(folder_ + "/dropped.jsonl", Codec::kNone));
    LOOKALIKE_ASSIGN_OR_RETURN(KeptRecords records, KeptRecords::Begin(job_, folder_));
    records_.emplace(std::move(records));
    return {};
  }

  /// Shortens the texts of a batch. Safe from several threads.
  WrittenBatch Shorten(PassItem item) const {
    WrittenBatch written;
    std::vector<DocumentCuts> shortened;
    written.keep.assign(item.batch.documents.size(), 1);
    for (size_t i = 0; i < item.batch.documents.size(); ++i) {
      const DocNumber doc = item.first_doc + i;
      const bool is_dropped = plan_.IsDropped(doc);
      const std::span<const TextCut> cuts = plan_.CutsOf(doc);
      if (is_dropped) {
        written.keep[i] = 0;
        DescribeDropped(item.batch, i, &written.dropped);
      } else if (!cuts.empty()) {
        shortened.push_back({i, cuts});
        for (const TextCut& cut : cuts) written.cut_bytes += cut.bytes.end - cut.bytes.begin;
      }
      DescribeCuts(item.batch, i, cuts, &written.cuts);
    }
    if (!item.end_of_source) {
      written.status =
          ShortenTexts(job_.inputs[item.batch.source], job_.fields, shortened, &item.batch);
    }
    written.item = std::move(item);
    return written;
  }

  Status Take(const WrittenBatch& written) {
    LOOKALIKE_RETURN_IF_ERROR(written.status);
    LOOKALIKE_RETURN_IF_ERROR(records_->Take(written.item, written.keep));
    LOOKALIKE_RETURN_IF_ERROR(cuts_->Write(written.cuts));
    LOOKALIKE_RETURN_IF_ERROR(dropped_->Write(written.dropped));
    cut_bytes_ += written.cut_bytes;
    return {};
  }

  Status End() {
    LOOKALIKE_RETURN_IF_ERROR(cuts_->Close());
    LOOKALIKE_RETURN_IF_ERROR(dropped_->Close());
    return records_->End();
  }

  [[nodiscard]] KeptTexts written() const { return {cut_bytes_}; }

 private:
  void AppendNamed(const DocumentBatch& batch, size_t i, std::string* line) const {
    const Document& document = batch.documents[i];
    AppendDocument(job_, batch.source, document.row, IdOf(job_, batch.source, document), line);
  }

  void DescribeDropped(const DocumentBatch& batch, size_t i, std::string* lines) const {
    *lines += '{';
    AppendNamed(batch, i, lines);
    *lines += "}\n";
  }

  void DescribeCuts(const DocumentBatch& batch, size_t i, std::span<const TextCut> cuts,
                    std::string* lines) const {
    const std::string_view text = batch.documents[i].text;
    CodePointsBefore code_points(text);
    for (const TextCut& cut : cuts) {
      const auto number = static_cast<size_t>(&cut - plan_.cuts().data());
      *lines += '{';
      AppendNamed(batch, i, lines);
      const uint64_t begin = code_points.At(cut.bytes.begin);
      const uint64_t end = code_points.At(cut.bytes.end);
      fmt::format_to(std::back_inserter(*lines),
                     R"(, "begin": {}, "end": {}, "passage": {}, "same_as": )", begin, end,
                     facts_.passages[number]);
      AppendPlace(job_, names_, facts_.stays[number], lines);
      *lines += "}\n";
    }
  }

  const Job& job_;
  const CutPlan& plan_;
  const CutFacts& facts_;
  const DocNames& names_;
  const std::string& folder_;
  std::unique_ptr<OutputStream> cuts_, dropped_;
  std::optional<KeptRecords> records_;
  uint64_t cut_bytes_ = 0;
};

}  // namespace

Result<KeptTexts> WriteKept(const PassageContext& context, const KnownInputs& known,
                            DocNumber documents, const CutPlan& plan, const CutFacts& facts,
                            const DocNames& names, const std::string& folder) {
  Bitmap described(documents);
  for (const TextCut& cut : plan.cuts()) described.Set(cut.doc);
  for (const DocNumber doc : plan.dropped()) described.Set(doc);
  KeptWriter writer(context, plan, facts, names, folder);
  LOOKALIKE_RETURN_IF_ERROR(writer.Begin());
  PassReader reader(context.job, &known, ReadColumns::kAll, "write", context.observer,
                    {.source = context.job.reference_inputs,
                     .doc = context.job.ReferenceEnd(known),
                     .wanted = &described,
                     .ahead = context.memory.ahead});
  LOOKALIKE_RETURN_IF_ERROR(RunPass(
      &reader, [&](PassItem item) { return writer.Shorten(std::move(item)); },
      [&](const WrittenBatch& batch) { return writer.Take(batch); }, context.memory.batches));
  LOOKALIKE_RETURN_IF_ERROR(writer.End());
  return writer.written();
}

}  // namespace lookalike
