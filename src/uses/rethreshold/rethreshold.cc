// A run leaves every pair that it met in scores.bin, with its counts unless one of the documents
// was gone before the pair mattered. At a higher threshold the same greedy rule is applied to the
// pairs that reach it. Pairs without counts are compared only if known pairs leave open whether
// their documents stay.
#include "lookalike/rethreshold.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "io/object_uri.h"
#include "io/pending_output.h"
#include "lookalike/decisions.h"
#include "lookalike/options_table.h"
#include "options/refusals.h"
#include "options/text_fields.h"
#include "results/command_text.h"
#include "results/dedup_run.h"
#include "run/attempt.h"
#include "run/file_result.h"
#include "run/lanes.h"
#include "run/no_exceptions.h"
#include "run/process_limits.h"
#include "run/resolve_job.h"
#include "run/steady_observer.h"
#include "search/compare_pairs.h"
#include "search/measured_search.h"
#include "search/replay.h"
#include "uses/rethreshold/origin.h"
#include "uses/rethreshold/pairs_at.h"
#include "uses/rethreshold/record_sizes.h"

namespace lookalike {
namespace {

/// The arguments of a call.
struct Asked {
  const Rethresholding& change;
  const std::string& output;
  const Options& options;
  const ObjectReading& objects;
  const Observer& observer;
};

Status CheckChange(const Rethresholding& change) {
  if (change.threshold.has_value() == change.at_most.has_value()) {
    return OptionError("rethreshold needs $<threshold> or $<target-size>, and not both");
  }
  if (!change.at_most || change.decisions.empty()) return {};
  return OptionError(
      "$<target-size> cannot be combined with $<decisions>, which change the size; look for the "
      "size first, and pass the threshold that is found with $<decisions>");
}

tl::unexpected<Error> FailBelow(const std::string& threshold, double of_run) {
  return OptionError(fmt::format(
      "$<threshold={}> is below {}, the threshold of this result, whose run did not look for such "
      "pairs; run `lookalike dedup` with the lower threshold",
      threshold, of_run));
}

/// Checks that no threshold is below that of the run.
Status CheckThreshold(const Rethresholding& change, const Options& of_run) {
  Options options = of_run;
  LOOKALIKE_ASSIGN_OR_RETURN(const TextFields before, ReadTextFields(options));
  if (!change.threshold) {
    if (!before.several()) return {};
    return OptionError(
        "$<target-size> does not work with results of several $<text-field>; pass $<threshold>");
  }
  options.threshold = *change.threshold;
  LOOKALIKE_ASSIGN_OR_RETURN(const TextFields now, ReadTextFields(options));
  for (size_t field = 0; field < now.paths.size(); ++field) {
    if (now.thresholds[field] >= before.thresholds[field]) continue;
    return FailBelow(fmt::format("{}={}", now.paths[field], now.thresholds[field]),
                     before.thresholds[field]);
  }
  if (options.threshold.least >= of_run.threshold.least) return {};
  return FailBelow(ThresholdText(options.threshold), of_run.threshold.least);
}

/// Moves the copies of the scores to a run.
Status TakeCopies(ScoresReader* scores, SearchResult* search, Workspace* workspace) {
  auto writer = workspace->store().Temporary(1);
  ExactCopy copy;
  while (scores->Next(&copy)) {
    if (copy.copy >= search->units.documents || copy.rep >= copy.copy) {
      return CorruptError("a file of scores has a copy that does not exist");
    }
    LOOKALIKE_RETURN_IF_ERROR(writer->AppendRecord(0, copy));
  }
  LOOKALIKE_RETURN_IF_ERROR(scores->status());
  LOOKALIKE_ASSIGN_OR_RETURN(search->classes.copies.emplace_back(), writer->Finish());
  return {};
}

/// Makes a unit of each lane. Where shards do not depend on lanes, these are whole inputs.
void MakeUnits(const Job& job, uint64_t lane_bytes, DocumentUnits* units) {
  const std::vector<DocNumber>& first = units->inputs.first_of_source;
  if (units->lanes.empty()) {
    for (const Lane& lane : GroupIntoLanes(job.inputs, 0, lane_bytes)) {
      units->lanes.push_back(
          {.lane = lane, .first_doc = first[lane.first], .end_doc = first[lane.end]});
    }
  }
  units->MakeUnitOfEachLane();
}

/// Returns a number, or the numbers of text fields as they are passed.
nlohmann::ordered_json ThresholdJson(const Threshold& threshold) {
  if (threshold.fields.empty()) return threshold.least;
  return ThresholdText(threshold);
}

/// Makes one result from the scores of another.
class Remaking {
 public:
  Remaking(const Origin& origin, const Asked& asked, Attempt* attempt)
      : origin_(origin),
        asked_(asked),
        attempt_(*attempt),
        job_(attempt->job),
        workspace_(*attempt->workspace) {}

  Result<RethresholdSummary> Run(const std::string& place) {
    const std::vector<Decision>& decisions = job_.people.decisions;
    LOOKALIKE_RETURN_IF_ERROR(CheckInputsOf(origin_, job_.inputs));
    LOOKALIKE_ASSIGN_OR_RETURN(ScoresReader scores, OpenScores(origin_));
    FoundBefore found;
    SearchResult& search = found.made.search;
    search = scores.TakeFacts();
    if (search.units.inputs.skipped.size() != job_.inputs.size()) {
      return CorruptError("the file of scores has other inputs; run `lookalike dedup` again",
                          origin_.folder);
    }
    search.units.guards = PairGuards(job_.choices.guards);
    LOOKALIKE_RETURN_IF_ERROR(scores.CheckGuards(search.units.guards));
    MakeUnits(job_, workspace_.lane_bytes(), &search.units);
    LOOKALIKE_RETURN_IF_ERROR(TakeCopies(&scores, &search, &workspace_));
    summary_.threshold_of_run = origin_.options.threshold;
    summary_.decisions = decisions.size();
    const Bitmap none;
    const SearchContext context = {job_, search.units,    search.ranking,
                                   none, asked_.observer, &workspace_};
    LOOKALIKE_ASSIGN_OR_RETURN(const auto placed,
                               PlaceDecisions(decisions, context, search.units.inputs));
    LOOKALIKE_ASSIGN_OR_RETURN(SplitOff split,
                               SplitDocuments(placed, search.ranking, search.classes,
                                              search.units.documents, &workspace_));
    LOOKALIKE_RETURN_IF_ERROR(FindEdges(split.apart, context, &scores, &search));
    workspace_.meter().End("verify");
    DocumentClasses classes = std::exchange(search.classes, std::move(split.classes));
    LOOKALIKE_ASSIGN_OR_RETURN(found.made.decisions, Decide(job_, search, &workspace_));
    if (!placed.empty()) {
      LOOKALIKE_ASSIGN_OR_RETURN(
          found.made.decisions,
          ReplayDecisions(placed, split, classes, context, *found.made.decisions));
      LOOKALIKE_RETURN_IF_ERROR(ListGuarded(search, &workspace_, &*found.made.decisions));
    }
    LOOKALIKE_ASSIGN_OR_RETURN(found.made.recall,
                               MeasureRecall(job_, search, &*found.made.decisions));
    workspace_.meter().End("decide");
    return Write(std::move(found), placed.empty(), place);
  }

 private:
  /// Finds the edges from the new threshold on, which it sets.
  Status FindEdges(const Bitmap& apart, const SearchContext& context, ScoresReader* scores,
                   SearchResult* search) {
    const std::optional<TargetSize>& target = asked_.change.at_most;
    if (!target) {
      job_.options.threshold = *asked_.change.threshold;
      LOOKALIKE_ASSIGN_OR_RETURN(job_.choices.text_fields, ReadTextFields(job_.options));
    }
    DocumentUnits& units = search->units;
    LOOKALIKE_ASSIGN_OR_RETURN(SortedScores sorted,
                               SortScores({.test = job_.Test(),
                                           .apart = apart,
                                           .all_matter = target.has_value(),
                                           .compare_again = job_.several_texts(),
                                           .streams = EdgeStreams(units.guards)},
                                          units.documents, scores, &workspace_));
    LOOKALIKE_RETURN_IF_ERROR(scores->TakeWords(units.documents, search->ranking, &units.guards));
    summary_.compared_pairs = sorted.doubtful_pairs;
    LOOKALIKE_ASSIGN_OR_RETURN(
        const VerifiedEdges compared,
        ComparePairs(context, sorted.doubtful, target ? nullptr : &sorted.known));
    LOOKALIKE_ASSIGN_OR_RETURN(
        search->edges, MergeEdges(sorted.known, compared, job_.Test(), units.guards, &workspace_));
    if (!target) {
      open_ = std::move(sorted.idle);
      open_.insert(open_.end(), sorted.doubtful.begin(), sorted.doubtful.end());
      return {};
    }
    LOOKALIKE_ASSIGN_OR_RETURN(const double found, ThresholdFor(*target, context, *search));
    job_.options.threshold = found;
    LOOKALIKE_ASSIGN_OR_RETURN(
        search->edges, MergeEdges(search->edges, {}, job_.Test(), units.guards, &workspace_));
    return {};
  }

  /// `has_scores`: the result has no decisions of people, which scores do not tell.
  Result<RethresholdSummary> Write(FoundBefore found, bool has_scores, const std::string& place) {
    if (has_scores) {
      const SearchResult& search = found.made.search;
      found.scores =
          ScoresFrom(search.edges, std::move(open_), search.units.guards, search.units.documents);
    }
    found.command = CommandOf();
    found.of = {{"result", origin_.hash},
                {"threshold", ThresholdJson(summary_.threshold_of_run)},
                {"compared_pairs", summary_.compared_pairs},
                {"decisions", summary_.decisions}};
    summary_.threshold = job_.options.threshold;
    summary_.annotated = job_.options.output == "annotated";
    const DedupCall call = {origin_.inputs, asked_.output,   nullptr, origin_.options,
                            asked_.objects, asked_.observer, nullptr};
    LOOKALIKE_ASSIGN_OR_RETURN(summary_.result,
                               WriteFound(call, {place, place}, std::move(found), &attempt_));
    return std::move(summary_);
  }

  /// Returns the command line that does the same.
  [[nodiscard]] std::string CommandOf() const {
    Options shown = asked_.options;
    shown.threshold = job_.options.threshold;
    std::vector<std::string> operands = {origin_.folder};
    operands.insert(operands.end(), origin_.inputs.names.begin(), origin_.inputs.names.end());
    std::string text =
        CommandText(Command::kRethreshold, operands, asked_.output, shown, ShownOptions::kAll);
    if (shown.threshold == Options().threshold) {
      text += fmt::format(" {} {}", FlagOf("threshold"), ThresholdText(shown.threshold));
    }
    const std::string& decisions = asked_.change.decisions;
    if (!decisions.empty()) text += fmt::format(" {} {}", FlagOf("decisions"), decisions);
    return text;
  }

  const Origin& origin_;
  const Asked& asked_;
  Attempt& attempt_;
  Job& job_;
  Workspace& workspace_;
  PairRuns open_;  // compared only if they could remove a document
  RethresholdSummary summary_;
};

std::vector<StageShare> Stages() {
  return {{"sets", 1}, {"verify", 1}, {"sizes", 1}, {"names", 1}, {"write", 2}};
}

Result<RethresholdSummary> RunIn(PendingOutput* pending, const Origin& origin, const Asked& asked) {
  Options options = origin.options;
  options.decisions = asked.change.decisions;
  // All that the exact method resolves is then as in a new run; a search keeps its design.
  if (options.method == "exact" && asked.change.threshold) {
    options.threshold = *asked.change.threshold;
  }
  return RunInOneGo(origin.inputs, options, false, pending, asked.objects, [&](Attempt* attempt) {
    return Remaking(origin, asked, attempt).Run(pending->result());
  });
}

}  // namespace

std::string ThresholdText(const Threshold& threshold) {
  Options options;
  options.threshold = threshold;
  return OptionText(RowOf(&Options::threshold), options);
}

Result<RethresholdSummary> Rethreshold(const std::string& result, const Inputs& inputs,
                                       const Rethresholding& change, const std::string& output,
                                       const Options& options, const Observer& observer) {
  return WithoutExceptions([&]() -> Result<RethresholdSummary> {
    LOOKALIKE_RETURN_IF_ERROR(options.Validate());
    LOOKALIKE_RETURN_IF_ERROR(CheckChange(change));
    LOOKALIKE_ASSIGN_OR_RETURN(const std::string place, LocalPath(output));
    if (IsObjectUri(place)) {
      return UsageError("is in an object store; rethreshold writes to a folder of this machine",
                        output);
    }
    LOOKALIKE_ASSIGN_OR_RETURN(const Origin origin, OpenOrigin(result, inputs, options));
    LOOKALIKE_RETURN_IF_ERROR(CheckThreshold(change, origin.options));
    std::vector<std::string> read = FilesRead(origin.inputs.names, origin.options);
    read.push_back(result);
    const Observer steady = MakeSteady(observer, Stages());
    const ObjectReading objects = ReadingOf(origin.options, steady, place);
    const Asked asked = {change, place, options, objects, steady};
    return MakeLocalFolder(place, {read, options, objects, steady},
                           [&](PendingOutput* pending) { return RunIn(pending, origin, asked); });
  });
}

}  // namespace lookalike
