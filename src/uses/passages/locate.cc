#include "uses/passages/locate.h"

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "io/utf8.h"
#include "results/unit_text.h"
#include "stages/features/words.h"
#include "text/utf8.h"
#include "uses/passages/lines.h"
#include "uses/passages/word_hash.h"

namespace lookalike {
namespace {

/// The runs of some documents, by document. Shared by the batches that need them.
using Runs = std::vector<RunToLocate>;

/// The runs of a batch's documents.
struct BatchPlaces {
  struct Name {
    DocNumber doc;
    uint64_t row;
    std::string id;
  };
  uint32_t source = 0;
  std::vector<LocatedRun> runs;
  std::vector<Name> names;
  Status status;
};

/// Moves the ends of runs of one text behind the white space that follows them, which belongs to a
/// place as it belongs to a sentence. REQUIRES: `text` is UTF-8.
void ExtendOverSpace(std::string_view text, std::span<LocatedRun> runs) {
  std::vector<LocatedRun*> by_end;
  for (LocatedRun& run : runs) {
    if (run.order != kToItsEnd) by_end.push_back(&run);
  }
  std::ranges::sort(by_end, {}, [](const LocatedRun* run) { return run->end; });
  size_t byte = 0;
  uint64_t code_point = 0;
  for (LocatedRun* run : by_end) {
    while (byte < text.size() && code_point < run->end) {
      byte += ReadValidCodePoint(text.data() + byte).length;
      ++code_point;
    }
    size_t after = byte;
    while (after < text.size()) {
      const CodePoint next = ReadValidCodePoint(text.data() + after);
      if (!IsWhiteSpace(next.value)) break;
      after += next.length;
      ++run->end;
    }
  }
}

class Locator {
 public:
  Locator(const PassageContext& context, Runs runs) : context_(context), runs_(std::move(runs)) {}

  BatchPlaces Find(const PassItem& item) const {
    BatchPlaces found;
    found.source = item.batch.source;
    for (size_t i = 0; i < item.batch.documents.size(); ++i) {
      const DocNumber doc = item.first_doc + i;
      const auto [begin, end] = std::ranges::equal_range(
          runs_, doc, {}, [](const RunToLocate& run) { return run.run.doc; });
      if (begin == end) continue;
      const Document& document = item.batch.documents[i];
      found.names.push_back({doc, document.row, IdOf(context_.job, item.batch.source, document)});
      found.status = FindIn(document, {begin, end}, &found.runs);
      if (!found.status) break;
    }
    return found;
  }

 private:
  Status FindIn(const Document& document, std::span<const RunToLocate> runs,
                std::vector<LocatedRun>* found) const {
    const size_t first = found->size();
    const auto text = ReadUnits(document.text, context_.job.features, document.kind);
    const std::span<const UnitText::Unit> words = text->units;
    for (const RunToLocate& run : runs) {
      if (run.run.word + uint64_t{run.run.words} > words.size()) {
        return HasChanged();
      }
      const auto here = words.subspan(run.run.word, run.run.words);
      found->push_back({run.owner, run.order, run.run.doc, here.front().begin, here.back().end,
                        HashWords(here)});
    }
    const std::span<LocatedRun> here = std::span(*found).subspan(first);
    if (IsUtf8(document.text)) {
      ExtendOverSpace(document.text, here);
    } else {
      ExtendOverSpace(RepairUtf8(document.text), here);
    }
    return {};
  }

  const PassageContext& context_;
  Runs runs_;
};

}  // namespace

Result<Located> LocateRuns(const PassageContext& context, const KnownInputs& known,
                           DocNumber documents, Sorted<RunToLocate>* runs, Workspace* workspace) {
  Bitmap wanted(documents);
  Runs all;
  while (const RunToLocate* run = runs->Next()) {
    wanted.Set(run->run.doc);
    all.push_back(*run);
  }
  LOOKALIKE_RETURN_IF_ERROR(runs->status());
  const Locator locator(context, std::move(all));
  Located located;
  Sorter<LocatedRun> sorter(&workspace->store(), context.memory.work / 3);
  const auto take = [&](const BatchPlaces& batch) -> Status {
    LOOKALIKE_RETURN_IF_ERROR(batch.status);
    for (const LocatedRun& run : batch.runs) LOOKALIKE_RETURN_IF_ERROR(sorter.Add(run));
    for (const auto& name : batch.names) {
      located.names.Add(name.doc, batch.source, name.row, name.id);
    }
    return {};
  };
  LOOKALIKE_RETURN_IF_ERROR(ReadAgain(
      context, known, wanted, "locate", [&](const PassItem& item) { return locator.Find(item); },
      take));
  LOOKALIKE_ASSIGN_OR_RETURN(located.runs, sorter.Finish());
  return located;
}

}  // namespace lookalike
