#include "run/workspace.h"

#include <algorithm>
#include <set>
#include <utility>

#include "io/arrow_memory.h"
#include "io/scratch_folder.h"
#include "io/whole_file.h"

namespace lookalike {
namespace {

/// Returns the entries of a journal that an earlier attempt left; none if there is no journal.
Result<std::vector<RunRecord>> ReadJournal(const std::string& path, FileSystem& files) {
  LOOKALIKE_ASSIGN_OR_RETURN(const FileFacts facts, files.Stat(path));
  if (facts.kind != FileKind::kFile) return std::vector<RunRecord>();
  LOOKALIKE_ASSIGN_OR_RETURN(const std::string text, ReadWholeFile(path, files));
  return DecodeJournal(text);
}

/// Removes the files in the scratch folder that do not belong to finished units, left by an attempt
/// that ended.
Status RemoveStrays(const std::string& folder, const std::map<std::string, RunRecord>& finished,
                    FileSystem& files) {
  LOOKALIKE_ASSIGN_OR_RETURN(const FileFacts facts, files.Stat(folder));
  if (facts.kind != FileKind::kDirectory) return {};
  std::set<std::string> known = {std::string(ScratchFolder::kMark)};
  for (const auto& [unit, record] : finished) known.insert(record.file);
  LOOKALIKE_ASSIGN_OR_RETURN(const std::vector<std::string> names, files.List(folder));
  for (const std::string& name : names) {
    if (known.contains(name)) continue;
    LOOKALIKE_RETURN_IF_ERROR(files.RemoveTree(folder + "/" + name));
  }
  return {};
}

}  // namespace

const char* const kStoppedOnPurpose = "stopped on purpose";

namespace {
constexpr const char* kTaskDone = "the share of this task is done";
}  // namespace

bool IsTaskDone(const Error& error) {
  return error.code == ErrorCode::kCancelled && error.what == kTaskDone;
}

std::string RecordName(std::string_view stage, uint64_t share) {
  return std::string(stage) + "." + std::to_string(share);
}

Result<std::unique_ptr<Workspace>> Workspace::Open(Setup setup) {
  if (setup.files == nullptr) setup.files = &RealFileSystem();
  std::unique_ptr<Workspace> workspace(new Workspace(std::move(setup)));
  const Setup& with = workspace->setup_;
  if (!with.journal.empty()) LOOKALIKE_RETURN_IF_ERROR(workspace->OpenJournal());
  if (workspace->in_tasks()) LOOKALIKE_RETURN_IF_ERROR(workspace->AdoptRecords());
  LOOKALIKE_RETURN_IF_ERROR(RemoveStrays(with.scratch, workspace->finished_, *with.files));
  KeepIdleMemoryFor(with.memory.total);
  RunStoreOptions options;
  options.folder = with.scratch;
  options.held_bytes = with.stress.spill_everything ? 0 : with.memory.held;
  options.durable_units = workspace->durable();
  options.units_folder = with.units;
  options.finished = [raw = workspace.get()](const RunRecord& record) {
    return raw->AppendToJournal(record);
  };
  workspace->store_ = std::make_unique<RunStore>(std::move(options), *with.files);
  return workspace;
}

/// Adopts the valid lines of an earlier attempt's journal, and continues after them.
Status Workspace::OpenJournal() {
  FileSystem& files = *setup_.files;
  std::vector<RunRecord> entries;
  if (setup_.resume) {
    LOOKALIKE_ASSIGN_OR_RETURN(entries, ReadJournal(setup_.journal, files));
  }
  const std::string fresh = setup_.journal + ".new";
  LOOKALIKE_ASSIGN_OR_RETURN(journal_, files.Create(fresh));
  for (const RunRecord& entry : entries) {
    LOOKALIKE_RETURN_IF_ERROR(AppendAll(*journal_, EncodeJournalLine(entry)));
    finished_[entry.unit] = entry;
  }
  journaled_units_ = finished_.size();
  LOOKALIKE_RETURN_IF_ERROR(files.SyncPath(fresh));
  LOOKALIKE_ASSIGN_OR_RETURN(const FileFacts old, files.Stat(setup_.journal));
  if (old.kind == FileKind::kMissing) {
    LOOKALIKE_RETURN_IF_ERROR(files.Rename(fresh, setup_.journal));
  } else {
    LOOKALIKE_RETURN_IF_ERROR(files.Exchange(fresh, setup_.journal));
    LOOKALIKE_RETURN_IF_ERROR(files.RemoveTree(fresh));
  }
  return files.SyncPath(ParentOf(setup_.journal));
}

/// Adopts the units that other tasks recorded.
Status Workspace::AdoptRecords() {
  FileSystem& files = *setup_.files;
  LOOKALIKE_ASSIGN_OR_RETURN(const auto names, files.List(setup_.records));
  for (const std::string& name : names) {
    if (name.starts_with('.')) continue;  // the file system's own, as in NFS
    const std::string path = setup_.records + "/" + name;
    LOOKALIKE_ASSIGN_OR_RETURN(const std::string text, ReadWholeFile(path, files));
    std::vector<RunRecord> lines = DecodeJournal(text);
    const RunRecord end = {name, {}, lines.empty() ? 0 : lines.size() - 1, 0};
    if (lines.empty() || lines.back() != end) {
      return CorruptError("this record of a task is damaged; plan the job again", path);
    }
    lines.pop_back();
    for (RunRecord& record : lines) finished_[record.unit] = std::move(record);
    recorded_.insert(name);
  }
  return {};
}

bool Workspace::IsToDo(std::string_view stage, uint64_t share) const {
  return IsIn(stage) && share % setup_.share->count == setup_.share->index &&
         !recorded_.contains(RecordName(stage, share));
}

std::vector<size_t> Workspace::ToDo(std::string_view stage, uint64_t shares) const {
  std::vector<size_t> to_do;
  for (size_t i = 0; i < shares; ++i) {
    if (IsToDo(stage, i)) to_do.push_back(i);
  }
  return to_do;
}

Status Workspace::Record(std::string_view stage, uint64_t share, std::vector<std::string> units) {
  if (!in_tasks()) return {};
  FileSystem& files = *setup_.files;
  std::string lines;
  {
    const std::lock_guard lock(mutex_);
    for (const std::string& unit : units) {
      const auto at = unrecorded_.find(unit);
      if (at == unrecorded_.end()) return BugError("unit " + unit + " was not finished");
      lines += EncodeJournalLine(at->second);
      unrecorded_.erase(at);
    }
  }
  const std::string name = RecordName(stage, share);
  lines += EncodeJournalLine({name, {}, units.size(), 0});
  const std::string made = setup_.scratch + "/" + name, to = setup_.records + "/" + name;
  LOOKALIKE_RETURN_IF_ERROR(MakeParentDirectories(made, files));
  LOOKALIKE_RETURN_IF_ERROR(WriteDurably(made, lines, files));
  // The first record stays: what other tasks do next may depend on it.
  LOOKALIKE_RETURN_IF_ERROR(MoveUnlessThere(made, to, files));
  return files.SyncPath(setup_.records);
}

Status Workspace::EndStage(std::string_view stage) const {
  if (!IsIn(stage)) return {};
  return Failure(Error{ErrorCode::kCancelled, {}, kTaskDone, {}});
}

Status Workspace::AppendToJournal(const RunRecord& record) {
  if (in_tasks()) {
    const std::lock_guard lock(mutex_);
    unrecorded_[record.unit] = record;
    return {};
  }
  LOOKALIKE_RETURN_IF_ERROR(AppendAll(*journal_, EncodeJournalLine(record)));
  LOOKALIKE_RETURN_IF_ERROR(setup_.files->SyncPath(setup_.journal));
  ++journaled_units_;
  if (++units_now_ == setup_.stress.stop_after) {
    return Failure(Error{ErrorCode::kCancelled, {}, kStoppedOnPurpose, {}});
  }
  return {};
}

Status Workspace::Clear() {
  store_.reset();
  return setup_.files->RemoveTree(setup_.scratch);
}

/// Returns what is checked of the files that tasks share. The large ones are hashed once, before
/// the result: the fingerprints by the tasks of `survey`, those of later stages by `decide`.
RunStore::Checks Workspace::ChecksOf(std::string_view unit, bool hashes) const {
  const bool is_late = unit.starts_with(kDecideStage) || unit.starts_with(kWriteStage);
  const bool of_fingerprint = unit.starts_with(kFingerprintStage);
  const bool skips = in_tasks() && !is_late && !(of_fingerprint ? hashes : IsIn(kDecideStage));
  return skips ? RunStore::Checks::kAllButHash : RunStore::Checks::kAll;
}

Result<RunPointer> Workspace::Finished(const std::string& unit, bool hashes) {
  const auto at = finished_.find(NameOf(unit));
  if (at == finished_.end()) return RunPointer();
  Result<RunPointer> run = store_->Open(at->second, ChecksOf(unit, hashes));
  damaged_ = damaged_ || !run;
  if (run) ++resumed_units_;
  return run;
}

std::string Workspace::NameOf(const std::string& unit) const {
  const bool once = unit.starts_with(kDecideStage) || unit.starts_with(kWriteStage);
  return once ? unit : again_ + unit;
}

uint32_t Workspace::ChunkBytes(uint32_t streams) const {
  const uint64_t share = setup_.memory.work / 8 / setup_.memory.threads / streams;
  return static_cast<uint32_t>(
      std::clamp<uint64_t>(share, RunStore::kSmallestChunkBytes, RunStore::kChunkBytes));
}

uint32_t Workspace::PartitionOf(uint64_t key, uint32_t bits) const {
  return setup_.stress.collide ? 0 : static_cast<uint32_t>(key >> (64 - bits));
}

std::unique_ptr<RunWriter> Workspace::Begin(const std::string& unit, uint32_t streams) {
  return store_->Unit(NameOf(unit), streams, ChunkBytes(streams));
}

}  // namespace lookalike
