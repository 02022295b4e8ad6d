#include "io/job_directory.h"

#include <filesystem>
#include <system_error>
#include <utility>

namespace lookalike {
namespace {

constexpr char kPartial[] = ".partial";

std::string WithoutTrailingSlashes(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

std::string ParentOf(const std::string& path) {
  size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

/// The path with links resolved as far as it exists; as it stands where that fails.
std::string Canonical(const std::string& path) {
  std::error_code error;
  std::filesystem::path canonical = std::filesystem::weakly_canonical(path, error);
  return error ? path : WithoutTrailingSlashes(canonical.string());
}

/// True when `inner` is `outer` or lies below it. Both canonical.
bool IsWithin(const std::string& inner, const std::string& outer) {
  if (!inner.starts_with(outer)) return false;
  return inner.size() == outer.size() || outer == "/" || inner[outer.size()] == '/';
}

Status CheckName(const std::string& output) {
  std::string name = output.substr(output.rfind('/') + 1);
  if (name.empty() || name == "." || name == "..") {
    return Fail("the output must be a folder of its own; name a new one, such as 'result'", output);
  }
  return {};
}

Status CheckParent(const std::string& output, FileSystem& files) {
  std::string parent = ParentOf(output);
  // A trailing slash lets a link to a folder count as one.
  LOOKALIKE_ASSIGN_OR_RETURN(FileFacts facts, files.Stat(parent == "/" ? parent : parent + "/"));
  if (facts.kind == FileKind::kDirectory) return {};
  return Fail("its folder '" + parent + "' does not exist; make it first or check the path",
              output);
}

/// Guards against results that would be read as input, and inputs that would be replaced.
Status CheckAgainstInputs(const std::string& output, std::span<const std::string> inputs) {
  const std::string place = Canonical(output);
  const std::string working = place + kPartial;
  for (const std::string& input : inputs) {
    if (input == "-") continue;
    const std::string read = Canonical(input);
    if (IsWithin(place, read) || IsWithin(working, read)) {
      return Fail(
          "the output lies inside the input '" + input + "'; choose a folder outside of the inputs",
          output);
    }
    if (IsWithin(read, place) || IsWithin(read, working)) {
      return Fail("the input '" + input + "' lies inside the output; choose another folder",
                  output);
    }
  }
  if (IsWithin(Canonical("."), place)) {
    return Fail("the output is, or holds, the current folder; choose another folder", output);
  }
  return {};
}

Status CheckExisting(const std::string& output, bool overwrite, FileSystem& files) {
  LOOKALIKE_ASSIGN_OR_RETURN(FileFacts facts, files.Stat(output));
  if (facts.kind == FileKind::kFile || facts.kind == FileKind::kOther) {
    return Fail("exists and is not a folder; move it away or choose another output", output);
  }
  if (facts.kind == FileKind::kDirectory && !overwrite) {
    return Fail("exists; pass --overwrite to replace it, or choose another folder", output);
  }
  return {};
}

// Makes the names durable; what is in the files, their writers have made so when they closed them.
Status SyncFolders(const std::string& folder, FileSystem& files) {
  LOOKALIKE_ASSIGN_OR_RETURN(std::vector<std::string> names, files.List(folder));
  for (const std::string& name : names) {
    std::string path = folder + "/" + name;
    LOOKALIKE_ASSIGN_OR_RETURN(FileFacts facts, files.Stat(path));
    if (facts.kind == FileKind::kDirectory) LOOKALIKE_RETURN_IF_ERROR(SyncFolders(path, files));
  }
  return files.SyncPath(folder);
}

tl::unexpected<Error> FailBusy(const std::string& output) {
  return Fail("another run is writing this output; wait for it or choose another folder", output);
}

/// Makes and locks the working folder; sets `made` when there was none before.
Result<DirectoryLock> Occupy(const std::string& output, const std::string& partial,
                             FileSystem& files, bool* made) {
  LOOKALIKE_ASSIGN_OR_RETURN(FileFacts facts, files.Stat(partial));
  if (facts.kind != FileKind::kMissing && facts.kind != FileKind::kDirectory) {
    return Fail("is in the way of the working folder; move it away", partial);
  }
  LOOKALIKE_ASSIGN_OR_RETURN(*made, files.MakeDirectory(partial));
  Result<DirectoryLock> lock = files.LockDirectory(partial);
  if (!lock && *made) (void)files.RemoveTree(partial);
  LOOKALIKE_RETURN_IF_ERROR(lock);
  if (lock->state == DirectoryLock::State::kBusy) return FailBusy(output);
  // Without locks a folder that a dead run left looks like one in use.
  if (lock->state == DirectoryLock::State::kUnsupported && !*made) {
    return Fail("this working folder was left by another run; remove it if that run has ended",
                partial);
  }
  return lock;
}

}  // namespace

Result<JobDirectory> JobDirectory::Open(const std::string& output, bool overwrite,
                                        std::span<const std::string> inputs, FileSystem& files) {
  std::string place = WithoutTrailingSlashes(output);
  LOOKALIKE_RETURN_IF_ERROR(CheckName(place));
  LOOKALIKE_RETURN_IF_ERROR(CheckParent(place, files));
  LOOKALIKE_RETURN_IF_ERROR(CheckAgainstInputs(place, inputs));
  LOOKALIKE_RETURN_IF_ERROR(CheckExisting(place, overwrite, files));
  bool made = false;
  LOOKALIKE_ASSIGN_OR_RETURN(DirectoryLock lock, Occupy(place, place + kPartial, files, &made));
  JobDirectory job(place, overwrite, std::move(lock), files);
  if (!made) LOOKALIKE_RETURN_IF_ERROR(job.Clear());
  // What cannot be replaced in the end must be known before hours of work.
  LOOKALIKE_ASSIGN_OR_RETURN(FileFacts old, files.Stat(place));
  if (old.kind == FileKind::kDirectory) LOOKALIKE_RETURN_IF_ERROR(job.ProbeExchange());
  return job;
}

JobDirectory::JobDirectory(std::string output, bool overwrite, DirectoryLock lock,
                           FileSystem& files)
    : output_(std::move(output)),
      partial_(output_ + kPartial),
      overwrite_(overwrite),
      lock_(std::move(lock)),
      files_(&files) {}

JobDirectory::JobDirectory(JobDirectory&& other) noexcept
    : output_(std::move(other.output_)),
      partial_(std::move(other.partial_)),
      overwrite_(other.overwrite_),
      lock_(std::move(other.lock_)),
      old_lock_(std::move(other.old_lock_)),
      files_(std::exchange(other.files_, nullptr)),
      committed_(other.committed_) {}

JobDirectory::~JobDirectory() {
  if (files_ != nullptr && !committed_) (void)files_->RemoveTree(partial_);
}

std::string JobDirectory::path(const std::string& name) const {
  return name.empty() ? partial_ : partial_ + "/" + name;
}

Status JobDirectory::Clear() {
  LOOKALIKE_ASSIGN_OR_RETURN(std::vector<std::string> names, files_->List(partial_));
  for (const std::string& name : names) LOOKALIKE_RETURN_IF_ERROR(files_->RemoveTree(path(name)));
  return {};
}

Status JobDirectory::ProbeExchange() {
  const std::string a = path("probe-a"), b = path("probe-b");
  LOOKALIKE_RETURN_IF_ERROR(files_->MakeDirectory(a));
  LOOKALIKE_RETURN_IF_ERROR(files_->MakeDirectory(b));
  LOOKALIKE_RETURN_IF_ERROR(files_->Exchange(a, b));
  LOOKALIKE_RETURN_IF_ERROR(files_->RemoveTree(a));
  return files_->RemoveTree(b);
}

Status JobDirectory::Commit() {
  LOOKALIKE_RETURN_IF_ERROR(SyncFolders(partial_, *files_));
  return Publish();
}

Status JobDirectory::Publish() {
  LOOKALIKE_RETURN_IF_ERROR(CheckExisting(output_, overwrite_, *files_));
  LOOKALIKE_ASSIGN_OR_RETURN(FileFacts old, files_->Stat(output_));
  const bool exchanged = old.kind == FileKind::kDirectory;
  if (exchanged) {
    // The old tree will stand where other runs look for a stale working folder, until removed.
    LOOKALIKE_ASSIGN_OR_RETURN(old_lock_, files_->LockDirectory(output_));
    if (old_lock_.state == DirectoryLock::State::kBusy) return FailBusy(output_);
    LOOKALIKE_RETURN_IF_ERROR(files_->Exchange(partial_, output_));
  } else {
    LOOKALIKE_RETURN_IF_ERROR(files_->Rename(partial_, output_));
  }
  LOOKALIKE_RETURN_IF_ERROR(SyncParentOrUndo(exchanged));
  committed_ = true;
  if (exchanged) (void)files_->RemoveTree(partial_);
  return {};
}

/// A rename that may not survive a power cut is no success: it is taken back.
Status JobDirectory::SyncParentOrUndo(bool exchanged) {
  Status synced = files_->SyncPath(ParentOf(output_));
  if (synced) return {};
  Status undone =
      exchanged ? files_->Exchange(partial_, output_) : files_->Rename(output_, partial_);
  if (undone) return synced;
  committed_ = true;  // Under the working name stands the old result, if any: it must not go.
  return Fail(synced.error().what + " (and the new result could not be taken back: " +
                  undone.error().what + "; the old one, if any, is '" + partial_ + "')",
              output_);
}

}  // namespace lookalike
