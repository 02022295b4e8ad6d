#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>
#include <functional>
#include <mutex>
#include <set>
#include <utility>

#include "io/object_uri.h"
#include "io/pending_output.h"
#include "lookalike/lookalike.h"
#include "lookalike/options_table.h"
#include "lookalike/sink.h"
#include "results/command_text.h"
#include "results/complete_result.h"
#include "results/evidence.h"
#include "results/manifest.h"
#include "results/profile.h"
#include "results/report.h"
#include "results/result_files.h"
#include "results/result_rows.h"
#include "results/suggestions.h"
#include "results/tee_sink.h"
#include "results/write_pass.h"
#include "run/attempt.h"
#include "run/file_result.h"
#include "run/job_description.h"
#include "run/members.h"
#include "run/no_exceptions.h"
#include "run/process_limits.h"
#include "run/resolve_job.h"
#include "run/result_checks.h"
#include "run/run_facts.h"
#include "run/steady_observer.h"
#include "run/store_result.h"
#include "search/decisions.h"
#include "search/measured_search.h"
#include "search/recall.h"
#include "search/search.h"
#include "spill/record_reader.h"

namespace lookalike {
namespace {

/// Returns all members of clusters: the documents that a result names.
Result<Bitmap> ClusterMembers(const Decisions& decisions) {
  Bitmap named(decisions.removed.size());
  RecordReader<ClusterOfDoc> members({decisions.clusters.by_doc}, 0);
  while (const ClusterOfDoc* member = members.Next()) named.Set(member->doc);
  LOOKALIKE_RETURN_IF_ERROR(members.status());
  return named;
}

RecordCounts CountRecords(const SearchResult& search, const Decisions& decisions,
                          bool only_suggests) {
  RecordCounts records = search.units.records;
  if (!only_suggests) {
    records.removed_exact = decisions.removed_exact;
    records.removed_near = decisions.removed_near;
  }
  records.kept = records.in - records.rejected - records.removed_exact - records.removed_near;
  return records;
}

/// Returns the figures of a result, except those of the run as a whole.
DedupSummary Summarise(const Job& job, const SearchResult& search, const MeasuredRecall& recall,
                       const Decisions& decisions) {
  DedupSummary summary;
  summary.records = CountRecords(search, decisions, job.only_suggests);
  summary.fields = job.FieldsRead();
  summary.recall = recall.audit;
  summary.design = job.DesignName();
  summary.clusters = decisions.clusters.count;
  summary.exact = !job.only_suggests;
  if (job.only_suggests) summary.suggested = decisions.removed_exact + decisions.removed_near;
  summary.predicted = search.predicted;
  return summary;
}

/// Gives the rows of a result to a sink, from its first to its last.
class ResultRows {
 public:
  ResultRows(const Job& job, const SearchResult& search, const Decisions& decisions,
             const StoredMembers& members, const Observer& observer, Workspace* workspace)
      : job_(job),
        search_(search),
        decisions_(decisions),
        members_(members),
        observer_(observer),
        workspace_(*workspace) {}

  /// Also fills in `excerpts`, if pairs were searched by containment. `written` may be null.
  Status Give(const WrittenRecords* written, ExcerptPairs* excerpts, ResultSink* sink) {
    const ResultLayout layout = RemovalLayout(job_);
    LOOKALIKE_RETURN_IF_ERROR(sink->Begin(layout));
    LOOKALIKE_RETURN_IF_ERROR(layout.estimated
                                  ? GiveSuggestions(job_, search_, decisions_, members_, sink)
                                  : GiveRemovals(job_, decisions_, members_, sink));
    LOOKALIKE_RETURN_IF_ERROR(GiveClusters(job_, decisions_, members_, sink));
    if (layout.contained) {
      LOOKALIKE_RETURN_IF_ERROR(GiveEvidence(job_, search_.units.inputs, decisions_, members_,
                                             observer_, &workspace_, excerpts, sink));
    }
    if (written != nullptr) LOOKALIKE_RETURN_IF_ERROR(GiveRejections(job_, *written, sink));
    return sink->End();
  }

 private:
  const Job& job_;
  const SearchResult& search_;
  const Decisions& decisions_;
  const StoredMembers& members_;
  const Observer& observer_;
  Workspace& workspace_;
};

/// Gives what a run finds to a sink, without writing a result.
Result<DedupSummary> GiveAll(ResultSink* sink, const Observer& observer, Attempt* attempt) {
  const RunCost cost;
  Job& job = attempt->job;
  Workspace* const workspace = attempt->workspace.get();
  ReportUseOfSketches(job, observer);
  LOOKALIKE_ASSIGN_OR_RETURN(MeasuredSearch made,
                             SearchAsAsked(Purpose::kDecisions, observer, &job, workspace));
  made.search.DropFindings();
  LOOKALIKE_ASSIGN_OR_RETURN(Bitmap named, ClusterMembers(*made.decisions));
  LOOKALIKE_ASSIGN_OR_RETURN(
      const StoredMembers members,
      CollectMembers(job, made.search.units.inputs, std::move(named), observer, workspace));
  ExcerptPairs none;
  LOOKALIKE_RETURN_IF_ERROR(
      ResultRows(job, made.search, *made.decisions, members, observer, workspace)
          .Give(nullptr, &none, sink));
  DedupSummary summary = Summarise(job, made.search, made.recall, *made.decisions);
  cost.FillIn(&summary);
  summary.peak_scratch_bytes = workspace->store().peak_disk_bytes();
  return summary;
}

/// The arguments that all attempts at one result share.
struct DedupCall {
  const Inputs& inputs;
  const std::string& output;
  const PendingOutput::MayReplace may_replace;  ///< Decides if the existing output may be removed.
  const Options& options;
  const ObjectReading& objects;
  const Observer& observer;
  ResultSink* const sink;  ///< Takes the rows too; may be null.
};

/// One run of `dedup` inside its working folder.
class DedupRun {
 public:
  DedupRun(const DedupCall& run, const PendingOutput& directory, Attempt* attempt)
      : run_(run),
        job_(attempt->job),
        digest_(JobDigest(attempt->job)),
        workspace_(*attempt->workspace),
        directory_(directory),
        observer_(run.observer) {}

  Result<DedupSummary> Run() {
    ReportUseOfSketches(job_, observer_);
    if (job_.options.output_shard != 0) LOOKALIKE_RETURN_IF_ERROR(CheckShardNames(job_.inputs));
    LOOKALIKE_ASSIGN_OR_RETURN(MeasuredSearch made,
                               SearchAsAsked(Purpose::kDecisions, observer_, &job_, &workspace_));
    SearchResult& search = made.search;
    const Decisions& decisions = *made.decisions;
    const MeasuredRecall& recall = made.recall;
    search.DropFindings();
    if (job_.only_suggests) return Suggest(search, decisions, recall);
    LOOKALIKE_ASSIGN_OR_RETURN(const ShownRemovals shown, ChooseRemovals(job_, decisions));
    LOOKALIKE_ASSIGN_OR_RETURN(Bitmap named, ClusterMembers(decisions));
    // With containment, the shared part may be anywhere in the texts, so the excerpts are in the
    // evidence.
    const bool contained = job_.measures_containment();
    ExcerptPairs excerpts = contained ? ReportPairs(shown) : ExcerptPairs();
    StoredMembers members(std::move(named),
                          contained ? std::vector<DocNumber>() : ReportTexts(shown), kLookedAtBytes,
                          job_.features.pages);
    LOOKALIKE_ASSIGN_OR_RETURN(const WrittenRecords written,
                               WriteRecords(job_, search.units, decisions, directory_.result(),
                                            observer_, &workspace_, &members));
    LOOKALIKE_RETURN_IF_ERROR(GiveRows(search, decisions, members, &written, &excerpts));
    workspace_.meter().End("write");
    DedupSummary summary = Summarise(job_, search, recall, decisions);
    summary.bytes_in = written.bytes.in;
    summary.bytes_kept = written.bytes.kept;
    const ReportFacts facts = {job_,
                               search,
                               decisions,
                               members,
                               shown,
                               recall,
                               summary.records,
                               summary.bytes_in,
                               summary.bytes_kept,
                               excerpts};
    LOOKALIKE_RETURN_IF_ERROR(WriteReport(facts, directory_.result_path("report.html")));
    workspace_.meter().End("report");
    LOOKALIKE_RETURN_IF_ERROR(Finish(FilesOfRecords(written), recall, search, &summary));
    return summary;
  }

 private:
  /// Writes the clusters of sketch files, and what could be removed; they have no rows to remove.
  Result<DedupSummary> Suggest(const SearchResult& search, const Decisions& decisions,
                               const MeasuredRecall& recall) {
    LOOKALIKE_ASSIGN_OR_RETURN(Bitmap named, ClusterMembers(decisions));
    LOOKALIKE_ASSIGN_OR_RETURN(
        const StoredMembers members,
        CollectMembers(job_, search.units.inputs, std::move(named), observer_, &workspace_));
    ExcerptPairs none;
    LOOKALIKE_RETURN_IF_ERROR(GiveRows(search, decisions, members, nullptr, &none));
    DedupSummary summary = Summarise(job_, search, recall, decisions);
    const auto no_folders = [](const auto&) { return Status(); };
    workspace_.meter().End("write");
    LOOKALIKE_RETURN_IF_ERROR(Finish(no_folders, recall, search, &summary));
    return summary;
  }

  /// Writes the figures of the whole run, the manifest, and the checks of all files. `known` has
  /// the files in folders.
  Status Finish(const ForEachResultFile& known, const MeasuredRecall& recall,
                const SearchResult& search, DedupSummary* summary) const {
    cost_.FillIn(summary);
    summary->stages = workspace_.meter().stages();
    summary->peak_scratch_bytes = workspace_.store().peak_disk_bytes();
    summary->resumed_units = workspace_.resumed_units();
    LOOKALIKE_RETURN_IF_ERROR(WriteManifestOf(search, recall, *summary));
    return WriteChecks(job_.inputs, known, directory_.result());
  }

  /// Writes the rows to files of the result, and gives them to the caller's sink.
  Status GiveRows(const SearchResult& search, const Decisions& decisions,
                  const StoredMembers& members, const WrittenRecords* written,
                  ExcerptPairs* excerpts) {
    ResultFiles files(directory_.result());
    TeeSink all = {&files, run_.sink};
    return ResultRows(job_, search, decisions, members, observer_, &workspace_)
        .Give(written, excerpts, &all);
  }

  Status WriteManifestOf(const SearchResult& search, const MeasuredRecall& recall,
                         const DedupSummary& summary) const {
    ManifestFacts facts;
    facts.command =
        CommandText(Command::kDedup, run_.inputs.names, run_.objects.NamedOutput(run_.output),
                    run_.options, ShownOptions::kAll);
    facts.started = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}",
                                std::chrono::time_point_cast<std::chrono::seconds>(started_));
    facts.seconds = summary.seconds;
    facts.options = BehaviourOptions(job_.options, Command::kDedup);
    facts.options_digest = digest_;
    facts.version = LOOKALIKE_VERSION;
    facts.stages = summary.stages;
    facts.cpu_seconds = summary.cpu_seconds;
    facts.peak_memory_bytes = summary.peak_memory_bytes;
    facts.peak_scratch_bytes = summary.peak_scratch_bytes;
    facts.resumed_units = summary.resumed_units;
    facts.clusters = summary.clusters;
    facts.suggested = summary.suggested;
    return WriteManifest(job_, search, recall, summary.records, facts,
                         directory_.result_path("manifest.json"));
  }

  const DedupCall& run_;
  Job& job_;
  const std::string digest_;  // as the options request it
  Workspace& workspace_;
  const PendingOutput& directory_;
  const Observer& observer_;
  std::chrono::system_clock::time_point started_ = std::chrono::system_clock::now();
  RunCost cost_;
};

/// Keeps the work of a failed attempt for the next one, and says so in the message.
Error KeepUnits(Error error, const Workspace& workspace, PendingOutput* directory) {
  directory->KeepForResume();
  if (workspace.damaged()) return error;
  error.what += fmt::format(
      "; the work done so far ({} units) is kept in {}: pass $<resume> to continue from there, or "
      "run again without it to start over",
      workspace.journaled_units(), directory->path(""));
  return error;
}

/// Does the same for an attempt that ended before its first unit: it keeps the fetched objects.
Error KeepObjects(Error error, PendingOutput* directory) {
  const auto fetched = FetchedObjects(*directory);
  if (!fetched || *fetched == 0) return error;
  directory->KeepForResume();
  error.what += fmt::format(
      "; the objects fetched so far ({}) are kept in {}: pass $<resume> to continue from there, or "
      "run again without it to start over",
      *fetched, directory->path(""));
  return error;
}

Result<DedupSummary> RunIn(PendingOutput* directory, const DedupCall& run,
                           const StressSettings& stress, bool resume) {
  auto opened = OpenAttempt(run.inputs, run.options, false, directory, stress,
                            resume ? Resuming::kNow : Resuming::kLater, run.objects);
  if (!opened) {
    return tl::make_unexpected(KeepObjects(std::move(opened).error(), directory));
  }
  Attempt attempt = *std::move(opened);
  Workspace& workspace = *attempt.workspace;
  Result<DedupSummary> summary =
      WithoutExceptions([&] { return DedupRun(run, *directory, &attempt).Run(); });
  // The journal is removed only after the result is in place: until then a crash costs nothing.
  if (summary) {
    if (Status committed = directory->Commit(); !committed) {
      summary = tl::make_unexpected(std::move(committed).error());
    }
  }
  if (!summary) {
    Error error = std::move(summary).error();
    if (workspace.journaled_units() == 0) {
      (void)workspace.Clear();
      return tl::make_unexpected(KeepObjects(std::move(error), directory));
    }
    return tl::make_unexpected(KeepUnits(std::move(error), workspace, directory));
  }
  LOOKALIKE_RETURN_IF_ERROR(workspace.Clear());
  return summary;
}

/// Makes one attempt, from opening the working folder to committing the result.
Result<DedupSummary> RunAttempt(const DedupCall& run, const StressSettings& stress, bool resume) {
  const std::vector<std::string> read = FilesRead(run.inputs.names, run.options);
  auto directory = PendingOutput::OpenFolder(run.output, run.may_replace, read);
  if (!directory) return tl::make_unexpected(std::move(directory).error());
  if (!resume) {
    LOOKALIKE_RETURN_IF_ERROR(directory->Empty());
  } else {
    // An attempt that is refused must not destroy the work of an earlier attempt.
    LOOKALIKE_ASSIGN_OR_RETURN(const bool earlier, HasEarlierAttempt(*directory));
    if (earlier) directory->KeepForResume();
  }
  Result<DedupSummary> summary = RunWithThreads(
      ThreadCount(run.options.threads),
      [&]() -> Result<DedupSummary> { return RunIn(&*directory, run, stress, resume); });
  return summary;
}

/// Makes attempts until one succeeds or fails for good.
Result<DedupSummary> DedupToFolder(const DedupCall& run) {
  if (run.options.resume && !run.options.overwrite) {
    LOOKALIKE_ASSIGN_OR_RETURN(auto complete, FindComplete(run.inputs, run.output, run.options,
                                                           run.objects, run.observer));
    if (complete) {
      LOOKALIKE_RETURN_IF_ERROR(RemoveLeftovers(run.output));
      return *std::move(complete);
    }
  }
  LOOKALIKE_ASSIGN_OR_RETURN(const StressTest stress_test, StressTestFromEnvironment());
  // To the caller, all attempts are one run, so messages are not repeated.
  std::mutex mutex;
  std::set<std::string, std::less<>> said;
  Observer once = run.observer;
  if (stress_test.resume && once.message) {
    once.message = [&](std::string_view line) {
      const std::lock_guard lock(mutex);
      if (said.emplace(line).second) run.observer.message(line);
    };
  }
  const DedupCall attempted = {run.inputs,  run.output, run.may_replace, run.options,
                               run.objects, once,       run.sink};
  bool resume = run.options.resume;
  while (true) {
    Result<DedupSummary> summary = RunAttempt(attempted, stress_test.stress, resume);
    const bool asked = once.cancelled && once.cancelled();
    const bool stopped =
        !summary && summary.error().code == ErrorCode::kCancelled && stress_test.resume && !asked;
    if (!stopped) return summary;
    resume = true;
  }
}

/// Makes the result in a folder on this machine, and uploads it.
Result<DedupSummary> DedupToStore(const DedupCall& run) {
  const std::vector<std::string> read = FilesRead(run.inputs.names, run.options);
  auto place = StoreResult::Open(run.output, read, run.objects, run.options);
  if (!place) return tl::make_unexpected(std::move(place).error());
  const bool resume = run.options.resume;
  if (resume && !run.options.overwrite) {
    LOOKALIKE_ASSIGN_OR_RETURN(const auto manifest, place->Read(kManifestFile));
    if (manifest) {
      StandingResult result{
          .name = run.objects.output, .manifest = *manifest, .checks = {}, .sizes = {}};
      LOOKALIKE_ASSIGN_OR_RETURN(result.checks, place->Read(kChecksFile));
      LOOKALIKE_ASSIGN_OR_RETURN(result.sizes, place->ListSizes());
      return ReadComplete(result, run.inputs, run.options, run.objects, run.observer);
    }
  }
  LOOKALIKE_RETURN_IF_ERROR(place->CheckFolder(run.options.overwrite, resume));
  Options local = run.options;
  local.overwrite |= !resume || run.sink != nullptr;  // a result that waits has no rows to give
  // A folder left by an earlier run must not make this run fail. It may be partly removed, and its
  // name is only used for results that are uploaded to a store.
  const auto anything = [](const std::string&) { return Status(); };
  auto summary = DedupToFolder({run.inputs, place->local(),
                                local.overwrite ? PendingOutput::MayReplace(anything) : nullptr,
                                local, run.objects, run.observer, run.sink});
  if (!summary) return tl::make_unexpected(place->Renamed(std::move(summary).error()));
  LOOKALIKE_RETURN_IF_ERROR(place->UploadFolder(run.observer));
  summary->was_complete = false;
  return summary;
}

}  // namespace

Result<DedupSummary> Dedup(const Inputs& inputs, const std::string& output, const Options& options,
                           const Observer& observer) {
  return Dedup(inputs, output, options, nullptr, observer);
}

Result<DedupSummary> Dedup(const Inputs& inputs, ResultSink* sink, const Options& options,
                           const Observer& observer) {
  LOOKALIKE_RETURN_IF_ERROR(options.Validate());
  LOOKALIKE_ASSIGN_OR_RETURN(const Choices choices, ReadChoices(options));
  if (sink == nullptr) return NoSink();
  const Observer steady = MakeSteady(observer, SearchStages(choices));
  const ObjectReading objects = ReadingOf(options, steady, "");
  return RunWithoutFile(options, [&](const Options& own, PendingOutput* pending) {
    return RunInOneGo(inputs, own, false, pending, objects,
                      [&](Attempt* attempt) { return GiveAll(sink, steady, attempt); });
  });
}

Result<DedupSummary> Dedup(const Inputs& inputs, const std::string& output, const Options& options,
                           ResultSink* sink, const Observer& observer) {
  LOOKALIKE_RETURN_IF_ERROR(options.Validate());
  if (options.resume && !inputs.tables.empty()) {
    return OptionError(
        "$<resume> only works with inputs that a later run can read again, not with tables in "
        "memory; write them to files, or run without it");
  }
  LOOKALIKE_ASSIGN_OR_RETURN(const Choices choices, ReadChoices(options));
  const Observer steady = MakeSteady(observer, DedupStages(choices));
  LOOKALIKE_ASSIGN_OR_RETURN(const std::string place, LocalPath(output));
  const ObjectReading objects = ReadingOf(options, steady, place);
  PendingOutput::MayReplace may_replace = nullptr;
  if (options.overwrite) may_replace = CheckReplaceable;
  LOOKALIKE_RETURN_IF_ERROR(WithoutExceptions(
      [&] { return CheckProfilePlace(options.profile, place, FilesRead(inputs.names, options)); }));
  const DedupCall run = {inputs, place, std::move(may_replace), options, objects, steady, sink};
  Result<DedupSummary> summary = IsObjectUri(place)
                                     ? WithoutExceptions([&] { return DedupToStore(run); })
                                     : DedupToFolder(run);
  if (!summary || summary->was_complete) return summary;
  // The result is complete by now, whether its costs can be written or not.
  const Status written = WriteProfile(options.profile, summary->stages);
  if (!written && steady.message) steady.message(written.error().Marked());
  return summary;
}

}  // namespace lookalike
