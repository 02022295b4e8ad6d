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
#include "stages/output/batch_part.h"
#include "stages/output/writer.h"

namespace lookalike {
namespace {

enum WriteStream : uint32_t {
  kWriteBytes,     ///< A single RecordBytes.
  kWriteFiles,     ///< A RecordFile for each input, or shard, of the lane and each folder.
  kWriteRejected,  ///< A RejectedRecord for each record that could not be read,
  kWriteReasons,   ///< and its reason.
  kWriteMembers,   ///< From here on: the streams of StoredMembers.
  kWriteStreams = kWriteMembers + StoredMembers::kStreams,
};

struct RejectedRecord {
  uint64_t source, row;
  uint64_t reason_bytes;
};

std::string UnitName(size_t lane) { return "write/" + std::to_string(lane); }

/// Bytes of a record: as stored in row formats, of the text alone in columnar formats.
uint64_t BytesOf(const Document& document) {
  return document.raw.empty() ? document.text.size() : document.raw.size();
}

/// The room left in a shard: it ends with the record that fills it, whether that is kept or not, so
/// that shards end at the same records whatever is removed.
class ShardRoom {
 public:
  /// `size`: of a shard, in bytes of records; 0: without limit.
  explicit ShardRoom(uint64_t size) : size_(size) {}

  [[nodiscard]] bool IsFull() const { return size_ != 0 && bytes_ >= size_; }
  void Empty() { bytes_ = 0; }

  /// Fills in documents of a batch from `begin` on. Returns the first one that has no room.
  size_t Fill(const std::vector<Document>& documents, size_t begin) {
    if (size_ == 0) return documents.size();
    size_t end = begin;
    while (end < documents.size() && !IsFull()) bytes_ += BytesOf(documents[end++]);
    return end;
  }

 private:
  uint64_t size_;
  uint64_t bytes_ = 0;
};

/// A lane of the pass: whole inputs, or a part of one.
struct WriteLane {
  size_t number = 0;
  PassRange range;

  /// True if an earlier lane has the front of the input.
  [[nodiscard]] bool IsLaterPart() const { return range.position != ReadPosition{}; }
};

/// A sink for the batches of one lane, in input order; one writer is open at a time.
class LaneSink {
 public:
  LaneSink(const Decisions& decisions, const StoredMembers& members, bool collects,
           const WriteLane& lane, const LaneShare& share, const Job& job, RecordFolder* folder,
           RunWriter* run)
      : decisions_(decisions),
        members_(members),
        collects_(collects),
        lane_(lane),
        share_(share),
        job_(job),
        folder_(*folder),
        run_(*run),
        room_(job.options.output_shard) {
    if (!folder_.is_sharded()) {
      for (uint64_t i = lane.range.source; i < lane.range.end_source; ++i) AddFiles({.source = i});
    }
    if (!folder_.annotated()) return;
    removals_.emplace(decisions.removals, lane.range.doc);
    clusters_.emplace(decisions.clusters.by_doc, lane.range.doc);
  }

  Status Take(const PassItem& item) {
    if (item.end_of_source) return CloseFiles();
    if (collects_) {
      LOOKALIKE_RETURN_IF_ERROR(members_.Append(item.batch, item.first_doc, kWriteMembers, &run_));
    }
    CountBytes(item);
    const size_t count = item.batch.documents.size();
    for (size_t begin = 0;;) {
      if (room_.IsFull() && begin < count) LOOKALIKE_RETURN_IF_ERROR(CloseFiles());
      const size_t end = room_.Fill(item.batch.documents, begin);
      if (begin == 0 && end == count) return Write(item);
      PassItem part;
      part.batch = PartOfBatch(item.batch, begin, end);
      part.first_doc = item.first_doc + begin;
      LOOKALIKE_RETURN_IF_ERROR(Write(part));
      if (end == count) return {};
      begin = end;
    }
  }

  /// Closes the files of the last input or shard.
  Status CloseFiles() {
    for (auto* writer : {&writer_, &rejected_}) {
      if (!*writer) continue;
      LOOKALIKE_RETURN_IF_ERROR((*writer)->Close());
      writer->reset();
    }
    room_.Empty();
    return {};
  }

  [[nodiscard]] const RecordBytes& bytes() const { return bytes_; }

  /// Returns the files that the lane has, whether they exist or not.
  [[nodiscard]] const std::vector<RecordFile>& files() const { return made_; }

 private:
  void AddFiles(RecordFile file) {
    made_.push_back(file);
    file.rejected = 1;
    made_.push_back(file);
  }

  /// Opens a file for the records of the current input or shard.
  [[nodiscard]] Result<std::unique_ptr<RecordWriter>> Create(bool rejected) {
    RecordFile file = file_;
    file.rejected = rejected ? 1 : 0;
    return CreateWriter(job_.inputs[file.source], folder_.PathOf(file), folder_.files(),
                        {.waiting = rejected ? 0 : share_.waiting});
  }

  Status BeginFiles(uint64_t source) {
    file_ = {.source = source, .lane = lane_.number, .shard = shards_};
    if (folder_.is_sharded()) {
      AddFiles(file_);
      ++shards_;
    }
    LOOKALIKE_ASSIGN_OR_RETURN(writer_, Create(/*rejected=*/false));
    return {};
  }

  Status Write(const PassItem& item) {
    if (!writer_) {
      const bool empty = item.batch.documents.empty() && item.batch.rejections.empty();
      if (empty && lane_.IsLaterPart()) return {};  // The input has a file for no records already.
      LOOKALIKE_RETURN_IF_ERROR(BeginFiles(item.batch.source));
    }
    LOOKALIKE_RETURN_IF_ERROR(Reject(item.batch));
    return folder_.annotated() ? Annotate(item) : Keep(item);
  }

  void CountBytes(const PassItem& item) {
    for (size_t i = 0; i < item.batch.documents.size(); ++i) {
      const uint64_t size = BytesOf(item.batch.documents[i]);
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
      LOOKALIKE_ASSIGN_OR_RETURN(rejected_, Create(/*rejected=*/true));
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

  const Decisions& decisions_;
  const StoredMembers& members_;
  bool collects_;
  const WriteLane& lane_;
  const LaneShare& share_;
  const Job& job_;
  RecordFolder& folder_;
  RunWriter& run_;
  ShardRoom room_;
  RecordFile file_;      // the current one, in kept/ or annotated/
  uint64_t shards_ = 0;  // made by this lane
  std::vector<RecordFile> made_;
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
  LaneWriter(const Job& job, const DocumentUnits& units, const Decisions& decisions,
             const StoredMembers& members, bool collects, const LaneShare& share,
             const Observer& observer, RecordFolder* folder, Workspace* workspace)
      : job_(job),
        known_(units.inputs),
        decisions_(decisions),
        members_(members),
        collects_(collects),
        share_(share),
        observer_(observer),
        folder_(*folder),
        workspace_(*workspace),
        progress_("write", GuessedBytes(job, job.reference_inputs), observer) {}

  /// Returns the run of a lane, whose files are then complete.
  Result<RunPointer> Write(const WriteLane& lane) {
    const std::string unit = UnitName(lane.number);
    LOOKALIKE_ASSIGN_OR_RETURN(RunPointer run, workspace_.Finished(unit));
    if (run) {
      // Another task may be moving the shards, so NameShards() looks at them.
      if (workspace_.in_tasks() && folder_.is_sharded()) return run;
      LOOKALIKE_ASSIGN_OR_RETURN(const bool whole, IsWhole(*run));
      if (whole) return run;
      if (workspace_.in_tasks()) return FailChangedFiles(*run);
    }
    // Files that changed since then are written again; meanwhile the journal stays valid.
    auto writer =
        run ? workspace_.store().Temporary(kWriteStreams) : workspace_.Begin(unit, kWriteStreams);
    LaneSink sink(decisions_, members_, collects_, lane, share_, job_, &folder_, writer.get());
    PassRange range = lane.range;
    range.wanted = &members_.named().bits();
    range.ahead = share_.ahead;
    range.progress = &progress_;
    PassReader reader(job_, &known_, ReadColumns::kAll, "write", observer_, range);
    LOOKALIKE_RETURN_IF_ERROR(RunPass(
        &reader, [](PassItem item) { return item; },
        [&](const PassItem& item) { return sink.Take(item); }, share_.batches));
    LOOKALIKE_RETURN_IF_ERROR(sink.CloseFiles());
    LOOKALIKE_RETURN_IF_ERROR(writer->AppendRecord(kWriteBytes, sink.bytes()));
    std::vector<RecordFile> files = sink.files();
    LOOKALIKE_RETURN_IF_ERROR(folder_.Look(&files));
    LOOKALIKE_RETURN_IF_ERROR(writer->Append(kWriteFiles, std::as_bytes(std::span(files))));
    if (workspace_.durable()) LOOKALIKE_RETURN_IF_ERROR(folder_.Sync(files));
    return writer->Finish();
  }

 private:
  /// Returns the Error for files that another task wrote and that are different now.
  [[nodiscard]] tl::unexpected<Error> FailChangedFiles(const Run& run) {
    const auto files = ReadRecords<RecordFile>(run, kWriteFiles);
    const bool named = files && !files->empty();
    return FailChangedFile(named ? folder_.PathOf(files->front()) : std::string());
  }

  /// True if the files that a unit wrote are unchanged.
  [[nodiscard]] Result<bool> IsWhole(const Run& run) {
    LOOKALIKE_ASSIGN_OR_RETURN(const auto then, ReadRecords<RecordFile>(run, kWriteFiles));
    std::vector<RecordFile> now = then;
    LOOKALIKE_RETURN_IF_ERROR(folder_.Look(&now));
    return now == then;
  }

  const Job& job_;
  const KnownInputs& known_;
  const Decisions& decisions_;
  const StoredMembers& members_;
  bool collects_;
  LaneShare share_;
  const Observer& observer_;
  RecordFolder& folder_;
  Workspace& workspace_;
  PassProgress progress_;
};

/// Returns the lanes of the pass.
std::vector<WriteLane> LanesToWrite(const Job& job, const DocumentUnits& units, uint64_t most) {
  const uint64_t shard = job.options.output_shard;
  std::vector<Lane> read;
  for (const UnitLane& lane : units.lanes) read.push_back(lane.lane);
  std::vector<WriteLane> lanes;
  for (const WriteInputs& each :
       GroupForWriting(job.inputs, job.reference_inputs, read, LaneBytes(most, shard), shard)) {
    PassRange range = {.source = each.inputs.first,
                       .doc = units.inputs.first_of_source[each.inputs.first],
                       .end_source = each.inputs.end};
    if (each.has_parts()) {
      const PassRange last = units.lanes[each.end_part - 1].Range();
      range = units.lanes[each.first_part].Range();
      range.until = last.until;
      range.end_doc = last.end_doc;
    }
    lanes.push_back({lanes.size(), range});
  }
  return lanes;
}

RecordPlaces PlacesOfRecords(const ResultPlaces& places, const Workspace& workspace) {
  if (workspace.IsIn(kWriteStage)) return {places.own, places.own + "/shards"};
  return {places.whole, ShardsBeside(places.whole), places.store, workspace.in_tasks()};
}

}  // namespace

Result<WrittenRecords> WriteRecords(const Job& job, const DocumentUnits& units,
                                    const Decisions& decisions, const ResultPlaces& places,
                                    const Observer& observer, Workspace* workspace,
                                    StoredMembers* members) {
  WrittenRecords written;
  written.folder = std::make_unique<RecordFolder>(job, PlacesOfRecords(places, *workspace));
  // Witnesses may be in the reference, or come after the row that names them.
  const bool collects = !written.folder->annotated() && job.reference_inputs == 0;
  if (!collects) {
    LOOKALIKE_RETURN_IF_ERROR(CollectMembers(job, units.inputs, observer, workspace, members));
  }
  const std::vector<WriteLane> lanes = LanesToWrite(job, units, workspace->lane_bytes());
  const LaneShare share = ShareBatches(lanes.size(), workspace->memory());
  LaneWriter writer(job, units, decisions, *members, collects, share, observer,
                    written.folder.get(), workspace);
  if (workspace->IsIn(kWriteStage)) {
    const std::vector<size_t> mine = workspace->ToDo(kWriteStage, lanes.size());
    const auto record = [&](size_t i, const RunPointer& run) -> Status {
      LOOKALIKE_ASSIGN_OR_RETURN(const auto files, ReadRecords<RecordFile>(*run, kWriteFiles));
      LOOKALIKE_RETURN_IF_ERROR(written.folder->Deliver(places, files));
      return workspace->Record(kWriteStage, mine[i], {UnitName(mine[i])});
    };
    LOOKALIKE_RETURN_IF_ERROR(RunLanes(
        mine.size(), share, [&](size_t i) { return writer.Write(lanes[mine[i]]); }, record));
    LOOKALIKE_RETURN_IF_ERROR(workspace->EndStage(kWriteStage));
  }
  const auto take = [&](size_t i, const RunPointer& run) -> Status {
    if (collects) {
      const PassRange& range = lanes[i].range;
      const DocNumber end = units.inputs.first_of_source[range.end_source];
      LOOKALIKE_RETURN_IF_ERROR(members->AddPart(run, kWriteMembers, std::min(end, range.end_doc)));
    }
    LOOKALIKE_ASSIGN_OR_RETURN(const auto bytes, ReadRecords<RecordBytes>(*run, kWriteBytes));
    if (bytes.empty()) return EndedEarly({}, "a unit of written rows");
    written.bytes.in += bytes.front().in;
    written.bytes.kept += bytes.front().kept;
    written.units.push_back(run);
    return {};
  };
  LOOKALIKE_RETURN_IF_ERROR(RunLanes(
      lanes.size(), share, [&](size_t i) { return writer.Write(lanes[i]); }, take));
  LOOKALIKE_RETURN_IF_ERROR(members->MoveToMemory(&workspace->store()));
  LOOKALIKE_RETURN_IF_ERROR(written.folder->NameShards(written.units, kWriteFiles));
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

ForEachResultFile FilesOfRecords(const WrittenRecords& written) {
  return [&written](const auto& take) {
    return written.folder->ForEach(written.units, kWriteFiles, take);
  };
}

}  // namespace lookalike
