#include "io/pending_output.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "io/object_uri.h"
#include "io/whole_file.h"

namespace lookalike {
namespace {

constexpr char kPartial[] = ".partial";
// A folder, because that takes only one operation to make.
constexpr char kMark[] = ".lookalike-unfinished";
// Names the scratch folder elsewhere that belongs to this run.
constexpr char kScratchClaim[] = "scratch-claim";
// With more files, one sync of the whole device takes less time than one for each.
constexpr size_t kMostSyncedAlone = 64;

std::string WithoutTrailingSlashes(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

/// Returns the path with links resolved as far as it exists, or unchanged if that fails.
std::string Canonical(const std::string& path) {
  std::error_code error;
  // Absolute first: otherwise a path that does not exist yet would stay relative.
  const std::filesystem::path absolute = std::filesystem::absolute(path, error);
  if (error) return path;
  const std::filesystem::path canonical = std::filesystem::weakly_canonical(absolute, error);
  return error ? path : WithoutTrailingSlashes(canonical.string());
}

/// True if `inner` is `outer` or lies below it. Both canonical.
bool IsWithin(const std::string& inner, const std::string& outer) {
  if (!inner.starts_with(outer)) return false;
  return inner.size() == outer.size() || outer == "/" || inner[outer.size()] == '/';
}

/// Guards against results that would be read as input, and inputs that would be replaced. `place`
/// and `read` are canonical.
Status CheckInput(const std::string& output, const std::string& place, const std::string& input,
                  const std::string& read) {
  const std::string working = place + kPartial;
  if (read == place) {
    return UsageError("the output is the input '" + input + "'; choose a path outside the inputs",
                      output);
  }
  if (IsWithin(place, read) || IsWithin(working, read)) {
    return UsageError(
        "the output lies inside the input '" + input + "'; choose a path outside the inputs",
        output);
  }
  if (IsWithin(read, place) || IsWithin(read, working)) {
    return UsageError("the input '" + input + "' lies inside the output; choose another folder",
                      output);
  }
  return {};
}

}  // namespace

Status CheckParent(const std::string& output, FileSystem& files) {
  std::string parent = ParentOf(output);
  // A trailing slash makes a link to a folder count as a folder.
  LOOKALIKE_ASSIGN_OR_RETURN(FileFacts facts, files.Stat(parent == "/" ? parent : parent + "/"));
  if (facts.kind == FileKind::kDirectory) return {};
  return UsageError("its folder '" + parent + "' does not exist; create it first or check the path",
                    output);
}

std::string AbsolutePath(const std::string& path) {
  std::error_code error;
  const std::filesystem::path absolute = std::filesystem::absolute(path, error);
  return WithoutTrailingSlashes(error ? path : absolute.string());
}

Status CheckAgainstInputs(const std::string& output, std::span<const std::string> inputs) {
  const std::string place = Canonical(output);
  for (const std::string& input : inputs) {
    if (input == "-") continue;
    LOOKALIKE_RETURN_IF_ERROR(CheckInput(output, place, input, Canonical(input)));
  }
  return {};
}

namespace {

/// Lists the folders and the files below `folder`, itself included; a folder's content comes before
/// it.
Status ListTree(const std::string& folder, FileSystem& files, std::vector<std::string>* folders,
                std::vector<std::string>* plain) {
  LOOKALIKE_ASSIGN_OR_RETURN(std::vector<std::string> names, files.List(folder));
  for (const std::string& name : names) {
    std::string path = folder + "/" + name;
    LOOKALIKE_ASSIGN_OR_RETURN(FileFacts facts, files.Stat(path));
    if (facts.kind == FileKind::kDirectory) {
      LOOKALIKE_RETURN_IF_ERROR(ListTree(path, files, folders, plain));
    } else {
      plain->push_back(std::move(path));
    }
  }
  folders->push_back(folder);
  return {};
}

Status SyncTree(const std::string& folder, FileSystem& files) {
  std::vector<std::string> folders, plain;
  LOOKALIKE_RETURN_IF_ERROR(ListTree(folder, files, &folders, &plain));
  if (plain.size() > kMostSyncedAlone) return files.SyncDevice(folder);
  for (const std::string& path : plain) LOOKALIKE_RETURN_IF_ERROR(files.SyncPath(path));
  for (const std::string& path : folders) LOOKALIKE_RETURN_IF_ERROR(files.SyncPath(path));
  return {};
}

/// Refuses a URI, which is not the name of a file, although a folder such as "s3:" can be made.
Status CheckPath(const std::string& output) {
  const std::string_view scheme = SchemeOf(output);
  if (scheme.empty()) return {};
  if (IsObjectUri(output)) {
    return UsageError(
        "names an object in a store, but this file can only be written on this machine; pass a "
        "path, and upload the file afterwards",
        output);
  }
  return UsageError("has the scheme " + std::string(scheme) +
                        "://, expected a path on this machine, s3:// or gs://; use one of these",
                    output);
}

/// Returns the claim in a working folder; nothing if there is none, or none that can be read.
Result<std::optional<ScratchFolder::Claim>> ReadClaim(const std::string& path, FileSystem& files) {
  LOOKALIKE_ASSIGN_OR_RETURN(const FileFacts facts, files.Stat(path));
  if (facts.kind != FileKind::kFile) return std::nullopt;
  LOOKALIKE_ASSIGN_OR_RETURN(const std::string text, ReadWholeFile(path, files));
  return ScratchFolder::Decode(text);
}

tl::unexpected<Error> FailBusy(const std::string& output) {
  return UsageError("another run is writing this output; wait for it or choose another folder",
                    output);
}

tl::unexpected<Error> FailInTheWay(const std::string& partial) {
  return UsageError("is in the way of the working folder; move it away", partial);
}

}  // namespace

Result<PendingOutput> PendingOutput::OpenFolder(const std::string& output, MayReplace may_replace,
                                                std::span<const std::string> inputs,
                                                FileSystem& files) {
  const std::string place = WithoutTrailingSlashes(output);
  const std::string name = place.substr(place.rfind('/') + 1);
  if (name.empty() || name == "." || name == "..") {
    return UsageError("the output must name a new folder, such as 'result'", place);
  }
  if (IsWithin(Canonical("."), Canonical(place))) {
    return UsageError("the output is, or contains, the current folder; choose another folder",
                      place);
  }
  return Open(place, Kind::kFolder, std::move(may_replace), inputs, files);
}

Result<PendingOutput> PendingOutput::OpenFile(const std::string& output,
                                              std::span<const std::string> inputs,
                                              FileSystem& files) {
  const std::string name = output.substr(output.rfind('/') + 1);
  if (name.empty() || name == "." || name == "..") {
    return UsageError("is a folder; name a file to write to", output);
  }
  auto pending = Open(output, Kind::kFile, nullptr, inputs, files);
  if (pending) LOOKALIKE_RETURN_IF_ERROR(pending->Empty());
  return pending;
}

Result<PendingOutput> PendingOutput::Open(const std::string& output, Kind kind,
                                          MayReplace may_replace,
                                          std::span<const std::string> inputs, FileSystem& files) {
  LOOKALIKE_RETURN_IF_ERROR(CheckPath(output));
  LOOKALIKE_RETURN_IF_ERROR(CheckParent(output, files));
  LOOKALIKE_RETURN_IF_ERROR(CheckAgainstInputs(output, inputs));
  PendingOutput pending(output, kind, std::move(may_replace), files);
  LOOKALIKE_ASSIGN_OR_RETURN(FileKind old, pending.CheckPlace());
  LOOKALIKE_RETURN_IF_ERROR(pending.Occupy());
  // If the old output cannot be replaced later, the run must fail now, before hours of work.
  if (old != FileKind::kMissing) LOOKALIKE_RETURN_IF_ERROR(pending.ProbeExchange());
  return pending;
}

PendingOutput::PendingOutput(std::string output, Kind kind, MayReplace may_replace,
                             FileSystem& files)
    : output_(std::move(output)),
      partial_(output_ + kPartial),
      result_(partial_ + "/result"),
      kind_(kind),
      may_replace_(std::move(may_replace)),
      files_(&files) {}

PendingOutput::PendingOutput(PendingOutput&& other) noexcept
    : output_(std::move(other.output_)),
      partial_(std::move(other.partial_)),
      result_(std::move(other.result_)),
      kind_(other.kind_),
      may_replace_(std::move(other.may_replace_)),
      scratch_(std::move(other.scratch_)),
      lock_(std::move(other.lock_)),
      old_lock_(std::move(other.old_lock_)),
      files_(std::exchange(other.files_, nullptr)),
      keep_(other.keep_),
      occupied_(std::exchange(other.occupied_, false)) {}

PendingOutput::~PendingOutput() {
  if (occupied_ && !keep_) Remove();
}

std::string PendingOutput::path(const std::string& name) const {
  return name.empty() ? partial_ : partial_ + "/" + name;
}

Status PendingOutput::CheckApartFrom(const InputList& inputs) const {
  const std::string place = Canonical(output_), working = place + kPartial;
  std::string folder, read_folder;  // Many inputs are in one folder: it is resolved once.
  for (const InputFile& input : inputs) {
    if (input.table || input.remote) continue;
    const std::string parent = ParentOf(input.path);
    if (read_folder.empty() || parent != folder) {
      folder = parent;
      read_folder = Canonical(parent);
    }
    const std::string read = read_folder + "/" + input.path.substr(input.path.rfind('/') + 1);
    if (IsWithin(read, working)) continue;
    LOOKALIKE_RETURN_IF_ERROR(CheckInput(output_, place, input.path, read));
  }
  return {};
}

/// Returns the kind of the existing output; an Error if it may not be replaced.
Result<FileKind> PendingOutput::CheckPlace() const {
  LOOKALIKE_ASSIGN_OR_RETURN(FileFacts facts, files_->Stat(output_));
  if (facts.kind == FileKind::kMissing) return facts.kind;
  if (kind_ == Kind::kFile) {
    if (facts.kind == FileKind::kFile) return facts.kind;
    if (facts.kind == FileKind::kDirectory) {
      return UsageError("is a folder; name a file to write to", output_);
    }
    return UsageError("is a link or a device; name a plain file to write to", output_);
  }
  if (facts.kind != FileKind::kDirectory) {
    return UsageError("exists and is not a folder; move it away or choose another output", output_);
  }
  if (!may_replace_) {
    return UsageError("exists; pass $<overwrite> to replace it, or choose another folder", output_);
  }
  LOOKALIKE_RETURN_IF_ERROR(may_replace_(output_));
  return facts.kind;
}

/// Makes, locks and marks the working folder.
Status PendingOutput::Occupy() {
  LOOKALIKE_ASSIGN_OR_RETURN(FileFacts facts, files_->Stat(partial_));
  if (facts.kind != FileKind::kMissing && facts.kind != FileKind::kDirectory) {
    return FailInTheWay(partial_);
  }
  LOOKALIKE_ASSIGN_OR_RETURN(bool made, files_->MakeDirectory(partial_));
  occupied_ = made;
  LOOKALIKE_ASSIGN_OR_RETURN(lock_, files_->LockDirectory(partial_));
  if (lock_.state == DirectoryLock::State::kBusy) {
    occupied_ = false;
    return FailBusy(output_);
  }
  // Without locks a folder left by a dead run looks like one in use.
  if (lock_.state == DirectoryLock::State::kUnsupported && !made) {
    return DiskError(
        "this working folder belongs to another run, and this file system has no locks that would "
        "show whether that run has ended; remove the folder if it has",
        partial_);
  }
  if (!made) LOOKALIKE_RETURN_IF_ERROR(CheckLeftover());
  occupied_ = true;
  LOOKALIKE_ASSIGN_OR_RETURN([[maybe_unused]] bool marked, files_->MakeDirectory(path(kMark)));
  if (kind_ == Kind::kFile) return {};
  LOOKALIKE_ASSIGN_OR_RETURN([[maybe_unused]] bool fresh, files_->MakeDirectory(result_));
  return {};
}

/// Refuses a working folder without a mark, because somebody else left it.
Status PendingOutput::CheckLeftover() {
  LOOKALIKE_ASSIGN_OR_RETURN(const std::vector<std::string> names, files_->List(partial_));
  if (names.empty() || std::find(names.begin(), names.end(), kMark) != names.end()) return {};
  return FailInTheWay(partial_);
}

Status PendingOutput::Empty(const std::string& but) {
  LOOKALIKE_RETURN_IF_ERROR(RemoveScratch());
  LOOKALIKE_ASSIGN_OR_RETURN(const std::vector<std::string> names, files_->List(partial_));
  for (const std::string& name : names) {
    if (name != kMark && name != but) LOOKALIKE_RETURN_IF_ERROR(files_->RemoveTree(path(name)));
  }
  if (kind_ == Kind::kFile) return {};
  LOOKALIKE_ASSIGN_OR_RETURN([[maybe_unused]] bool fresh, files_->MakeDirectory(result_));
  return {};
}

Result<std::string> PendingOutput::MakeScratch(const std::string& place) {
  const ScratchFolder::Claim claim = ScratchFolder::NewClaim(place);
  // The claim goes first: an unclaimed folder would stay for ever.
  LOOKALIKE_RETURN_IF_ERROR(
      WriteDurably(path(kScratchClaim), ScratchFolder::Encode(claim), *files_));
  LOOKALIKE_ASSIGN_OR_RETURN(scratch_, ScratchFolder::Make(claim, AbsolutePath(output_), *files_));
  return claim.path;
}

Result<std::optional<std::string>> PendingOutput::TakeScratch() {
  LOOKALIKE_ASSIGN_OR_RETURN(const auto claim, ReadClaim(path(kScratchClaim), *files_));
  if (!claim) return std::nullopt;
  LOOKALIKE_ASSIGN_OR_RETURN(scratch_, ScratchFolder::Take(*claim, AbsolutePath(output_), *files_));
  return claim->path;
}

/// Removes the scratch folder that this run, or a dead run, claimed.
Status PendingOutput::RemoveScratch() {
  scratch_.reset();  // with its lock
  LOOKALIKE_ASSIGN_OR_RETURN(const auto claim, ReadClaim(path(kScratchClaim), *files_));
  if (!claim) return {};
  LOOKALIKE_RETURN_IF_ERROR(ScratchFolder::Remove(*claim, *files_));
  return files_->RemoveTree(path(kScratchClaim));
}

Status PendingOutput::ProbeExchange() {
  const std::string a = path("probe-a"), b = path("probe-b");
  LOOKALIKE_ASSIGN_OR_RETURN([[maybe_unused]] bool made_a, files_->MakeDirectory(a));
  LOOKALIKE_ASSIGN_OR_RETURN([[maybe_unused]] bool made_b, files_->MakeDirectory(b));
  LOOKALIKE_RETURN_IF_ERROR(files_->Exchange(a, b));
  LOOKALIKE_RETURN_IF_ERROR(files_->RemoveTree(a));
  return files_->RemoveTree(b);
}

Status PendingOutput::Commit() {
  LOOKALIKE_RETURN_IF_ERROR(SyncResult());
  return Publish();
}

Status PendingOutput::SyncResult() {
  return kind_ == Kind::kFile ? files_->SyncPath(result_) : SyncTree(result_, *files_);
}

Status PendingOutput::Publish() {
  LOOKALIKE_ASSIGN_OR_RETURN(FileKind old, CheckPlace());
  const bool exchanged = old != FileKind::kMissing;
  if (old == FileKind::kDirectory) {
    // Until it is removed, the old tree is where other runs look for a stale working folder.
    LOOKALIKE_ASSIGN_OR_RETURN(old_lock_, files_->LockDirectory(output_));
    if (old_lock_.state == DirectoryLock::State::kBusy) return FailBusy(output_);
  }
  if (exchanged) {
    LOOKALIKE_RETURN_IF_ERROR(files_->Exchange(result_, output_));
  } else {
    LOOKALIKE_RETURN_IF_ERROR(files_->Rename(result_, output_));
  }
  LOOKALIKE_RETURN_IF_ERROR(SyncParentOrUndo(exchanged));
  Remove();
  occupied_ = false;
  return {};
}

/// Undoes a rename that might not survive a power cut, because the run must then not report
/// success.
Status PendingOutput::SyncParentOrUndo(bool exchanged) {
  Status synced = files_->SyncPath(ParentOf(output_));
  if (synced) return {};
  Status undone = exchanged ? files_->Exchange(result_, output_) : files_->Rename(output_, result_);
  if (undone) return synced;
  // The old result, if any, now has the working name: neither this run nor the next may remove it.
  occupied_ = false;
  (void)files_->RemoveTree(path(kMark));
  return DiskError(synced.error().what + " (and the new result could not be moved back: " +
                       undone.error().what + "; the old result, if any, is in '" + result_ + "')",
                   output_);
}

/// Removes the working folder. The mark goes last, so that the next run may replace whatever a
/// dying run leaves.
void PendingOutput::Remove() {
  const bool scratch_gone = RemoveScratch().has_value();
  (void)files_->MakeDirectory(path(kMark));
  if (Result<std::vector<std::string>> names = files_->List(partial_)) {
    for (const std::string& name : *names) {
      if (name != kMark && name != kScratchClaim) (void)files_->RemoveTree(path(name));
    }
  }
  // Otherwise the claim stays with the mark, for the next run.
  if (scratch_gone) (void)files_->RemoveTree(partial_);
}

}  // namespace lookalike
