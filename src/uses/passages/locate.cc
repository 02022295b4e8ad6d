#include "uses/passages/locate.h"

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "io/utf8.h"
#include "results/unit_text.h"
#include "run/members.h"
#include "stages/features/words.h"
#include "text/utf8.h"
#include "uses/passages/lines.h"
#include "uses/passages/word_hash.h"

namespace lookalike {
namespace {

/// The runs of a batch's documents, whose names are numbered from the first of the batch.
struct BatchPlaces {
  std::vector<LocatedRun> runs;
  std::vector<DocName> names;
  ShownPlaces shown;
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
    byte = SkipCodePoints(text, byte, run->end - code_point);
    code_point = run->end;
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
  Locator(const PassageContext& context, const PagedRecords<RunToLocate>& runs)
      : context_(context), runs_(runs) {}

  BatchPlaces Find(const PassItem& item) const {
    BatchPlaces found;
    found.status = Find(item, &found);
    return found;
  }

 private:
  Status Find(const PassItem& item, BatchPlaces* found) const {
    const std::vector<Document>& documents = item.batch.documents;
    LOOKALIKE_ASSIGN_OR_RETURN(
        const auto all, ReadDocuments(runs_, item.first_doc, item.first_doc + documents.size(),
                                      [](const RunToLocate& run) { return run.run.doc; }));
    const std::span<const RunToLocate> runs = all.records;
    for (size_t begin = 0, end = 0; begin < runs.size(); begin = end) {
      const DocNumber doc = runs[begin].run.doc;
      while (end < runs.size() && runs[end].run.doc == doc) ++end;
      const Document& document = documents[doc - item.first_doc];
      const size_t first = found->runs.size();
      LOOKALIKE_RETURN_IF_ERROR(LocateIn(context_.job, document, runs.subspan(begin, end - begin),
                                         found->names.size(), &found->runs));
      Show(document, std::span(found->runs).subspan(first), &found->shown);
      found->names.push_back({item.batch.source, document.row,
                              IdOf(document, context_.job.inputs.NameOf(item.batch.source))});
    }
    return {};
  }

  /// Keeps the places of one text that the report shows.
  static void Show(const Document& document, std::span<const LocatedRun> runs, ShownPlaces* shown) {
    std::string repaired;
    for (const LocatedRun& run : runs) {
      if (run.owner > kShownPassages || run.order >= kShownPlaces) continue;
      std::string_view text = document.text;
      if (!IsUtf8(text)) text = repaired = RepairUtf8(text);
      ShownPlace place = ShowPlace(text, run.begin, run.end);
      place.name = run.name;
      shown->emplace(std::pair(run.owner, run.order), std::move(place));
    }
  }

  const PassageContext& context_;
  const PagedRecords<RunToLocate>& runs_;
};

}  // namespace

Status LocateIn(const Job& job, const Document& document, std::span<const RunToLocate> runs,
                uint64_t name, std::vector<LocatedRun>* found) {
  const size_t first = found->size();
  const auto text = ReadUnits(document.text, job.features, document.kind);
  const std::span<const UnitText::Unit> words = text->units;
  std::vector<uint64_t> hashes(words.size());  // of the words that are in runs
  size_t hashed = 0;
  for (const RunToLocate& run : runs) {
    const uint64_t end = run.run.word + uint64_t{run.run.words};
    if (end > words.size()) return HasChanged();
    hashed = std::max<size_t>(hashed, run.run.word);
    for (; hashed < end; ++hashed) hashes[hashed] = HashText(words[hashed].value);
    auto here = words.subspan(run.run.word, run.run.words);
    // White space at the end of what stays may reach into what goes after it.
    while (run.order == kToItsEnd && here.size() > 1 && here.back().value == " ") {
      here = here.first(here.size() - 1);
    }
    found->push_back({run.owner, run.order, name, here.front().begin, here.back().end,
                      HashRun(std::span(hashes).subspan(run.run.word, run.run.words))});
  }
  const std::span<LocatedRun> here = std::span(*found).subspan(first);
  if (IsUtf8(document.text)) {
    ExtendOverSpace(document.text, here);
  } else {
    ExtendOverSpace(RepairUtf8(document.text), here);
  }
  return {};
}

Result<Located> LocateRuns(const PassageContext& context, const KnownInputs& known,
                           DocNumber documents, Sorted<RunToLocate>* runs, Workspace* workspace) {
  RunStore& store = workspace->store();
  Bitmap wanted(documents);
  PagedRecords<RunToLocate> all(&store);
  while (const RunToLocate* run = runs->Next()) {
    wanted.Set(run->run.doc);
    LOOKALIKE_RETURN_IF_ERROR(all.Add(*run));
  }
  LOOKALIKE_RETURN_IF_ERROR(runs->status());
  *runs = {};
  const Locator locator(context, all);
  Located located{DocNames(&store), {}, {}};
  Sorter<LocatedRun> sorter(&store, context.memory.work / 3);
  const auto take = [&](BatchPlaces batch) -> Status {
    LOOKALIKE_RETURN_IF_ERROR(batch.status);
    const uint64_t first_name = located.names.next();
    for (LocatedRun run : batch.runs) {
      run.name += first_name;
      LOOKALIKE_RETURN_IF_ERROR(sorter.Add(run));
    }
    for (auto& [place, shown] : batch.shown) {
      shown.name += first_name;
      located.shown.emplace(place, std::move(shown));
    }
    for (const DocName& name : batch.names) {
      LOOKALIKE_RETURN_IF_ERROR(located.names.Add(name.source, name.row, name.id));
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
