#include <utility>

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
#include "io/output_stream.h"
#include "io/pending_output.h"
#include "lookalike/lookalike.h"
#include "lookalike/options_table.h"

namespace lookalike {
namespace {

constexpr const char* kSpoolFolder = "spool";
constexpr const char* kJobFile = "job.json";

/// Documents that a result names: all members of clusters.
std::vector<DocNumber> ClusterMembers(const Decisions& decisions) {
  std::vector<DocNumber> docs;
  for (const auto& [doc, cluster] : decisions.cluster_of) docs.push_back(doc);
  return docs;
}

RecordCounts CountRecords(const SearchResult& search, const Decisions& decisions) {
  RecordCounts records = search.table.records;
  for (const DocRemoval& removal : decisions.removals) {
    ++(removal.kind == RemovalKind::kNear ? records.removed_near : records.removed_exact);
  }
  records.kept = search.table.documents - decisions.removals.size();
  return records;
}

/// One run of `dedup` inside its working folder.
class DedupRun {
 public:
  DedupRun(const Job& job, const PendingOutput& directory, const Observer& observer)
      : job_(job),
        directory_(directory),
        observer_(observer),
        threads_(ThreadCount(job.options.threads)) {}

  Result<DedupSummary> Run() {
    LOOKALIKE_ASSIGN_OR_RETURN(SearchResult search, Search(job_, observer_, threads_));
    const Decisions decisions = Decide(search, job_.options.cluster == "components");
    const MeasuredRecall recall =
        MeasureRecall(search, &decisions, job_.options.threshold, job_.options.recall);
    const RecordCounts records = CountRecords(search, decisions);
    MemberTable members(ClusterMembers(decisions), ReportExcerpts(decisions), kExcerptBytes);
    const Stopwatch write_time;
    LOOKALIKE_ASSIGN_OR_RETURN(
        const RecordBytes bytes,
        WriteRecords(job_, search.table, decisions, job_.options.output == "annotated", directory_,
                     observer_, threads_, &members));
    LOOKALIKE_RETURN_IF_ERROR(
        WriteRemoved(job_, decisions, members, directory_.path("removed.jsonl")));
    LOOKALIKE_RETURN_IF_ERROR(WriteClusters(decisions, members, directory_.path("clusters.jsonl")));
    DedupSummary summary = Summarise(records, recall, decisions, bytes);
    const ReportFacts facts = {job_,   search,  decisions,        members,
                               recall, records, summary.bytes_in, summary.bytes_kept};
    LOOKALIKE_RETURN_IF_ERROR(WriteReport(facts, directory_.path("report.html")));
    search.timings.emplace_back("write", write_time.Seconds());
    summary.seconds = time_.Seconds();
    search.timings.emplace_back("total", summary.seconds);
    summary.peak_memory_bytes = PeakMemoryBytes();
    LOOKALIKE_RETURN_IF_ERROR(WriteManifestOf(search, recall, records, decisions));
    return summary;
  }

 private:
  DedupSummary Summarise(const RecordCounts& records, const MeasuredRecall& recall,
                         const Decisions& decisions, const RecordBytes& bytes) const {
    DedupSummary summary;
    summary.records = records;
    summary.recall = recall.audit;
    summary.design = job_.DesignName();
    summary.clusters = decisions.clusters.size();
    summary.bytes_in = bytes.in;
    summary.bytes_kept = bytes.kept;
    return summary;
  }

  Status WriteManifestOf(const SearchResult& search, const MeasuredRecall& recall,
                         const RecordCounts& records, const Decisions& decisions) const {
    ManifestFacts facts;
    facts.options = BehaviourOptions(job_.options, Command::kDedup);
    facts.options_digest = JobDigest(job_);
    facts.version = LOOKALIKE_VERSION;
    facts.timings = search.timings;
    facts.peak_memory_bytes = PeakMemoryBytes();
    facts.clusters = decisions.clusters.size();
    return WriteManifest(job_, search, recall, records, facts, directory_.path("manifest.json"));
  }

  const Job& job_;
  const PendingOutput& directory_;
  const Observer& observer_;
  size_t threads_;
  Stopwatch time_;
};

Result<DedupSummary> RunIn(const PendingOutput& directory, const std::vector<std::string>& inputs,
                           const Options& options, const Observer& observer) {
  LOOKALIKE_RETURN_IF_ERROR(MakeParentDirectories(
      directory.path(std::string(kSpoolFolder) + "/stdin"), RealFileSystem()));
  LOOKALIKE_ASSIGN_OR_RETURN(const Job job,
                             ResolveJob(inputs, options, false, directory.path(kSpoolFolder)));
  LOOKALIKE_RETURN_IF_ERROR(directory.CheckApartFrom(job.inputs));
  LOOKALIKE_RETURN_IF_ERROR(WriteJob(job, directory.path(kJobFile)));
  LOOKALIKE_ASSIGN_OR_RETURN(DedupSummary summary, DedupRun(job, directory, observer).Run());
  for (const char* working : {kSpoolFolder, kJobFile}) {
    LOOKALIKE_RETURN_IF_ERROR(RealFileSystem().RemoveTree(directory.path(working)));
  }
  return summary;
}

}  // namespace

Result<DedupSummary> Dedup(const std::vector<std::string>& inputs, const std::string& output,
                           const Options& options, const Observer& observer) {
  LOOKALIKE_RETURN_IF_ERROR(options.Validate());
  auto directory = PendingOutput::OpenFolder(output, options.overwrite, inputs);
  if (!directory) return tl::make_unexpected(std::move(directory).error());
  const Observer steady = MakeSteady(observer);
  Result<DedupSummary> summary = RunWithThreads(
      ThreadCount(options.threads),
      [&]() -> Result<DedupSummary> { return RunIn(*directory, inputs, options, steady); });
  if (!summary) return summary;
  LOOKALIKE_RETURN_IF_ERROR(directory->Commit());
  return summary;
}

}  // namespace lookalike
