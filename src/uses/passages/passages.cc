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
#include "uses/passages/cutting.h"
#include "uses/passages/kept.h"
#include "uses/passages/lines.h"
#include "uses/passages/locate.h"
#include "uses/passages/passages_manifest.h"
#include "uses/passages/run_search.h"
#include "uses/passages/word_hash.h"

namespace lookalike {
namespace {

constexpr std::array<std::string_view, 3> kActions = {"report", "cut", "drop"};
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

Status CheckRules(const PassageRules& rules) {
  if (rules.min_words == 0 || rules.min_words > PassageRules::kLongestLeast) {
    return OptionError(fmt::format("$<min-words={}> is not a number from 1 to {}", rules.min_words,
                                   PassageRules::kLongestLeast));
  }
  if (rules.min_left > 0 && rules.action == PassageAction::kReport) {
    return OptionError("$<min-left> needs an action that takes something away: cut or drop");
  }
  return {};
}

/// One search for passages, and what is done about them.
class PassageRun {
 public:
  PassageRun(const PassageContext& context, const PassageRules& rules, PendingOutput* pending,
             Workspace* workspace)
      : context_(context), rules_(rules), pending_(*pending), workspace_(*workspace) {}

  Result<PassagesSummary> Run() {
    const bool changes = rules_.action != PassageAction::kReport;
    if (rules_.action == PassageAction::kCut) {
      LOOKALIKE_RETURN_IF_ERROR(CheckCanCut(context_.job));
    }
    RunSearch search;
    search.least_words = static_cast<uint32_t>(rules_.min_words);
    search.finds_redundant = changes;
    search.scratch = pending_.path("words");
    LOOKALIKE_ASSIGN_OR_RETURN(found_, FindRuns(context_, search, &workspace_));
    PassagesSummary summary;
    summary.records = found_.records;
    summary.fields = context_.job.FieldsRead();
    summary.words = found_.words;
    LOOKALIKE_RETURN_IF_ERROR(MakeParentDirectories(pending_.result_path("x"), RealFileSystem()));
    Sorter<RunToLocate> to_locate(&workspace_.store(), context_.memory.work / 3);
    LOOKALIKE_RETURN_IF_ERROR(NumberPassages(&to_locate, &summary));
    PlannedCuts cuts{CutPlan({}), {}};
    CutFacts facts;
    if (changes) {
      LOOKALIKE_ASSIGN_OR_RETURN(cuts, Plan());
      LOOKALIKE_ASSIGN_OR_RETURN(facts.passages, PassagesOf(cuts.plan.cuts()));
      LOOKALIKE_RETURN_IF_ERROR(AddSources(cuts.plan.cuts(), &to_locate));
    }
    LOOKALIKE_ASSIGN_OR_RETURN(Sorted<RunToLocate> runs, to_locate.Finish());
    LOOKALIKE_ASSIGN_OR_RETURN(
        Located located, LocateRuns(context_, found_.inputs, found_.documents, &runs, &workspace_));
    LOOKALIKE_RETURN_IF_ERROR(WritePassages(&located, cuts, &facts));
    if (changes) {
      if (rules_.action == PassageAction::kCut) {
        summary.cuts = cuts.plan.cuts().size();
        for (const TextCut& cut : cuts.plan.cuts()) summary.cut_words += cut.words;
      }
      summary.dropped = cuts.plan.dropped().size();
      summary.records.kept -= summary.dropped;
      summary.records.removed_near = summary.dropped;
      LOOKALIKE_ASSIGN_OR_RETURN(const KeptTexts kept,
                                 WriteKept(context_, found_.inputs, found_.documents, cuts.plan,
                                           facts, located.names, pending_.result()));
      summary.cut_bytes = kept.cut_bytes;
    }
    cost_.FillIn(&summary);
    summary.peak_scratch_bytes = workspace_.store().peak_disk_bytes();
    return summary;
  }

 private:
  /// Numbers the passages from 1, and writes down which places are to be located.
  Status NumberPassages(Sorter<RunToLocate>* to_locate, PassagesSummary* summary) {
    std::optional<ListedPlace> last;
    const PassagePlace* here = found_.here.Next();
    while (const ListedPlace* place = found_.listed.Next()) {
      if (!last || !last->IsOfSamePassage(*place)) {
        passages_.push_back({.words = place->words, .places = place->places, .listed = 0});
        summary->places += place->places;
        // Both lists are in the order of passages.
        for (; here != nullptr && here->first == place->first && here->words == place->words;
             here = found_.here.Next()) {
          here_.push_back(
              {{here->doc, static_cast<uint32_t>(here->word), static_cast<uint32_t>(here->words)},
               passages_.size()});
        }
      }
      last = *place;
      ++passages_.back().listed;
      LOOKALIKE_RETURN_IF_ERROR(to_locate->Add({place->run, passages_.size(), place->order}));
    }
    LOOKALIKE_RETURN_IF_ERROR(found_.here.status());
    std::ranges::sort(here_);
    summary->shared_words = CountShared();
    summary->passages = passages_.size();
    return found_.listed.status();
  }

  /// Counts the words of the inputs that are part of a passage.
  [[nodiscard]] uint64_t CountShared() const {
    const DocNumber own = context_.job.ReferenceEnd(found_.inputs);
    uint64_t words = 0, end = 0;
    DocNumber doc = 0;
    for (const NumberedPlace& place : here_) {
      if (place.run.doc < own) continue;
      if (place.run.doc != doc) end = 0;
      doc = place.run.doc;
      const uint64_t place_end = place.run.word + uint64_t{place.run.words};
      words += place_end - std::clamp<uint64_t>(end, place.run.word, place_end);
      end = std::max(end, place_end);
    }
    return words;
  }

  Result<PlannedCuts> Plan() {
    CutRules rules;
    rules.whole_only = rules_.action == PassageAction::kDrop;
    rules.min_left = rules_.min_left;
    if (rules.whole_only && rules.min_left == 0) rules.min_left = UINT64_MAX;
    // A document that goes is not cut, so that no borders matter.
    const CutUnit unit = rules.whole_only ? CutUnit::kWords : UnitOf(rules_.unit);
    return PlanCuts(context_, found_.inputs, found_.documents, unit, rules, &found_.redundant);
  }

  /// Returns the number of the passage that each cut begins in.
  [[nodiscard]] Result<std::vector<uint64_t>> PassagesOf(const std::vector<TextCut>& cuts) const {
    std::vector<uint64_t> passages;
    passages.reserve(cuts.size());
    auto here = here_.begin();
    // None of the places of a document holds another one: their ends ascend as well.
    const auto ends_before = [](const WordRun& run, const TextCut& cut) {
      return run.doc < cut.doc || (run.doc == cut.doc && run.word + run.words <= cut.word);
    };
    for (const TextCut& cut : cuts) {
      while (here != here_.end() && ends_before(here->run, cut)) ++here;
      if (here == here_.end() || here->run.doc != cut.doc || here->run.word > cut.word) {
        return BugError("a cut is in no passage; please report this");
      }
      passages.push_back(here->passage);
    }
    return passages;
  }

  static Status AddSources(const std::vector<TextCut>& cuts, Sorter<RunToLocate>* to_locate) {
    for (size_t i = 0; i < cuts.size(); ++i) {
      const TextCut& cut = cuts[i];
      LOOKALIKE_RETURN_IF_ERROR(
          to_locate->Add({{cut.same_doc, cut.same_word, cut.words}, kOfCut | i, kToItsEnd}));
    }
    return {};
  }

  /// Writes passages.jsonl, and fills in where the words of cuts stay.
  Status WritePassages(Located* located, const PlannedCuts& cuts, CutFacts* facts) {
    LOOKALIKE_ASSIGN_OR_RETURN(
        const auto file,
        OutputStream::Create(pending_.result_path("passages.jsonl"), Codec::kNone));
    std::string line;
    uint64_t hash = 0;
    while (const LocatedRun* run = located->runs.Next()) {
      if ((run->owner & kOfCut) != 0) {
        if (run->hash != cuts.hashes[run->owner & ~kOfCut]) return NotEqualAfterAll();
        facts->stays.push_back(*run);
        continue;
      }
      const NumberedPassage& passage = passages_[run->owner - 1];
      if (run->order == 0) {
        line = fmt::format(R"({{"passage": {}, "words": {}, "places": {}, "listed": [)", run->owner,
                           passage.words, passage.places);
        hash = run->hash;
      } else {
        if (run->hash != hash) return NotEqualAfterAll();
        line += ", ";
      }
      AppendPlace(context_.job, located->names, *run, &line);
      if (run->order + 1 < passage.listed) continue;
      line += "]}\n";
      LOOKALIKE_RETURN_IF_ERROR(file->Write(line));
    }
    LOOKALIKE_RETURN_IF_ERROR(located->runs.status());
    return file->Close();
  }

  const PassageContext& context_;
  const PassageRules& rules_;
  PendingOutput& pending_;
  Workspace& workspace_;
  RunsFound found_;
  std::vector<NumberedPassage> passages_;
  std::vector<NumberedPlace> here_;  ///< By document.
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
  Options words = call.options;
  words.shingle = "word:1";
  LOOKALIKE_RETURN_IF_ERROR(MakeParentDirectories(spool + "/stdin", RealFileSystem()));
  LOOKALIKE_ASSIGN_OR_RETURN(const Job job, JobOfTexts(call.inputs, words, spool, call.objects));
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
