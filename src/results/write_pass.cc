#include "results/write_pass.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "lookalike/messages.h"
#include "results/doc_cursor.h"
#include "run/input_pass.h"
#include "run/lanes.h"
#include "run/pass_progress.h"
#include "stages/output/writer.h"

namespace lookalike {
namespace {

/// Maximum number of files to sync one by one; if there are more, one call syncs the whole device.
constexpr size_t kMostSyncedAlone = 16;

enum WriteStream : uint32_t {
  kWriteBytes,     ///< A single RecordBytes.
  kWriteFiles,     ///< A WrittenFile for each input of the lane and each folder.
  kWriteRejected,  ///< A RejectedRecord for each record that could not be read,
  kWriteReasons,   ///< and its reason.
  kWriteMembers,   ///< From here on: the streams of StoredMembers.
  kWriteStreams = kWriteMembers + StoredMembers::kStreams,
};

struct RejectedRecord {
  uint64_t source, row;
  uint64_t reason_bytes;
};

/// A file of the result as it was when its unit was finished.
struct WrittenFile {
  uint64_t source;
  uint64_t rejected;  ///< 1: in rejected/.
  uint64_t exists;
  ContentHash content;
  bool operator==(const WrittenFile&) const = default;
};

/// Returns the name of an input's file in a result.
std::string NameOf(const Job& job, bool annotated, uint64_t source, bool rejected) {
  const char* folder = rejected ? "rejected/" : annotated ? "annotated/" : "kept/";
  return folder + std::string(job.inputs.NameOf(source));
}

/// The folder that a result is written to, and what is known about its files.
struct ResultFolder {
  const Job& job;
  std::string path;
  bool annotated;
  bool collects;                   ///< Members are collected during the pass.
  HashingFileSystem* file_system;  ///< For the files that are written.

  [[nodiscard]] std::string FileOf(uint64_t source, bool rejected) const {
    return path + "/" + NameOf(job, annotated, source, rejected);
  }

  /// Returns the files of a lane's inputs; the content of a file that was not written just now is
  /// read.
  [[nodiscard]] Result<std::vector<WrittenFile>> FilesOf(const Lane& lane) const {
    std::vector<WrittenFile> files;
    for (uint32_t source = lane.first; source < lane.end; ++source) {
      for (const bool rejected : {false, true}) {
        const std::string file = FileOf(source, rejected);
        LOOKALIKE_ASSIGN_OR_RETURN(const FileFacts facts, file_system->Stat(file));
        const bool exists = facts.kind == FileKind::kFile;
        files.push_back({source, rejected ? 1U : 0U, exists ? 1U : 0U, {}});
        if (!exists) continue;
        if (const auto written = file_system->Take(file)) {
          files.back().content = *written;
        } else {
          LOOKALIKE_ASSIGN_OR_RETURN(files.back().content, ReadContentHash(file));
        }
      }
    }
    return files;
  }
};

/// A sink for the batches of one lane, in input order; one writer is open at a time.
class LaneSink {
 public:
  /// `first`: the lane's first document.
  LaneSink(const ResultFolder& folder, const Decisions& decisions, const StoredMembers& members,
           DocNumber first, RunWriter* run)
      : folder_(folder), job_(folder.job), decisions_(decisions), members_(members), run_(*run) {
    if (!folder.annotated) return;
    removals_.emplace(decisions.removals, first);
    clusters_.emplace(decisions.clusters.by_doc, first);
  }

  Status Take(const PassItem& item) {
    if (item.end_of_source) return EndSource();
    if (folder_.collects) {
      LOOKALIKE_RETURN_IF_ERROR(members_.Append(item.batch, item.first_doc, kWriteMembers, &run_));
    }
    LOOKALIKE_RETURN_IF_ERROR(Reject(item.batch));
    CountBytes(item);
    if (!writer_) {
      LOOKALIKE_ASSIGN_OR_RETURN(writer_, Create(item.batch.source, false));
    }
    return folder_.annotated ? Annotate(item) : Keep(item);
  }

  [[nodiscard]] const RecordBytes& bytes() const { return bytes_; }

 private:
  [[nodiscard]] Result<std::unique_ptr<RecordWriter>> Create(uint32_t source, bool rejected) const {
    return CreateWriter(job_.inputs[source], folder_.FileOf(source, rejected),
                        *folder_.file_system);
  }

  void CountBytes(const PassItem& item) {
    for (size_t i = 0; i < item.batch.documents.size(); ++i) {
      const Document& document = item.batch.documents[i];
      const uint64_t size = document.raw.empty() ? document.text.size() : document.raw.size();
      bytes_.in += size;
      if (!decisions_.removed.Test(item.first_doc + i)) bytes_.kept += size;
    }
  }

  Status Keep(const PassItem& item) {
    keep_.clear();
    for (size_t i = 0; i < item.batch.documents.size(); ++i) {
      keep_.push_back(decisions_.removed.Test(item.first_doc + i) ? 0 : 1);
    }
    return writer_->AppendKept(item.batch, keep_);
  }

  Status Annotate(const PassItem& item) {
    std::vector<DocNumber> witnesses(item.batch.documents.size());
    annotations_.assign(item.batch.documents.size(), {});
    for (size_t i = 0; i < annotations_.size(); ++i) {
      Annotation& annotation = annotations_[i];
      if (const ClusterOfDoc* entry = clusters_->Find(item.first_doc + i)) {
        annotation.cluster = entry->cluster;
        annotation.copies = entry->size;
      }
      if (decisions_.removed.Test(item.first_doc + i)) {
        const DocRemoval* removal = removals_->Find(item.first_doc + i);
        if (removal == nullptr) return EndedEarly(removals_->status(), "the list of removals");
        annotation.keep = false;
        annotation.resemblance = removal->resemblance;
        witnesses[i] = removal->witness;
      }
    }
    LOOKALIKE_RETURN_IF_ERROR(clusters_->status());
    LOOKALIKE_RETURN_IF_ERROR(removals_->status());
    LOOKALIKE_ASSIGN_OR_RETURN(const MemberList named, Witnesses(witnesses));
    for (size_t i = 0; i < annotations_.size(); ++i) {
      if (!annotations_[i].keep) annotations_[i].duplicate_of = named.Of(witnesses[i]).id;
    }
    return writer_->AppendAnnotated(item.batch, annotations_);
  }

  [[nodiscard]] Result<MemberList> Witnesses(const std::vector<DocNumber>& witnesses) const {
    std::vector<DocNumber> docs;
    for (size_t i = 0; i < witnesses.size(); ++i) {
      if (!annotations_[i].keep) docs.push_back(witnesses[i]);
    }
    return members_.Gather(job_, std::move(docs));
  }

  Status Reject(const DocumentBatch& batch) {
    if (batch.rejections.empty()) return {};
    if (!rejected_) {
      LOOKALIKE_ASSIGN_OR_RETURN(rejected_, Create(batch.source, true));
    }
    LOOKALIKE_RETURN_IF_ERROR(rejected_->AppendRejected(batch));
    for (const Rejection& rejection : batch.rejections) {
      const std::string reason = InPlainWords(rejection.reason);
      LOOKALIKE_RETURN_IF_ERROR(run_.AppendRecord(
          kWriteRejected, RejectedRecord{batch.source, rejection.row, reason.size()}));
      LOOKALIKE_RETURN_IF_ERROR(run_.Append(kWriteReasons, std::as_bytes(std::span(reason))));
    }
    return {};
  }

  Status EndSource() {
    for (auto* writer : {&writer_, &rejected_}) {
      if (!*writer) continue;
      LOOKALIKE_RETURN_IF_ERROR((*writer)->Close());
      writer->reset();
    }
    return {};
  }

  const ResultFolder& folder_;
  const Job& job_;
  const Decisions& decisions_;
  const StoredMembers& members_;
  RunWriter& run_;
  std::optional<DocCursor<DocRemoval>> removals_;  // for annotations
  std::optional<DocCursor<ClusterOfDoc>> clusters_;
  std::unique_ptr<RecordWriter> writer_, rejected_;
  std::vector<uint8_t> keep_;
  std::vector<Annotation> annotations_;
  RecordBytes bytes_;
};

/// A writer of lanes, except those that an earlier attempt wrote. Safe from several threads.
class LaneWriter {
 public:
  LaneWriter(const ResultFolder& folder, const KnownInputs& known, const Decisions& decisions,
             const LaneShare& share, const Observer& observer, Workspace* workspace,
             const StoredMembers* members)
      : folder_(folder),
        known_(known),
        decisions_(decisions),
        share_(share),
        observer_(observer),
        workspace_(*workspace),
        members_(*members),
        progress_("write", GuessedBytes(folder.job, folder.job.reference_inputs), observer) {}

  /// Returns the run of a lane, whose files are then complete.
  Result<RunPointer> Write(const Lane& lane, const std::string& unit) {
    LOOKALIKE_ASSIGN_OR_RETURN(RunPointer run, workspace_.Finished(unit));
    if (run) {
      LOOKALIKE_ASSIGN_OR_RETURN(const bool whole, IsWhole(*run, lane));
      if (whole) return run;
    }
    // Files that changed since then are written again; meanwhile the journal stays valid.
    auto writer =
        run ? workspace_.store().Temporary(kWriteStreams) : workspace_.Begin(unit, kWriteStreams);
    const DocNumber first = known_.first_of_source[lane.first];
    LaneSink sink(folder_, decisions_, members_, first, writer.get());
    PassReader reader(folder_.job, &known_, ReadColumns::kAll, "write", observer_,
                      {.source = lane.first,
                       .doc = first,
                       .end_source = lane.end,
                       .wanted = &members_.named().bits(),
                       .ahead = share_.ahead,
                       .progress = &progress_});
    LOOKALIKE_RETURN_IF_ERROR(RunPass(
        &reader, [](PassItem item) { return item; },
        [&](const PassItem& item) { return sink.Take(item); }, share_.batches));
    LOOKALIKE_RETURN_IF_ERROR(writer->AppendRecord(kWriteBytes, sink.bytes()));
    LOOKALIKE_ASSIGN_OR_RETURN(const auto files, folder_.FilesOf(lane));
    LOOKALIKE_RETURN_IF_ERROR(writer->Append(kWriteFiles, std::as_bytes(std::span(files))));
    if (workspace_.durable()) LOOKALIKE_RETURN_IF_ERROR(Sync(files));
    return writer->Finish();
  }

 private:
  /// True if the files that a unit wrote are unchanged.
  [[nodiscard]] Result<bool> IsWhole(const Run& run, const Lane& lane) const {
    LOOKALIKE_ASSIGN_OR_RETURN(const auto now, folder_.FilesOf(lane));
    LOOKALIKE_ASSIGN_OR_RETURN(const auto then, ReadRecords<WrittenFile>(run, kWriteFiles));
    return now == then;
  }

  /// Makes the files durable, so that the journal may mention them.
  [[nodiscard]] Status Sync(const std::vector<WrittenFile>& files) const {
    FileSystem& system = RealFileSystem();
    if (files.size() > kMostSyncedAlone) return system.SyncDevice(folder_.path);
    for (const WrittenFile& file : files) {
      if (file.exists == 0) continue;
      const std::string path = folder_.FileOf(file.source, file.rejected != 0);
      LOOKALIKE_RETURN_IF_ERROR(system.SyncPath(path));
      LOOKALIKE_RETURN_IF_ERROR(system.SyncPath(ParentOf(path)));
    }
    return system.SyncPath(folder_.path);
  }

  const ResultFolder& folder_;
  const KnownInputs& known_;
  const Decisions& decisions_;
  LaneShare share_;
  const Observer& observer_;
  Workspace& workspace_;
  const StoredMembers& members_;
  PassProgress progress_;
};

}  // namespace

Result<WrittenRecords> WriteRecords(const Job& job, const KnownInputs& known,
                                    const Decisions& decisions, bool annotated,
                                    const std::string& folder, const Observer& observer,
                                    Workspace* workspace, StoredMembers* members) {
  // Witnesses may be in the reference, or come after the row that names them.
  const bool collects = !annotated && job.reference_inputs == 0;
  if (!collects) {
    LOOKALIKE_RETURN_IF_ERROR(CollectMembers(job, known, observer, workspace, members));
  }
  HashingFileSystem file_system(RealFileSystem());
  const ResultFolder result = {job, folder, annotated, collects, &file_system};
  const std::vector<Lane> lanes =
      GroupIntoLanes(job.inputs, job.reference_inputs, workspace->stress().lane_bytes);
  const LaneShare share = ShareBatches(lanes.size(), workspace->memory());
  LaneWriter writer(result, known, decisions, share, observer, workspace, members);
  WrittenRecords written;
  const auto take = [&](size_t i, const RunPointer& run) -> Status {
    if (collects) {
      LOOKALIKE_RETURN_IF_ERROR(
          members->AddPart(run, kWriteMembers, known.first_of_source[lanes[i].end]));
    }
    LOOKALIKE_ASSIGN_OR_RETURN(const auto bytes, ReadRecords<RecordBytes>(*run, kWriteBytes));
    if (bytes.empty()) return EndedEarly({}, "a unit of written rows");
    written.bytes.in += bytes.front().in;
    written.bytes.kept += bytes.front().kept;
    written.units.push_back(run);
    return {};
  };
  LOOKALIKE_RETURN_IF_ERROR(RunLanes(
      lanes.size(), share,
      [&](size_t i) { return writer.Write(lanes[i], "write/" + std::to_string(i)); }, take));
  return written;
}

Status GiveRejections(const Job& job, const WrittenRecords& written, ResultSink* sink) {
  RecordReader<RejectedRecord> records(written.units, kWriteRejected);
  RecordReader<char> reasons(written.units, kWriteReasons);
  std::string reason;
  while (const RejectedRecord* record = records.Next()) {
    reason.clear();
    while (reason.size() < record->reason_bytes) {
      const char* const next = reasons.Next();
      if (next == nullptr) {
        LOOKALIKE_RETURN_IF_ERROR(reasons.status());
        return EndedEarly({}, "the reasons of rejected records");
      }
      reason += *next;
    }
    LOOKALIKE_RETURN_IF_ERROR(
        sink->TakeRejection({job.inputs.NameOf(record->source), record->row, reason}));
  }
  return records.status();
}

ForEachResultFile FilesOfRecords(const Job& job, bool annotated, const WrittenRecords& written) {
  return [&job, annotated, &written](const auto& take) -> Status {
    RecordReader<WrittenFile> files(written.units, kWriteFiles);
    while (const WrittenFile* file = files.Next()) {
      if (file->exists == 0) continue;
      LOOKALIKE_RETURN_IF_ERROR(
          take({NameOf(job, annotated, file->source, file->rejected != 0), file->content}));
    }
    return files.status();
  };
}

}  // namespace lookalike
