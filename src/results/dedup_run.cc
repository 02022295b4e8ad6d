#include "results/dedup_run.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>
#include <string>
#include <utility>

#include "lookalike/options_table.h"
#include "results/command_text.h"
#include "results/evidence.h"
#include "results/guarded.h"
#include "results/manifest.h"
#include "results/report.h"
#include "results/result_files.h"
#include "results/result_rows.h"
#include "results/scores.h"
#include "results/suggestions.h"
#include "results/tee_sink.h"
#include "results/write_pass.h"
#include "run/job_description.h"
#include "run/members.h"
#include "run/result_checks.h"
#include "search/audit_sample.h"
#include "search/decisions.h"
#include "search/fingerprint_pass.h"
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
  summary.guarded_pairs = decisions.guarded_pairs();
  summary.decisions = job.people.decisions.size();
  summary.kept_by = NamedCounts(decisions.kept_by, job.choices.keep);
  summary.exact = !job.only_suggests;
  if (job.only_suggests) summary.suggested = decisions.removed_exact + decisions.removed_near;
  summary.predicted = search.predicted;
  return summary;
}

/// Gives the rows of a result to their targets, from its first to its last.
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
  Status Give(const WrittenRecords* written, ExcerptPairs* excerpts, const RowTargets& to) {
    const ResultLayout layout = RemovalLayout(job_);
    TeeSink all = {to.files, to.sink};
    LOOKALIKE_RETURN_IF_ERROR(all.Begin(layout));
    LOOKALIKE_RETURN_IF_ERROR(layout.estimated
                                  ? GiveSuggestions(job_, search_, decisions_, members_, &all)
                                  : GiveVerified(to));
    LOOKALIKE_RETURN_IF_ERROR(GiveClusters(job_, decisions_, members_, to));
    if (layout.contained) {
      LOOKALIKE_RETURN_IF_ERROR(GiveEvidence(job_, search_.units.inputs, decisions_, members_,
                                             observer_, &workspace_, excerpts, &all));
    }
    LOOKALIKE_RETURN_IF_ERROR(
        GiveGuarded(job_, search_.units.inputs, decisions_, observer_, &workspace_, &all));
    if (written != nullptr) LOOKALIKE_RETURN_IF_ERROR(GiveRejections(job_, *written, &all));
    return all.End();
  }

 private:
  Status GiveVerified(const RowTargets& to) {
    LOOKALIKE_ASSIGN_OR_RETURN(const FieldScores scores,
                               FieldScores::Read(job_, search_.units.inputs,
                                                 members_.named().bits(), observer_, &workspace_));
    return GiveRemovals(job_, decisions_, members_, scores, to);
  }

  const Job& job_;
  const SearchResult& search_;
  const Decisions& decisions_;
  const StoredMembers& members_;
  const Observer& observer_;
  Workspace& workspace_;
};

/// One run of `dedup` whose result is a folder.
class DedupRun {
 public:
  DedupRun(const DedupCall& run, const ResultPlaces& places, Attempt* attempt)
      : run_(run),
        job_(attempt->job),
        digest_(JobDigest(attempt->job)),
        workspace_(*attempt->workspace),
        places_(places),
        observer_(run.observer) {}

  Result<DedupSummary> Run() {
    if (workspace_.IsIn(kWriteStage)) return WriteShare();
    ReportUseOfSketches(job_, observer_);
    if (job_.options.output_shard != 0) LOOKALIKE_RETURN_IF_ERROR(CheckShardNames(job_.inputs));
    LOOKALIKE_ASSIGN_OR_RETURN(MeasuredSearch made,
                               SearchAsAsked(Purpose::kDecisions, observer_, &job_, &workspace_));
    if (workspace_.IsIn(kDecideStage)) {
      LOOKALIKE_RETURN_IF_ERROR(RecordDecisions(*made.decisions, &workspace_));
      LOOKALIKE_RETURN_IF_ERROR(workspace_.EndStage(kDecideStage));
    }
    return Write(&made, ScoresOf(job_, made.search));
  }

  /// Writes the result of a search that was made before.
  Result<DedupSummary> RunFrom(FoundBefore found) {
    if (job_.options.output_shard != 0) LOOKALIKE_RETURN_IF_ERROR(CheckShardNames(job_.inputs));
    before_ = &found;
    started_ = found.started;
    cost_ = found.cost;
    return Write(&found.made, found.scores);
  }

 private:
  /// Writes everything, and frees on the way what led to the decisions.
  Result<DedupSummary> Write(MeasuredSearch* made, const ForEachScored& scores) {
    SearchResult& search = made->search;
    const Decisions& decisions = *made->decisions;
    const MeasuredRecall& recall = made->recall;
    if (scores && HasScores(job_)) {
      const std::string path = places_.own + "/" + std::string(kScoresFile);
      LOOKALIKE_RETURN_IF_ERROR(WriteScores(job_, search, scores, path));
    }
    search.DropFindings();
    if (job_.only_suggests) return Suggest(search, decisions, recall);
    LOOKALIKE_ASSIGN_OR_RETURN(const ShownRemovals shown, ChooseRemovals(job_, decisions));
    ExcerptPairs excerpts = job_.measures_containment() ? ReportPairs(shown) : ExcerptPairs();
    LOOKALIKE_ASSIGN_OR_RETURN(StoredMembers members, MembersToStore(decisions, shown));
    LOOKALIKE_ASSIGN_OR_RETURN(
        const WrittenRecords written,
        WriteRecords(job_, search.units, decisions, places_, observer_, &workspace_, &members));
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
    LOOKALIKE_RETURN_IF_ERROR(WriteReport(facts, places_.own + "/report.html"));
    workspace_.meter().End("report");
    LOOKALIKE_RETURN_IF_ERROR(Finish(FilesOfRecords(written), recall, search, &summary));
    return summary;
  }

  /// Returns the members of clusters, which are found while records are written.
  Result<StoredMembers> MembersToStore(const Decisions& decisions, const ShownRemovals& shown) {
    LOOKALIKE_ASSIGN_OR_RETURN(Bitmap named, ClusterMembers(decisions));
    // With containment, the shared part may be anywhere in the texts, so the excerpts are in the
    // evidence.
    std::vector<DocNumber> texts;
    if (!job_.measures_containment()) texts = ReportTexts(shown);
    return StoredMembers(std::move(named), std::move(texts), kLookedAtBytes, job_.features.pages,
                         {job_.choices.text_fields.paths, job_.choices.guards.fields.size()});
  }

  /// Writes the records that are a task's share. It needs the decisions, but not what led to them.
  Result<DedupSummary> WriteShare() {
    LOOKALIKE_ASSIGN_OR_RETURN(const DocumentUnits units,
                               FingerprintInputs(job_, observer_, &workspace_, nullptr));
    LOOKALIKE_ASSIGN_OR_RETURN(const Decisions decisions,
                               ReadDecisions(units.documents, &workspace_));
    LOOKALIKE_ASSIGN_OR_RETURN(const ShownRemovals shown, ChooseRemovals(job_, decisions));
    LOOKALIKE_ASSIGN_OR_RETURN(StoredMembers members, MembersToStore(decisions, shown));
    LOOKALIKE_ASSIGN_OR_RETURN(
        [[maybe_unused]] const WrittenRecords written,
        WriteRecords(job_, units, decisions, places_, observer_, &workspace_, &members));
    return DedupSummary();
  }

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
    if (!workspace_.in_tasks()) summary->resumed_units = workspace_.resumed_units();
    LOOKALIKE_RETURN_IF_ERROR(WriteManifestOf(search, recall, *summary));
    LOOKALIKE_RETURN_IF_ERROR(MoveToWhole(places_));
    LOOKALIKE_RETURN_IF_ERROR(WriteChecks(job_.inputs, known, places_.whole, places_.own));
    return MoveToWhole(places_);
  }

  /// Writes the rows to files of the result, and gives them to the caller's sink.
  Status GiveRows(const SearchResult& search, const Decisions& decisions,
                  const StoredMembers& members, const WrittenRecords* written,
                  ExcerptPairs* excerpts) {
    ResultFiles files(places_.own);
    return ResultRows(job_, search, decisions, members, observer_, &workspace_)
        .Give(written, excerpts, {&files, run_.sink});
  }

  Status WriteManifestOf(const SearchResult& search, const MeasuredRecall& recall,
                         const DedupSummary& summary) const {
    ManifestFacts facts;
    facts.command = before_ != nullptr ? before_->command
                                       : CommandText(Command::kDedup, run_.inputs.names,
                                                     run_.objects.NamedOutput(run_.output),
                                                     run_.options, ShownOptions::kAll);
    if (before_ != nullptr) facts.of = before_->of;
    facts.inputs = run_.inputs.names;
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
    facts.guarded_pairs = summary.guarded_pairs;
    facts.kept_by = summary.kept_by;
    return WriteManifest(job_, search, recall, summary.records, facts,
                         places_.own + "/manifest.json");
  }

  const DedupCall& run_;
  Job& job_;
  const std::string digest_;  // as the options request it
  Workspace& workspace_;
  const ResultPlaces& places_;
  const Observer& observer_;
  std::chrono::system_clock::time_point started_ = std::chrono::system_clock::now();
  RunCost cost_;
  const FoundBefore* before_ = nullptr;  // none: the run searches itself
};

}  // namespace

Result<DedupSummary> GiveFindings(ResultSink* sink, const Observer& observer, Attempt* attempt) {
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
          .Give(nullptr, &none, {nullptr, sink}));
  DedupSummary summary = Summarise(job, made.search, made.recall, *made.decisions);
  cost.FillIn(&summary);
  summary.peak_scratch_bytes = workspace->store().peak_disk_bytes();
  return summary;
}

Result<DedupSummary> WriteResult(const DedupCall& run, const ResultPlaces& places,
                                 Attempt* attempt) {
  return DedupRun(run, places, attempt).Run();
}

Result<DedupSummary> WriteFound(const DedupCall& run, const ResultPlaces& places, FoundBefore found,
                                Attempt* attempt) {
  return DedupRun(run, places, attempt).RunFrom(std::move(found));
}

}  // namespace lookalike
