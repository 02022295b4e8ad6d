#include "uses/passages/kept.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "format/json_text.h"
#include "io/output_stream.h"
#include "run/members.h"
#include "text/code_points_before.h"
#include "uses/passages/byte_places.h"
#include "uses/passages/kept_records.h"
#include "uses/passages/lines.h"
#include "uses/passages/shorten.h"

namespace lookalike {
namespace {

/// In place of what decides between two documents.
constexpr std::string_view kSameDocument = "same document";

/// The number of cuts that each level decided.
struct CutLevels {
  LevelCounts between = {};    // two documents
  uint64_t same_document = 0;  // the words stay in the document itself

  void Add(const CutLevels& other) {
    for (size_t i = 0; i < between.size(); ++i) between[i] += other.between[i];
    same_document += other.same_document;
  }
};

/// A batch as it is written, and the lines about it.
struct WrittenBatch {
  PassItem item;
  std::vector<uint8_t> keep;
  std::string cuts, dropped;
  uint64_t cut_bytes = 0;
  CutLevels levels;
  Status status;
};

class KeptWriter {
 public:
  KeptWriter(const PassageContext& context, const Ranking& ranking, const StoredCuts& cuts,
             const PagedRecords<CutFact>& facts, const DocNames& names, const std::string& folder)
      : job_(context.job),
        ranking_(ranking),
        cuts_(cuts),
        facts_(facts),
        names_(names),
        folder_(folder) {}

  Status Begin() {
    LOOKALIKE_ASSIGN_OR_RETURN(cut_lines_,
                               OutputStream::Create(folder_ + "/cuts.jsonl", Codec::kNone));
    LOOKALIKE_ASSIGN_OR_RETURN(dropped_,
                               OutputStream::Create(folder_ + "/dropped.jsonl", Codec::kNone));
    LOOKALIKE_ASSIGN_OR_RETURN(KeptRecords records, KeptRecords::Begin(job_, folder_));
    records_.emplace(std::move(records));
    return {};
  }

  /// Shortens the texts of a batch. Safe from several threads.
  WrittenBatch Shorten(PassItem item) const {
    WrittenBatch written;
    written.item = std::move(item);
    if (!written.item.end_of_source) written.status = ShortenAll(&written);
    return written;
  }

  Status Take(const WrittenBatch& written) {
    LOOKALIKE_RETURN_IF_ERROR(written.status);
    LOOKALIKE_RETURN_IF_ERROR(records_->Take(written.item, written.keep));
    LOOKALIKE_RETURN_IF_ERROR(cut_lines_->Write(written.cuts));
    LOOKALIKE_RETURN_IF_ERROR(dropped_->Write(written.dropped));
    cut_bytes_ += written.cut_bytes;
    levels_.Add(written.levels);
    return {};
  }

  Status End() {
    LOOKALIKE_RETURN_IF_ERROR(cut_lines_->Close());
    LOOKALIKE_RETURN_IF_ERROR(dropped_->Close());
    return records_->End();
  }

  [[nodiscard]] KeptTexts written() const {
    KeptTexts written = {cut_bytes_, NamedCounts(levels_.between, job_.choices.keep)};
    if (!written.kept_by.empty() && levels_.same_document != 0) {
      written.kept_by.emplace_back(kSameDocument, levels_.same_document);
    }
    return written;
  }

 private:
  Status ShortenAll(WrittenBatch* written) const {
    DocumentBatch& batch = written->item.batch;
    const DocNumber first = written->item.first_doc;
    written->keep.assign(batch.documents.size(), 1);
    LOOKALIKE_ASSIGN_OR_RETURN(const auto all,
                               ReadDocuments(cuts_.cuts(), first, first + batch.documents.size(),
                                             [](const TextCut& cut) { return cut.doc; }));
    std::vector<CutFact> facts(all.records.size());
    LOOKALIKE_RETURN_IF_ERROR(facts_.Read(all.first, facts));
    std::vector<DocumentCuts> shortened;
    size_t begin = 0;
    for (size_t i = 0; i < batch.documents.size(); ++i) {
      size_t end = begin;
      while (end < all.records.size() && all.records[end].doc == first + i) ++end;
      const auto cuts = std::span(all.records).subspan(begin, end - begin);
      if (cuts_.IsDropped(first + i)) {
        written->keep[i] = 0;
        DescribeDropped(batch, i, &written->dropped);
      } else if (!cuts.empty()) {
        shortened.push_back({i, cuts});
        for (const TextCut& cut : cuts) written->cut_bytes += cut.bytes.end - cut.bytes.begin;
      }
      LOOKALIKE_RETURN_IF_ERROR(DescribeCuts(i, cuts, std::span(facts).subspan(begin), written));
      begin = end;
    }
    return ShortenTexts(job_.inputs[batch.source], job_.fields, shortened, &batch);
  }

  void AppendNamed(const DocumentBatch& batch, size_t i, std::string* line) const {
    const Document& document = batch.documents[i];
    AppendDocument(job_, batch.source, document.row,
                   IdOf(document, job_.inputs.NameOf(batch.source)), line);
  }

  void DescribeDropped(const DocumentBatch& batch, size_t i, std::string* lines) const {
    *lines += '{';
    AppendNamed(batch, i, lines);
    *lines += "}\n";
  }

  Status DescribeCuts(size_t i, std::span<const TextCut> cuts, std::span<const CutFact> facts,
                      WrittenBatch* written) const {
    const DocumentBatch& batch = written->item.batch;
    std::string* const lines = &written->cuts;
    const std::string_view text = batch.documents[i].text;
    CodePointsBefore code_points(text);
    for (size_t number = 0; number < cuts.size(); ++number) {
      *lines += '{';
      AppendNamed(batch, i, lines);
      const uint64_t begin = code_points.At(cuts[number].bytes.begin);
      const uint64_t end = code_points.At(cuts[number].bytes.end);
      fmt::format_to(std::back_inserter(*lines),
                     R"(, "begin": {}, "end": {}, "passage": {}, "same_as": )", begin, end,
                     facts[number].passage);
      LOOKALIKE_RETURN_IF_ERROR(AppendPlace(job_, names_, facts[number].stays, lines));
      AppendKeptBy(cuts[number], lines, &written->levels);
      *lines += "}\n";
    }
    return {};
  }

  /// Appends what decided that the words of a cut stay where they do, if `--keep` says so, and
  /// counts it.
  void AppendKeptBy(const TextCut& cut, std::string* line, CutLevels* levels) const {
    const KeepPolicy& policy = job_.choices.keep;
    if (policy.IsFirst()) return;
    *line += R"(, "kept_by": )";
    const Rank stays = ranking_.RankOf(cut.same_doc), goes = ranking_.RankOf(cut.doc);
    if (stays == goes) {
      ++levels->same_document;
      AppendJsonString(line, kSameDocument);
      return;
    }
    const KeepLevel level = ranking_.levels.Between(stays, goes);
    ++levels->between[static_cast<size_t>(level)];
    AppendJsonString(line, NameOfLevel(level, policy));
  }

  const Job& job_;
  const Ranking& ranking_;
  const StoredCuts& cuts_;
  const PagedRecords<CutFact>& facts_;
  const DocNames& names_;
  const std::string& folder_;
  std::unique_ptr<OutputStream> cut_lines_, dropped_;
  std::optional<KeptRecords> records_;
  uint64_t cut_bytes_ = 0;
  CutLevels levels_;
};

}  // namespace

Result<KeptTexts> WriteKept(const PassageContext& context, const RunsFound& found,
                            const StoredCuts& cuts, const PagedRecords<CutFact>& facts,
                            const DocNames& names, const std::string& folder) {
  Bitmap described(found.documents);
  PagedScan<TextCut> all(cuts.cuts());
  while (const TextCut* cut = all.Next()) described.Set(cut->doc);
  LOOKALIKE_RETURN_IF_ERROR(all.status());
  cuts.dropped().ForEach([&](DocNumber doc) { described.Set(doc); });
  KeptWriter writer(context, found.ranking, cuts, facts, names, folder);
  LOOKALIKE_RETURN_IF_ERROR(writer.Begin());
  LOOKALIKE_RETURN_IF_ERROR(ReadToWrite(
      context, found.inputs, described,
      [&](PassItem item) { return writer.Shorten(std::move(item)); },
      [&](const WrittenBatch& batch) { return writer.Take(batch); }));
  LOOKALIKE_RETURN_IF_ERROR(writer.End());
  return writer.written();
}

}  // namespace lookalike
