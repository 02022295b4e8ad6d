#include "lookalike/passages.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "io/file_system.h"
#include "io/output_stream.h"
#include "io/pending_output.h"
#include "run/attempt.h"
#include "run/file_result.h"
#include "run/memory_plan.h"
#include "run/no_exceptions.h"
#include "run/process_limits.h"
#include "run/resolve_job.h"
#include "run/run_facts.h"
#include "run/steady_observer.h"
#include "run/store_result.h"
#include "uses/passages/annotate.h"
#include "uses/passages/cutting.h"
#include "uses/passages/kept.h"
#include "uses/passages/lines.h"
#include "uses/passages/locate.h"
#include "uses/passages/passages_manifest.h"
#include "uses/passages/passages_report.h"
#include "uses/passages/run_search.h"
#include "uses/passages/word_hash.h"

namespace lookalike {
namespace {

constexpr std::array<std::string_view, 4> kActions = {"report", "cut", "drop", "annotate"};
constexpr std::array<std::string_view, 4> kUnits = {"sentence", "line", "paragraph", "words"};

template <class Value, size_t kCount>
std::optional<Value> ValueOf(const std::array<std::string_view, kCount>& names,
                             std::string_view name) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Value>(found - names.begin());
}

/// The owner of a run to locate that is not a listed place but where the words of a cut stay.
constexpr uint64_t kOfCut = uint64_t{1} << 63;

CutUnit UnitOf(PassageUnit unit) {
  switch (unit) {
    case PassageUnit::kSentence:
      return CutUnit::kSentence;
    case PassageUnit::kLine:
      return CutUnit::kLine;
    case PassageUnit::kParagraph:
      return CutUnit::kParagraph;
    case PassageUnit::kWords:
      break;
  }
  return CutUnit::kWords;
}

bool TakesAway(PassageAction action) {
  return action == PassageAction::kCut || action == PassageAction::kDrop;
}

Status CheckRules(const PassageRules& rules) {
  if (rules.min_words && rules.min_chars) {
    return OptionError(
        "$<min-words> and $<min-chars> both say how long a passage is at least; use one of them");
  }
  if (rules.Least() == 0 || rules.Least() > PassageRules::kLongestLeast) {
    return OptionError(fmt::format("$<min-{}={}> is not a number from 1 to {}",
                                   rules.InChars() ? "chars" : "words", rules.Least(),
                                   PassageRules::kLongestLeast));
  }
  if (rules.min_left > 0 && !TakesAway(rules.action)) {
    return OptionError("$<min-left> needs an action that takes something away: cut or drop");
  }
  if (rules.unit != PassageUnit::kSentence && !TakesAway(rules.action)) {
    return OptionError(
        fmt::format("$<unit={}> says what is cut, and $<action={}> cuts nothing; use $<action=cut>",
                    NameOf(rules.unit), NameOf(rules.action)));
  }
  if (rules.unit == PassageUnit::kWords && rules.InChars()) {
    return OptionError(
        "runs of characters begin and end within words, which $<unit=words> would tear; use "
        "sentence, line or paragraph, or $<min-words>");
  }
  return {};
}

/// One search for passages, and what is done about them.
class PassageRun {
 public:
  PassageRun(const PassageContext& context, const PassageRules& rules, PendingOutput* pending,
             Workspace* workspace)
      : context_(context),
        rules_(rules),
        pending_(*pending),
        workspace_(*workspace),
        passages_(&workspace->store()),
        here_(&workspace->store()),
        passages_of_cuts_(&workspace->store()),
        facts_(&workspace->store()) {}

  Result<PassagesSummary> Run() {
    const bool changes = TakesAway(rules_.action);
    if (rules_.action == PassageAction::kCut) {
      LOOKALIKE_RETURN_IF_ERROR(CheckCanCut(context_.job));
    }
    if (rules_.action == PassageAction::kAnnotate) {
      LOOKALIKE_RETURN_IF_ERROR(CheckCanAnnotate(context_.job));
    }
    RunSearch search;
    search.least_words = static_cast<uint32_t>(rules_.Least());
    search.finds_redundant = changes;
    LOOKALIKE_ASSIGN_OR_RETURN(found_, FindRuns(context_, search, &workspace_));
    PassagesSummary summary;
    summary.in_chars = rules_.InChars();
    summary.records = found_.records;
    summary.fields = context_.job.FieldsRead();
    summary.words = found_.words;
    LOOKALIKE_RETURN_IF_ERROR(MakeParentDirectories(pending_.result_path("x"), RealFileSystem()));
    Sorter<RunToLocate> to_locate(&workspace_.store(), context_.memory.work / 3);
    LOOKALIKE_RETURN_IF_ERROR(NumberPassages(&to_locate, &summary));
    if (changes) {
      LOOKALIKE_RETURN_IF_ERROR(Plan());
      LOOKALIKE_RETURN_IF_ERROR(FindPassagesOfCuts());
      LOOKALIKE_RETURN_IF_ERROR(AddSources(&to_locate));
    }
    LOOKALIKE_ASSIGN_OR_RETURN(Sorted<RunToLocate> runs, to_locate.Finish());
    LOOKALIKE_ASSIGN_OR_RETURN(
        Located located, LocateRuns(context_, found_.inputs, found_.documents, &runs, &workspace_));
    LOOKALIKE_RETURN_IF_ERROR(WritePassages(&located));
    if (changes) {
      const StoredCuts& cuts = *cuts_->cuts;
      if (rules_.action == PassageAction::kCut) {
        summary.cuts = cuts.cuts().size();
        summary.cut_words = cuts.words();
      }
      summary.dropped = cuts.dropped().Count();
      summary.records.kept -= summary.dropped;
      summary.records.removed_near = summary.dropped;
      LOOKALIKE_ASSIGN_OR_RETURN(const KeptTexts kept, WriteKept(context_, found_, cuts, facts_,
                                                                 located.names, pending_.result()));
      summary.cut_bytes = kept.cut_bytes;
      summary.kept_by = kept.kept_by;
    }
    if (rules_.action == PassageAction::kAnnotate) {
      LOOKALIKE_RETURN_IF_ERROR(
          WriteAnnotated(context_, found_.inputs, found_.documents, here_, pending_.result()));
    }
    LOOKALIKE_RETURN_IF_ERROR(WritePassagesReport(
        {context_.job, rules_, summary, passages_, located.shown, located.names, shown_cuts_},
        pending_.result_path("report.html")));
    cost_.FillIn(&summary);
    summary.peak_scratch_bytes = workspace_.store().peak_disk_bytes();
    return summary;
  }

 private:
  /// Numbers the passages from 1, and writes down which places are to be located.
  Status NumberPassages(Sorter<RunToLocate>* to_locate, PassagesSummary* summary) {
    Sorter<NumberedPlace> here(&workspace_.store(), context_.memory.work / 5);
    std::optional<ListedPlace> last;
    NumberedPassage passage;
    const PassagePlace* one = found_.here.Next();
    while (const ListedPlace* place = found_.listed.Next()) {
      if (!last || !last->IsOfSamePassage(*place)) {
        if (last) LOOKALIKE_RETURN_IF_ERROR(passages_.Add(passage));
        passage = {.words = place->words, .places = place->places, .listed = 0};
        summary->places += place->places;
        ++summary->passages;
        // Both lists are in the order of passages.
        for (; one != nullptr && one->first == place->first && one->words == place->words;
             one = found_.here.Next()) {
          LOOKALIKE_RETURN_IF_ERROR(here.Add(
              {{one->doc, static_cast<uint32_t>(one->word), static_cast<uint32_t>(one->words)},
               summary->passages,
               one->is_first}));
        }
      }
      last = *place;
      ++passage.listed;
      LOOKALIKE_RETURN_IF_ERROR(to_locate->Add({place->run, summary->passages, place->order}));
    }
    if (last) LOOKALIKE_RETURN_IF_ERROR(passages_.Add(passage));
    LOOKALIKE_RETURN_IF_ERROR(found_.here.status());
    LOOKALIKE_RETURN_IF_ERROR(found_.listed.status());
    found_.listed = {};
    found_.here = {};
    LOOKALIKE_ASSIGN_OR_RETURN(Sorted<NumberedPlace> sorted, here.Finish());
    while (const NumberedPlace* place = sorted.Next()) {
      CountShared(*place, summary);
      LOOKALIKE_RETURN_IF_ERROR(here_.Add(*place));
    }
    return sorted.status();
  }

  /// Counts the words of the inputs that are part of a passage. Places must come in order.
  void CountShared(const NumberedPlace& place, PassagesSummary* summary) {
    const DocNumber own = context_.job.ReferenceEnd(found_.inputs);
    if (place.run.doc < own) return;
    if (place.run.doc != shared_doc_) shared_end_ = 0;
    shared_doc_ = place.run.doc;
    const uint64_t end = place.run.word + uint64_t{place.run.words};
    summary->shared_words += end - std::clamp<uint64_t>(shared_end_, place.run.word, end);
    shared_end_ = std::max(shared_end_, end);
  }

  Status Plan() {
    CutRules rules;
    rules.whole_only = rules_.action == PassageAction::kDrop;
    rules.min_left = rules_.min_left;
    if (rules.whole_only && rules.min_left == 0) rules.min_left = UINT64_MAX;
    // A document that goes is not cut, so that no borders matter.
    const CutUnit unit = rules.whole_only ? CutUnit::kWords : UnitOf(rules_.unit);
    LOOKALIKE_ASSIGN_OR_RETURN(PlannedCuts cuts,
                               PlanCuts(context_, unit, rules, &found_, &workspace_));
    cuts_.emplace(std::move(cuts));
    return {};
  }

  /// Finds the number of the passage that each cut begins in.
  Status FindPassagesOfCuts() {
    PagedScan<TextCut> cuts(cuts_->cuts->cuts());
    PagedScan<NumberedPlace> places(here_);
    const NumberedPlace* place = places.Next();
    while (const TextCut* cut = cuts.Next()) {
      // None of the places of a document holds another one: their ends ascend as well.
      while (place != nullptr &&
             (place->run.doc < cut->doc ||
              (place->run.doc == cut->doc && place->run.word + place->run.words <= cut->word))) {
        place = places.Next();
      }
      LOOKALIKE_RETURN_IF_ERROR(places.status());
      if (place == nullptr || place->run.doc != cut->doc || place->run.word > cut->word) {
        return BugError("a cut is in no passage; please report this");
      }
      LOOKALIKE_RETURN_IF_ERROR(passages_of_cuts_.Add(place->passage));
      if (place->passage <= kShownPassages) ++shown_cuts_[place->passage - 1];
    }
    return cuts.status();
  }

  Status AddSources(Sorter<RunToLocate>* to_locate) {
    PagedScan<TextCut> cuts(cuts_->cuts->cuts());
    uint64_t number = 0;
    while (const TextCut* cut = cuts.Next()) {
      LOOKALIKE_RETURN_IF_ERROR(to_locate->Add(
          {{cut->same_doc, cut->same_word, cut->words}, kOfCut | number++, kToItsEnd}));
    }
    return cuts.status();
  }

  /// Writes passages.jsonl, and finds out where the words of cuts stay.
  Status WritePassages(Located* located) {
    LOOKALIKE_ASSIGN_OR_RETURN(
        const auto file,
        OutputStream::Create(pending_.result_path("passages.jsonl"), Codec::kNone));
    PagedScan<NumberedPassage> passages(passages_);
    std::string line;
    uint64_t hash = 0, listed = 0;
    const LocatedRun* run = located->runs.Next();
    for (; run != nullptr && (run->owner & kOfCut) == 0; run = located->runs.Next()) {
      if (run->order == 0) {
        const NumberedPassage* passage = passages.Next();
        if (passage == nullptr) return passages.status();
        line = fmt::format(R"({{"passage": {}, "{}": {}, "places": {}, "listed": [)", run->owner,
                           rules_.InChars() ? "chars" : "words", passage->words, passage->places);
        hash = run->hash;
        listed = passage->listed;
      } else {
        if (run->hash != hash) return NotEqualAfterAll();
        line += ", ";
      }
      LOOKALIKE_RETURN_IF_ERROR(AppendPlace(context_.job, located->names, *run, &line));
      if (run->order + 1 < listed) continue;
      line += "]}\n";
      LOOKALIKE_RETURN_IF_ERROR(file->Write(line));
    }
    if (run != nullptr) LOOKALIKE_RETURN_IF_ERROR(TakeSources(run, located));
    LOOKALIKE_RETURN_IF_ERROR(located->runs.status());
    return file->Close();
  }

  /// Takes where the words of the cuts stay, from the first one on.
  Status TakeSources(const LocatedRun* run, Located* located) {
    PagedScan<uint64_t> hashes(cuts_->hashes), passages(passages_of_cuts_);
    for (; run != nullptr; run = located->runs.Next()) {
      const uint64_t *hash = hashes.Next(), *passage = passages.Next();
      LOOKALIKE_RETURN_IF_ERROR(hashes.status());
      LOOKALIKE_RETURN_IF_ERROR(passages.status());
      if (run->hash != *hash) return NotEqualAfterAll();
      LOOKALIKE_RETURN_IF_ERROR(facts_.Add({*run, *passage}));
    }
    return {};
  }

  const PassageContext& context_;
  const PassageRules& rules_;
  PendingOutput& pending_;
  Workspace& workspace_;
  RunsFound found_;
  PagedRecords<NumberedPassage> passages_;  ///< By number, from 1.
  PagedRecords<NumberedPlace> here_;        ///< By document.
  DocNumber shared_doc_ = 0;                ///< The document of the place that was counted last,
  uint64_t shared_end_ = 0;                 ///< and where its places so far end.
  std::optional<PlannedCuts> cuts_;         ///< If the action changes documents, with, by cut:
  PagedRecords<uint64_t> passages_of_cuts_;
  std::vector<uint64_t> shown_cuts_ = std::vector<uint64_t>(kShownPassages);
  PagedRecords<CutFact> facts_;
  RunCost cost_;
};

/// The arguments of one call of FindPassages.
struct PassagesCall {
  const Inputs& inputs;
  const std::string& output;
  const PassageRules& rules;
  const Options& options;
  const ObjectReading& objects;
  const Observer& observer;
};

Result<PassagesSummary> RunIn(const PassagesCall& call, PendingOutput* pending) {
  LOOKALIKE_ASSIGN_OR_RETURN(const StressTest stress_test, StressTestFromEnvironment());
  const std::string spool = pending->path("spool");
  Options units = call.options;
  units.shingle = call.rules.InChars() ? "char:1" : "word:1";
  LOOKALIKE_RETURN_IF_ERROR(MakeParentDirectories(spool + "/stdin", RealFileSystem()));
  LOOKALIKE_ASSIGN_OR_RETURN(const Job job, JobOfTexts(call.inputs, units, spool, call.objects));
  LOOKALIKE_RETURN_IF_ERROR(pending->CheckApartFrom(job.inputs));
  const MemoryPlan memory = PlanMemory(call.options.memory, ThreadCount(call.options.threads));
  LOOKALIKE_ASSIGN_OR_RETURN(const auto workspace,
                             OpenScratch(call.options, pending, stress_test.stress));
  const PassageContext context{job, memory, call.observer};
  auto done = WithoutExceptions([&]() -> Result<PassagesSummary> {
    LOOKALIKE_ASSIGN_OR_RETURN(PassagesSummary summary,
                               PassageRun(context, call.rules, pending, workspace.get()).Run());
    LOOKALIKE_RETURN_IF_ERROR(
        WritePassagesManifest(job, call.rules, summary, pending->result_path("manifest.json")));
    return summary;
  });
  LOOKALIKE_RETURN_IF_ERROR(workspace->Clear());
  return done;
}

}  // namespace

std::string_view NameOf(PassageAction action) { return kActions[static_cast<size_t>(action)]; }
std::string_view NameOf(PassageUnit unit) { return kUnits[static_cast<size_t>(unit)]; }

std::optional<PassageAction> PassageActionOf(std::string_view name) {
  return ValueOf<PassageAction>(kActions, name);
}

std::optional<PassageUnit> PassageUnitOf(std::string_view name) {
  return ValueOf<PassageUnit>(kUnits, name);
}

Result<PassagesSummary> FindPassages(const Inputs& inputs, const std::string& output,
                                     const PassageRules& rules, const Options& options,
                                     const Observer& observer) {
  LOOKALIKE_RETURN_IF_ERROR(options.Validate());
  LOOKALIKE_RETURN_IF_ERROR(CheckRules(rules));
  LOOKALIKE_ASSIGN_OR_RETURN(const std::string place, LocalPath(output));
  if (IsObjectUri(place)) {
    return UsageError("passages are written to a folder on this machine, not to a store; name one");
  }
  const Observer steady = MakeSteady(observer);
  const ObjectReading objects = ReadingOf(options, steady, place);
  const PassagesCall call{inputs, place, rules, options, objects, steady};
  return MakeLocalFolder(place, {FilesRead(inputs.names, options), options, objects, steady},
                         [&](PendingOutput* pending) { return RunIn(call, pending); });
}

}  // namespace lookalike
