#include "commands.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <clocale>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "comparison_view.h"
#include "index_commands.h"
#include "lookalike/decontaminate.h"
#include "lookalike/list_audit.h"
#include "lookalike/lookalike.h"
#include "lookalike/passages.h"
#include "lookalike/rethreshold.h"
#include "lookalike/shards.h"
#include "plan_view.h"
#include "quantity.h"
#include "run_log.h"
#include "serve_command.h"
#include "server/result_site.h"
#include "shard_view.h"
#include "study_view.h"
#include "summaries.h"
#include "terminal.h"

namespace lookalike::cli {
namespace {

/// Prints the summary of a run whose result is in `output`. If that fails, the run has not failed.
void PrintAfterwards(const std::string& text, const std::string& output) {
  const Status written = WriteOut(text);
  if (written) return;
  Say(fmt::format("lookalike: {}; the result is complete in {}\n", written.error().what, output));
}

template <class Summary>
void PrintSummary(const Summary& summary, const Request& request) {
  if (request.options.json) {
    PrintAfterwards(JsonLine(ToJson(summary, request)), request.output);
  } else if (!request.options.quiet) {
    PrintAfterwards(ToText(summary, request), request.output);
  }
  if constexpr (requires { summary.recall; }) {
    const std::string warning = RecallWarning(summary.recall, request.options);
    if (!warning.empty()) Say(warning + "\n");
  }
}

/// Writes a page completely or not at all, through a file next to it with a name unique to this
/// process: another run may write the same page.
Status WritePage(const std::string& page, const std::string& path) {
  const std::string fresh = fmt::format("{}.new-{}", path, getpid());
  std::FILE* const file = std::fopen(fresh.c_str(), "wbx");
  bool written = file != nullptr && std::fwrite(page.data(), 1, page.size(), file) == page.size();
  if (file != nullptr) written = std::fclose(file) == 0 && written;
  if (written && std::rename(fresh.c_str(), path.c_str()) == 0) return {};
  const std::string why = std::strerror(errno);
  if (file != nullptr) (void)std::remove(fresh.c_str());
  return DiskError("cannot be written: " + why + "; pass another path to --html", path);
}

bool LeftSomethingOut(const RecordCounts& records) {
  return records.rejected + records.rejected_reference + records.skipped_inputs > 0;
}

Result<ExitCode> RunDedup(const Request& request) {
  RunLog log(request.options);
  const Result<DedupSummary> summary =
      Dedup(request.inputs, request.output, request.options, log.MakeObserver());
  log.Finish(summary ? fmt::format(", listed in {}/rejected.jsonl", request.output) : "");
  if (!summary) return tl::make_unexpected(summary.error());
  PrintSummary(*summary, request);
  return LeftSomethingOut(summary->records) ? kPartlyDone : kDone;
}

Result<ExitCode> RunRethreshold(const Request& request) {
  const std::string result = server::FolderName(request.inputs[0]);
  const std::vector<std::string> inputs(request.inputs.begin() + 1, request.inputs.end());
  if (std::ranges::count(inputs, "-") > 0) {
    return UsageError(
        "rethreshold reads the inputs of a result again; standard input can be read once");
  }
  Rethresholding change = request.change;
  if (request.threshold_given) change.threshold = request.options.threshold;
  RunLog log(request.options);
  const Result<RethresholdSummary> summary =
      Rethreshold(result, inputs, change, request.output, request.options, log.MakeObserver());
  log.Finish("");
  if (!summary) return tl::make_unexpected(summary.error());
  PrintSummary(*summary, request);
  return LeftSomethingOut(summary->result.records) ? kPartlyDone : kDone;
}

Result<ExitCode> RunPairs(const Request& request) {
  RunLog log(request.options);
  const Result<PairsSummary> summary =
      Pairs(request.inputs, request.output, request.options, log.MakeObserver());
  log.Finish("");
  if (!summary) return tl::make_unexpected(summary.error());
  PrintSummary(*summary, request);
  if (LeftSomethingOut(summary->records)) return kPartlyDone;
  return summary->pairs == 0 ? kNothingFound : kDone;
}

/// Runs `find(inputs, output, rules, options, observer)`, which looks into texts by some rules.
template <class Rules, class Find>
Result<ExitCode> RunInTexts(const Request& request, const Rules& rules, Find find) {
  RunLog log(request.options);
  const auto summary =
      find(request.inputs, request.output, rules, request.options, log.MakeObserver());
  log.Finish("");
  if (!summary) return tl::make_unexpected(summary.error());
  PrintSummary(*summary, request);
  return LeftSomethingOut(summary->records) ? kPartlyDone : kDone;
}

Result<ExitCode> RunAudit(const Request& request) {
  const std::string result = server::FolderName(request.inputs[0]);
  const std::vector<std::string> inputs(request.inputs.begin() + 1, request.inputs.end());
  if (std::ranges::count(inputs, "-") > 0) {
    return UsageError("audit compares a result's inputs again; standard input can be read once");
  }
  Request of_result = request;
  if (of_result.output.empty()) of_result.output = result + ".audit.jsonl";
  RunLog log(request.options);
  const Result<ListAudit> audit = AuditList(result, inputs, request.list, of_result.output,
                                            request.options, log.MakeObserver());
  log.Finish("");
  if (!audit) return tl::make_unexpected(audit.error());
  PrintSummary(*audit, of_result);
  return audit->rejected > 0 ? kPartlyDone : kDone;
}

Result<ExitCode> RunNearest(const Request& request) {
  RunLog log(request.options);
  const Result<NearestSummary> summary =
      Nearest(request.inputs, request.output, request.options, log.MakeObserver());
  log.Finish("");
  if (!summary) return tl::make_unexpected(summary.error());
  PrintSummary(*summary, request);
  if (LeftSomethingOut(summary->records)) return kPartlyDone;
  return summary->neighbours == 0 ? kNothingFound : kDone;
}

/// True if a threshold was given and the comparison falls below it.
bool AreUnlike(const Comparison& comparison, const Request& request) {
  const Options& options = request.options;
  if (comparison.distance) return options.within >= 0 && *comparison.distance > options.within;
  return request.threshold_given && comparison.resemblance < options.threshold;
}

Result<ExitCode> RunCompare(const Request& request) {
  const std::string& a = request.inputs[0];
  const std::string& b = request.inputs[1];
  LOOKALIKE_ASSIGN_OR_RETURN(const Comparison comparison, Compare(a, b, request.options));
  if (!comparison.exact && request.options.verify == "exact") {
    Say("lookalike: sketch files hold no texts, so --verify sketch is implied\n");
  }
  if (request.options.json) {
    PrintJson(ToJson(comparison));
  } else {
    std::setlocale(LC_CTYPE, "C.UTF-8");  // the view needs the width of characters
    fmt::print("{}", ViewComparison(comparison, a, b, {TerminalWidth(stdout), HasColour(stdout)}));
  }
  return AreUnlike(comparison, request) ? kNothingFound : kDone;
}

template <class Report>
ExitCode PrintReport(const Report& report, const Request& request) {
  if (request.options.json) {
    PrintJson(ToJson(report));
  } else {
    fmt::print("{}", ToText(report));
  }
  return kDone;
}

/// Checks that --edits and --optimize, which do not concern a given design, are used alone.
Status CheckOneQuestion(const Request& request) {
  const bool of_design = !request.options.design.empty() || !request.found.empty() ||
                         request.simulated_pairs > 0 || request.documents > 0 ||
                         request.features > 0;
  if (request.edits && (of_design || request.goal)) {
    return UsageError(
        "--edits does not depend on a design and cannot be combined with --design, --found, "
        "--simulate, --features, --documents or --optimize; run plan separately for these");
  }
  if (request.goal && (of_design || !request.at.empty())) {
    return UsageError(
        "--optimize searches for a design and cannot be combined with --design, --at, --found, "
        "--simulate, --features or --documents; give the resemblance as --optimize at=J,..., and "
        "run plan again with the design that it finds");
  }
  if (request.words != Request().words && !request.edits) {
    return UsageError("--words only applies to --edits; pass both");
  }
  return {};
}

Result<ExitCode> RunDesign(const Request& request) {
  if (!request.html.empty()) {
    return UsageError("--html only works with a plan for inputs; pass at least one input");
  }
  LOOKALIKE_RETURN_IF_ERROR(CheckOneQuestion(request));
  if (request.edits) {
    LOOKALIKE_ASSIGN_OR_RETURN(const EditStudy study,
                               StudyEdits(request.options, request.words, request.at));
    return PrintReport(study, request);
  }
  if (request.goal) {
    LOOKALIKE_ASSIGN_OR_RETURN(const DesignSearch search, SearchDesigns(*request.goal));
    return PrintReport(search, request);
  }
  LOOKALIKE_ASSIGN_OR_RETURN(const DesignReport report,
                             EvaluateDesign(request.options, request.at));
  LOOKALIKE_ASSIGN_OR_RETURN(
      const DesignStudy study,
      StudyDesign(request.options, {request.at, request.found, request.simulated_pairs,
                                    request.documents, request.features}));
  DesignReport shown = report;
  if (study.curve) {
    shown.acceptance = study.curve->acceptance;
    shown.half_point = study.curve->half_point;
  }
  if (request.options.json) {
    Json json = ToJson(shown);
    AddStudy(study, report, &json);
    PrintJson(json);
  } else {
    fmt::print("{}{}{}", ToText(shown), DescribeCurve(report, study, request), ToText(study));
  }
  return kDone;
}

/// True if the request is only about a design or a text.
bool AsksWithoutInputs(const Request& request) {
  return request.goal || request.edits || !request.found.empty() || request.simulated_pairs > 0 ||
         request.features > 0 || request.documents > 0 || request.words != Request().words;
}

/// Returns the design of a plan as `plan` without inputs reports it.
Result<DesignReport> EvaluateChosen(const PlanReport& plan, const Request& request) {
  const PlannedSearch& chosen = plan.searches[plan.chosen];
  if (chosen.design != "exact") {
    Options options = request.options;
    options.design = chosen.design;
    return EvaluateDesign(options, request.at);
  }
  DesignReport exact;
  exact.design = chosen.design;
  exact.half_point = request.options.threshold;
  for (const double j : request.at) {
    exact.acceptance.emplace_back(j, j >= request.options.threshold ? 1 : 0);
  }
  return exact;
}

Result<ExitCode> RunPlan(const Request& request) {
  if (request.inputs.empty()) return RunDesign(request);
  if (AsksWithoutInputs(request)) {
    return UsageError(
        "--found, --simulate, --features, --documents, --optimize and --edits evaluate a design "
        "and cannot be combined with inputs; leave out the inputs");
  }
  RunLog log(request.options);
  const Result<PlanReport> plan = PlanSearch(request.inputs, request.options, log.MakeObserver());
  log.Finish("");
  if (!plan) return tl::make_unexpected(plan.error());
  LOOKALIKE_ASSIGN_OR_RETURN(const DesignReport chosen, EvaluateChosen(*plan, request));
  if (!request.html.empty()) {
    LOOKALIKE_RETURN_IF_ERROR(WritePage(ToPage(*plan, request), request.html));
  }
  if (request.options.json) {
    PrintJson(ToJson(*plan, chosen));
  } else if (!request.options.quiet) {
    fmt::print("{}", ToText(*plan, request));
  }
  return kDone;
}

Result<ExitCode> RunSynth(const Request& request) {
  LOOKALIKE_RETURN_IF_ERROR(Synthesize(request.output, request.documents, request.options.seed,
                                       request.duplicates, request.truth));
  if (request.options.json) {
    const Json json = {{"documents", request.documents},
                       {"seed", request.options.seed},
                       {"duplicates", request.duplicates},
                       {"output", request.output},
                       {"truth", request.truth.empty() ? Json(nullptr) : Json(request.truth)}};
    PrintAfterwards(JsonLine(json), request.output);
  } else if (!request.options.quiet) {
    const std::string truth = request.truth.empty() ? "" : ", and the truth to " + request.truth;
    PrintAfterwards(fmt::format("Wrote {} to {}{}\n", Count(request.documents, "document"),
                                request.output, truth),
                    request.output);
  }
  return kDone;
}

Result<ExitCode> RunEval(const Request& request) {
  LOOKALIKE_ASSIGN_OR_RETURN(const Evaluation evaluation,
                             Evaluate(request.inputs[0], request.truth, request.options.threshold));
  return PrintReport(evaluation, request);
}

/// Runs a command that writes one file about all inputs; `make` is the library function.
template <class Make>
Result<ExitCode> RunToFile(const Request& request, const Make& make) {
  RunLog log(request.options);
  const auto summary = make(request.inputs, request.output, request.options, log.MakeObserver());
  log.Finish("");
  if (!summary) return tl::make_unexpected(summary.error());
  if (request.options.json) {
    PrintAfterwards(JsonLine(ToJson(*summary, request)), request.output);
  } else if (!request.options.quiet) {
    PrintAfterwards(ToText(*summary, request), request.output);
  }
  return LeftSomethingOut(summary->records) ? kPartlyDone : kDone;
}

/// Runs `filter`. Answers go to standard output if no file is named; the summary then goes to
/// standard error.
Result<ExitCode> RunFilter(const Request& request) {
  RunLog log(request.options);
  FilterSettings settings = request.filter;
  settings.take = [](std::string_view lines) { return WriteOut(lines); };
  const Result<FilterSummary> summary = FilterDocuments(request.inputs, request.output, settings,
                                                        request.options, log.MakeObserver());
  log.Finish("");
  if (!summary) return tl::make_unexpected(summary.error());
  const std::string text = request.options.json    ? JsonLine(ToJson(*summary, request))
                           : request.options.quiet ? ""
                                                   : ToText(*summary, request);
  if (request.output.empty()) {
    Say(text);
  } else {
    PrintAfterwards(text, request.output);
  }
  return LeftSomethingOut(summary->records) ? kPartlyDone : kDone;
}

/// Refuses options that the job has already, or that do not concern a task.
Status CheckOwnOptions(const Options& options, const std::string& action) {
  const Options defaults;
  for (const OptionRow& row : OptionTable()) {
    const bool own = row.name == "threads" || row.name == "memory" || row.name == "json" ||
                     row.name == "quiet" || row.name.starts_with("object-");
    if (own || OptionText(row, options) == OptionText(row, defaults)) continue;
    return UsageError(fmt::format(
        "shard {} takes no --{}: the options of dedup belong to shard plan", action, row.name));
  }
  return {};
}

Status CheckShardCall(const Request& request) {
  const std::string& action = request.inputs.front();
  const size_t operands = request.inputs.size() - 1;
  if (action == "plan") {
    if (!request.output.empty() && !request.job.empty() && request.tasks == 0) return {};
    return UsageError("shard plan needs -o DIR and --job JOB, and takes no --task");
  }
  const bool is_run = action == "run";
  if (!is_run && action != "status") {
    return UsageError("shard cannot '" + action + "'; it takes plan, run or status");
  }
  if (!request.output.empty() || !request.job.empty()) {
    return UsageError("-o and --job only apply to shard plan; name the job itself: shard " +
                      action + " JOB");
  }
  if (is_run && (operands != 2 || request.tasks == 0)) {
    return UsageError("shard run needs a job, one stage, and --task I/N");
  }
  if (!is_run && (operands != 1 || request.tasks != 0)) {
    return UsageError("shard status takes one job and no --task");
  }
  return CheckOwnOptions(request.options, action);
}

ShardResources ResourcesOf(const Options& options) {
  return {options.threads, options.memory, options.object_endpoint, options.object_region,
          options.object_anonymous};
}

Result<ExitCode> RunShardStatus(const std::string& job, const Request& request) {
  LOOKALIKE_ASSIGN_OR_RETURN(const ShardStatus status,
                             ReadShardStatus(job, ResourcesOf(request.options)));
  PrintReport(status, request);
  if (!request.options.json) {
    fmt::print("the result is {}\n", status.complete ? "complete" : "not complete");
  }
  return kDone;
}

Result<ExitCode> RunShard(const Request& request) {
  LOOKALIKE_RETURN_IF_ERROR(CheckShardCall(request));
  const std::vector<std::string>& words = request.inputs;
  if (words[0] == "plan") {
    LOOKALIKE_ASSIGN_OR_RETURN(
        const ShardStatus planned,
        PlanShards({words.begin() + 1, words.end()}, request.output, request.job, request.options));
    return PrintReport(planned, request);
  }
  if (words[0] == "status") return RunShardStatus(words[1], request);
  RunLog log(request.options);
  const auto result = RunShardTask(words[1], {words[2], request.task, request.tasks},
                                   ResourcesOf(request.options), log.MakeObserver());
  const bool finished = result && *result;
  log.Finish(finished ? fmt::format(", listed in {}/rejected.jsonl", (*result)->output) : "");
  if (!result) return tl::make_unexpected(result.error());
  if (!finished) return kDone;
  Request of_result = request;
  of_result.output = (*result)->output;
  PrintSummary((*result)->summary, of_result);
  return kDone;
}

}  // namespace

Result<ExitCode> RunCommand(const Request& request) {
  switch (request.command->command) {
    case Command::kDedup:
      return RunDedup(request);
    case Command::kShard:
      return RunShard(request);
    case Command::kIndex:
      return RunIndex(request);
    case Command::kServe:
      return RunServe(request);
    case Command::kMcp:
      return RunMcp(request);
    case Command::kRethreshold:
      return RunRethreshold(request);
    case Command::kPairs:
      return RunPairs(request);
    case Command::kDecontaminate:
      return RunInTexts(request, request.contamination, Decontaminate);
    case Command::kPassages:
      return RunInTexts(request, request.passages, FindPassages);
    case Command::kAudit:
      return RunAudit(request);
    case Command::kNearest:
      return RunNearest(request);
    case Command::kCompare:
      return RunCompare(request);
    case Command::kPlan:
      return RunPlan(request);
    case Command::kSynth:
      return RunSynth(request);
    case Command::kEval:
      return RunEval(request);
    case Command::kWeights:
      return RunToFile(request, WeighWords);
    case Command::kGroup:
      return RunToFile(request, [&](const auto& inputs, const auto& output, const auto& options,
                                    const auto& observer) {
        return GroupTable(inputs, output, request.fields, options, observer);
      });
    case Command::kFamilies:
      return PrintReport(MeasureFamilies(), request);
    case Command::kSketch:
      return RunToFile(request, WriteSketchFile);
    case Command::kMergeSketches:
      return RunToFile(request, MergeSketchFiles);
    case Command::kFilter:
      return RunFilter(request);
    case Command::kCrumbs:
      return RunToFile(request, [&](const auto& inputs, const auto& output, const auto& options,
                                    const auto& observer) {
        return FindCrumbs(inputs, output, request.url_field, options, observer);
      });
  }
  return BugError("the command has no implementation; report this as a bug");
}

}  // namespace lookalike::cli
