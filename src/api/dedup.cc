#include <fmt/format.h>

#include <utility>

#include "api/attempt.h"
#include "api/complete_result.h"
#include "api/report.h"
#include "api/run.h"
#include "api/steady_observer.h"
#include "batch/decisions.h"
#include "batch/members.h"
#include "batch/recall.h"
#include "batch/result_files.h"
#include "batch/run_facts.h"
#include "batch/search.h"
#include "batch/write_pass.h"
#include "io/pending_output.h"
#include "lookalike/lookalike.h"
#include "lookalike/options_table.h"
#include "spill/record_reader.h"

namespace lookalike {
namespace {

/// All members of clusters: the documents that a result names.
Result<Bitmap> ClusterMembers(const Decisions& decisions) {
  Bitmap named(decisions.removed.size());
  RecordReader<ClusterOfDoc> members({decisions.clusters.by_doc}, 0);
  while (const ClusterOfDoc* member = members.Next()) named.Set(member->doc);
  LOOKALIKE_RETURN_IF_ERROR(members.status());
  return named;
}

RecordCounts CountRecords(const SearchResult& search, const Decisions& decisions) {
  RecordCounts records = search.units.records;
  records.removed_exact = decisions.removed_exact;
  records.removed_near = decisions.removed_near;
  records.kept = records.in - records.rejected - records.removed_exact - records.removed_near;
  return records;
}

/// One run of `dedup` inside its working folder.
class DedupRun {
 public:
  DedupRun(const Attempt& attempt, const PendingOutput& directory, const Observer& observer)
      : job_(attempt.job),
        workspace_(*attempt.workspace),
        directory_(directory),
        observer_(observer) {}

  Result<DedupSummary> Run() {
    LOOKALIKE_ASSIGN_OR_RETURN(SearchResult search, Search(job_, observer_, &workspace_));
    LOOKALIKE_ASSIGN_OR_RETURN(const Decisions decisions, Decide(job_, search, &workspace_));
    LOOKALIKE_ASSIGN_OR_RETURN(const MeasuredRecall recall,
                               MeasureRecall(job_, search, &decisions));
    search.DropFindings();
    LOOKALIKE_ASSIGN_OR_RETURN(const auto clusters, ChooseClusters(decisions));
    LOOKALIKE_ASSIGN_OR_RETURN(Bitmap named, ClusterMembers(decisions));
    StoredMembers members(std::move(named), ReportExcerpts(clusters), kExcerptBytes);
    const Stopwatch write_time;
    LOOKALIKE_ASSIGN_OR_RETURN(
        const RecordBytes bytes,
        WriteRecords(job_, search.units.inputs, decisions, job_.options.output == "annotated",
                     directory_.result(), observer_, &workspace_, &members));
    LOOKALIKE_RETURN_IF_ERROR(
        WriteRemoved(job_, decisions, members, directory_.result_path("removed.jsonl")));
    LOOKALIKE_RETURN_IF_ERROR(
        WriteClusters(job_, decisions, members, directory_.result_path("clusters.jsonl")));
    DedupSummary summary = Summarise(search, recall, decisions, bytes);
    const ReportFacts facts = {
        job_,   search,          decisions,        members,           clusters,
        recall, summary.records, summary.bytes_in, summary.bytes_kept};
    LOOKALIKE_RETURN_IF_ERROR(WriteReport(facts, directory_.result_path("report.html")));
    search.timings.emplace_back("write", write_time.Seconds());
    summary.seconds = time_.Seconds();
    search.timings.emplace_back("total", summary.seconds);
    summary.cpu_seconds = CpuSeconds() - cpu_before_;
    summary.peak_memory_bytes = PeakMemoryBytes();
    summary.predicted = search.predicted;
    LOOKALIKE_RETURN_IF_ERROR(WriteManifestOf(search, recall, summary));
    return summary;
  }

 private:
  DedupSummary Summarise(const SearchResult& search, const MeasuredRecall& recall,
                         const Decisions& decisions, const RecordBytes& bytes) const {
    DedupSummary summary;
    summary.records = CountRecords(search, decisions);
    summary.recall = recall.audit;
    summary.design = job_.DesignName();
    summary.clusters = decisions.clusters.count;
    summary.bytes_in = bytes.in;
    summary.bytes_kept = bytes.kept;
    summary.resumed_units = workspace_.resumed_units();
    return summary;
  }

  Status WriteManifestOf(const SearchResult& search, const MeasuredRecall& recall,
                         const DedupSummary& summary) const {
    ManifestFacts facts;
    facts.options = BehaviourOptions(job_.options, Command::kDedup);
    facts.options_digest = JobDigest(job_);
    facts.version = LOOKALIKE_VERSION;
    facts.timings = search.timings;
    facts.cpu_seconds = summary.cpu_seconds;
    facts.peak_memory_bytes = PeakMemoryBytes();
    facts.peak_scratch_bytes = workspace_.store().peak_disk_bytes();
    facts.resumed_units = summary.resumed_units;
    facts.clusters = summary.clusters;
    return WriteManifest(job_, search, recall, summary.records, facts,
                         directory_.result_path("manifest.json"));
  }

  const Job& job_;
  Workspace& workspace_;
  const PendingOutput& directory_;
  const Observer& observer_;
  Stopwatch time_;
  double cpu_before_ = CpuSeconds();
};

/// What a failed attempt leaves for the next one, as the last part of its message.
Error KeepUnits(Error error, const Workspace& workspace, PendingOutput* directory) {
  const uint64_t units = workspace.journaled_units();
  if (units == 0) return error;
  directory->KeepForResume();
  if (workspace.damaged()) return error;
  error.what += fmt::format(
      "; what is done so far ({} units) is kept in {}: add --resume to go on from there, or run "
      "again without it to start afresh",
      units, directory->path(""));
  return error;
}

Result<DedupSummary> RunIn(PendingOutput* directory, const std::string& output,
                           const Inputs& inputs, const Options& options, const Hardships& hardships,
                           bool resume, const Observer& observer) {
  LOOKALIKE_ASSIGN_OR_RETURN(const Attempt attempt, OpenAttempt(inputs, options, false, directory,
                                                                output, hardships, resume));
  Workspace& workspace = *attempt.workspace;
  Result<DedupSummary> summary =
      WithoutExceptions([&] { return DedupRun(attempt, *directory, observer).Run(); });
  // The journal goes only after the result stands: until then a crash costs nothing.
  if (summary) {
    if (Status committed = directory->Commit(); !committed) {
      summary = tl::make_unexpected(std::move(committed).error());
    }
  }
  if (!summary) {
    if (workspace.journaled_units() == 0) (void)workspace.Clear();
    return tl::make_unexpected(KeepUnits(std::move(summary).error(), workspace, directory));
  }
  LOOKALIKE_RETURN_IF_ERROR(workspace.Clear());
  return summary;
}

/// One attempt, from an open working folder to the committed result.
Result<DedupSummary> Attend(const std::string& output, const Inputs& inputs, const Options& options,
                            const Hardships& hardships, bool resume, const Observer& observer) {
  const std::vector<std::string> read = NamedInputs(inputs.names, options);
  auto directory = PendingOutput::OpenFolder(output, options.overwrite, read);
  if (!directory) return tl::make_unexpected(std::move(directory).error());
  if (!resume) {
    LOOKALIKE_RETURN_IF_ERROR(RemoveEarlierScratch(*directory));
    LOOKALIKE_RETURN_IF_ERROR(directory->Empty());
  } else {
    // An attempt that is refused must not cost what an earlier one did.
    LOOKALIKE_ASSIGN_OR_RETURN(const bool earlier, HasEarlierAttempt(*directory));
    if (earlier) directory->KeepForResume();
  }
  Result<DedupSummary> summary =
      RunWithThreads(ThreadCount(options.threads), [&]() -> Result<DedupSummary> {
        return RunIn(&*directory, output, inputs, options, hardships, resume, observer);
      });
  return summary;
}

}  // namespace

Result<DedupSummary> Dedup(const Inputs& inputs, const std::string& output, const Options& options,
                           const Observer& observer) {
  LOOKALIKE_RETURN_IF_ERROR(options.Validate());
  if (options.resume && !inputs.tables.empty()) {
    return Fail(
        "--resume is for inputs that another run finds again, and tables in memory are "
        "not; write them to files, or run without it");
  }
  const Observer steady = MakeSteady(observer);
  if (options.resume && !options.overwrite) {
    LOOKALIKE_ASSIGN_OR_RETURN(auto complete, FindComplete(inputs, output, options));
    if (complete) {
      LOOKALIKE_RETURN_IF_ERROR(RemoveLeftovers(output));
      return *std::move(complete);
    }
  }
  LOOKALIKE_ASSIGN_OR_RETURN(const Hostility hostility, HostilityFromEnvironment());
  bool resume = options.resume;
  while (true) {
    Result<DedupSummary> summary =
        Attend(output, inputs, options, hostility.hardships, resume, steady);
    const bool stopped =
        !summary && summary.error().what.starts_with(kStoppedOnPurpose) && hostility.resume;
    if (!stopped) return summary;
    resume = true;
  }
}

}  // namespace lookalike
