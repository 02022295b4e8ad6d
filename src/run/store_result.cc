#include "run/store_result.h"

#include <arrow/filesystem/filesystem.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string_view>
#include <utility>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "io/file_tree.h"
#include "io/object_fetch.h"
#include "io/object_upload.h"
#include "io/object_uri.h"
#include "io/whole_file.h"
#include "run/result_checks.h"

namespace lookalike {
namespace {

std::string SystemTemporaryFolder() {
  std::error_code error;
  const std::filesystem::path path = std::filesystem::temp_directory_path(error);
  return error ? "/tmp" : path.string();
}

/// Returns this user's folder below the system's temporary folder, after checking that only this
/// user can write to it.
Result<std::string> UsersFolder() {
  const std::string path = fmt::format("{}/lookalike-{}", SystemTemporaryFolder(), getuid());
  if (mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) {
    return tl::make_unexpected(FileError("creating the folder", path, errno));
  }
  struct stat facts = {};
  const bool own = lstat(path.c_str(), &facts) == 0 && S_ISDIR(facts.st_mode) &&
                   facts.st_uid == getuid() && (facts.st_mode & (S_IWGRP | S_IWOTH)) == 0;
  if (own) return path;
  return UsageError("is not a folder that only you can write to; choose another with $<scratch>",
                    path);
}

/// Returns where a result is made before it is uploaded.
Result<std::string> LocalPlace(const Options& options, const std::string& uri) {
  std::error_code ignored;
  std::string folder = std::filesystem::absolute(options.scratch, ignored).string();
  if (options.scratch.empty()) {
    LOOKALIKE_ASSIGN_OR_RETURN(folder, UsersFolder());
  }
  // One name may refer to places in two stores.
  const std::string place = uri + "\n" + options.object_endpoint + "\n" + options.object_region;
  return fmt::format("{}/lookalike-upload-{:016x}", folder,
                     XXH3_64bits(place.data(), place.size()));
}

Status CheckInput(const std::string& output, const std::string& input) {
  if (!IsObjectUri(input)) return {};
  LOOKALIKE_ASSIGN_OR_RETURN(const ObjectUri uri, ParseObjectUri(input));
  const std::string name = uri.Name();
  if (name == output) {
    return UsageError("the output is the input '" + name + "'; choose a path outside the inputs",
                      output);
  }
  if (IsPathWithin(output, name)) {
    return UsageError(
        "the output lies inside the input '" + name + "'; choose a path outside the inputs",
        output);
  }
  if (IsPathWithin(name, output)) {
    return UsageError("the input '" + name + "' lies inside the output; choose another prefix",
                      output);
  }
  return {};
}

Result<uint64_t> TotalSize(std::span<const UploadTask> tasks) {
  uint64_t total = 0;
  for (const UploadTask& task : tasks) {
    LOOKALIKE_ASSIGN_OR_RETURN(const FileFacts facts, RealFileSystem().Stat(task.source));
    total += facts.size;
  }
  return total;
}

Status Upload(const ObjectStore& store, std::span<const UploadTask> tasks,
              const Observer& observer) {
  UploadSettings settings;
  if (observer.progress) {
    LOOKALIKE_ASSIGN_OR_RETURN(const uint64_t total, TotalSize(tasks));
    settings.progress = [&observer, total](uint64_t done) {
      observer.progress({"upload", done, total, "bytes"});
    };
  }
  return UploadFiles(store, tasks, settings);
}

}  // namespace

ObjectReading ReadingOf(const Options& options, const Observer& observer,
                        const std::string& output) {
  ObjectReading reading;
  reading.access = {options.object_endpoint, options.object_region, options.object_anonymous};
  reading.retry.cancelled = observer.cancelled;
  if (IsObjectUri(output)) {
    // A URI that cannot be parsed gives an Error when it is opened.
    if (const auto uri = ParseObjectUri(output)) reading.output = uri->Name();
  }
  if (observer.progress) {
    reading.progress = [progress = observer.progress](uint64_t done, uint64_t total) {
      progress({"fetch", done, total, "bytes"});
    };
  }
  return reading;
}

Result<std::string> LocalPath(const std::string& name) {
  if (SchemeOf(name) == "file") return PathOfFileUri(name);
  return name;
}

Result<TemporaryFolder> TemporaryFolder::Make(const std::string& place) {
  std::string path = (place.empty() ? SystemTemporaryFolder() : place) + "/lookalike-XXXXXX";
  if (mkdtemp(path.data()) == nullptr) {
    return tl::make_unexpected(FileError("creating the folder", path, errno));
  }
  return TemporaryFolder(std::move(path));
}

TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept
    : path_(std::exchange(other.path_, {})) {}

TemporaryFolder& TemporaryFolder::operator=(TemporaryFolder&& other) noexcept {
  std::swap(path_, other.path_);
  return *this;
}

TemporaryFolder::~TemporaryFolder() {
  if (!path_.empty()) (void)RealFileSystem().RemoveTree(path_);
}

Result<StoreResult> StoreResult::Open(const std::string& output,
                                      std::span<const std::string> inputs,
                                      const ObjectReading& reading, const Options& options) {
  LOOKALIKE_RETURN_IF_ERROR(CheckApart(output, inputs));
  LOOKALIKE_ASSIGN_OR_RETURN(const ObjectUri uri, ParseObjectUri(output));
  LOOKALIKE_ASSIGN_OR_RETURN(std::string local, LocalPlace(options, uri.Name()));
  auto store = OpenObjectStore(uri, reading.access, reading.retry);
  if (!store) return tl::make_unexpected(std::move(store).error());
  return StoreResult(*std::move(store), std::move(local));
}

Status StoreResult::CheckApart(const std::string& output, std::span<const std::string> inputs) {
  LOOKALIKE_ASSIGN_OR_RETURN(const ObjectUri uri, ParseObjectUri(output));
  for (const std::string& input : inputs) {
    LOOKALIKE_RETURN_IF_ERROR(CheckInput(uri.Name(), input));
  }
  return {};
}

Result<StoreResult> StoreResult::OpenFor(const std::string& local, const std::string& output,
                                         const ObjectReading& reading) {
  LOOKALIKE_ASSIGN_OR_RETURN(const ObjectUri uri, ParseObjectUri(output));
  auto store = OpenObjectStore(uri, reading.access, reading.retry);
  if (!store) return tl::make_unexpected(std::move(store).error());
  return StoreResult(*std::move(store), local);
}

std::string StoreResult::PathOf(const std::string& name) const {
  return store_.uri.path() + "/" + name;
}

Result<std::optional<std::string>> StoreResult::Read(std::string_view name) const {
  const std::string path = PathOf(std::string(name));
  LOOKALIKE_ASSIGN_OR_RETURN(const arrow::fs::FileInfo info, StatObject(store_, path));
  if (!info.IsFile()) return std::nullopt;
  LOOKALIKE_ASSIGN_OR_RETURN(const TemporaryFolder folder, TemporaryFolder::Make());
  const FetchTask task = {ObjectOf(info), folder.path() + "/object"};
  LOOKALIKE_ASSIGN_OR_RETURN([[maybe_unused]] const auto fetched,
                             FetchObjects(store_, std::span(&task, 1), true, {}));
  LOOKALIKE_ASSIGN_OR_RETURN(std::string text, ReadWholeFile(task.target, RealFileSystem()));
  return text;
}

Result<std::map<std::string, uint64_t>> StoreResult::ListSizes() const {
  LOOKALIKE_ASSIGN_OR_RETURN(const auto there, ListObjects(store_, store_.uri.path()));
  std::map<std::string, uint64_t> sizes;
  for (const StoredObject& object : there) {
    sizes.emplace(object.path.substr(PathOf("").size()), object.size);
  }
  return sizes;
}

Status StoreResult::CheckFolder(bool overwrite, bool resume) const {
  const std::string name = store_.uri.Name();
  LOOKALIKE_ASSIGN_OR_RETURN(const arrow::fs::FileInfo info, StatObject(store_, store_.uri.path()));
  if (info.IsFile()) {
    return UsageError(
        "is an object, but a result needs a prefix for several objects; choose another output",
        name);
  }
  LOOKALIKE_ASSIGN_OR_RETURN(const auto there, ListObjects(store_, store_.uri.path()));
  const std::string manifest = PathOf(std::string(kManifestFile));
  const bool complete = std::any_of(there.begin(), there.end(), [&](const StoredObject& object) {
    return object.path == manifest;
  });
  if (complete && !overwrite) {
    return UsageError("holds a result; pass $<overwrite> to replace it, or choose another prefix",
                      name);
  }
  // Uploads begin only when the local result is complete; if it is not, the objects belong to
  // something else.
  LOOKALIKE_ASSIGN_OR_RETURN(const FileFacts made, RealFileSystem().Stat(local_));
  const bool begun = resume && made.kind == FileKind::kDirectory;
  if (!there.empty() && !overwrite && !begun) {
    return UsageError(
        fmt::format("holds objects, but no manifest.json: an unfinished upload, or something else; "
                    "pass {} to write the result there, or choose another prefix",
                    resume ? "$<overwrite> (there is nothing to resume on this machine)"
                           : "$<resume> or $<overwrite>"),
        name);
  }
  return CheckWritable(store_, manifest);
}

Status StoreResult::CheckObject() const {
  if (store_.uri.key.empty() || store_.uri.key.ends_with('/')) {
    return UsageError("is a bucket or a prefix; name an object to write to", store_.uri.Name());
  }
  return CheckWritable(store_, store_.uri.path());
}

Status StoreResult::CheckFree() const {
  LOOKALIKE_ASSIGN_OR_RETURN(const arrow::fs::FileInfo info, StatObject(store_, store_.uri.path()));
  if (!info.IsFile()) return {};
  return UsageError("exists; pass $<overwrite> to replace it, or choose another name",
                    store_.uri.Name());
}

/// Checks that no other run, perhaps on another machine, wrote to the same place. The objects must
/// be those that this run uploaded, judging by their sizes. A manifest must come from another run,
/// and is no longer valid.
Status StoreResult::CheckAlone(std::span<const UploadTask> tasks,
                               std::span<const StoredObject> there) const {
  std::map<std::string_view, uint64_t> sizes;
  for (const StoredObject& object : there) sizes.emplace(object.path, object.size);
  const std::string manifest = PathOf(std::string(kManifestFile));
  bool alone = !sizes.contains(manifest);
  for (const UploadTask& task : tasks) {
    LOOKALIKE_ASSIGN_OR_RETURN(const FileFacts facts, RealFileSystem().Stat(task.source));
    const auto found = sizes.find(task.path);
    alone = alone && found != sizes.end() && found->second == facts.size;
  }
  if (alone) return {};
  LOOKALIKE_RETURN_IF_ERROR(RemoveObject(store_, manifest));
  return UsageError("another run wrote to it at the same time; run again when that run has ended",
                    store_.uri.Name());
}

/// Removes the files that an earlier result had and this one does not have.
Status StoreResult::RemoveStale(std::span<const std::string> names,
                                std::span<const StoredObject> there) const {
  const size_t front = PathOf("").size();
  for (const StoredObject& object : there) {
    const std::string name = object.path.substr(front);
    if (!IsOfResult(name) || std::binary_search(names.begin(), names.end(), name)) continue;
    LOOKALIKE_RETURN_IF_ERROR(RemoveObject(store_, object.path));
  }
  return {};
}

/// Uploads files of local(), given by their sorted names; the old manifest is removed first, and
/// the new one is uploaded last.
Status StoreResult::Put(std::span<const std::string> names, const Observer& observer) const {
  std::vector<UploadTask> tasks;
  for (const std::string& name : names) {
    if (name != kManifestFile) tasks.push_back({local_ + "/" + name, PathOf(name)});
  }
  const UploadTask manifest = {local_ + "/" + std::string(kManifestFile),
                               PathOf(std::string(kManifestFile))};
  LOOKALIKE_RETURN_IF_ERROR(RemoveObject(store_, manifest.path));
  LOOKALIKE_RETURN_IF_ERROR(Upload(store_, tasks, observer));
  LOOKALIKE_ASSIGN_OR_RETURN(const auto there, ListObjects(store_, store_.uri.path()));
  LOOKALIKE_RETURN_IF_ERROR(CheckAlone(tasks, there));
  LOOKALIKE_RETURN_IF_ERROR(RemoveStale(names, there));
  return UploadFiles(store_, std::span(&manifest, 1), {});
}

Status StoreResult::PutAll(const Observer& observer) const {
  LOOKALIKE_ASSIGN_OR_RETURN(const std::vector<std::string> names, ListFilesBelow(local_));
  return Put(names, observer);
}

Status StoreResult::PutText(const std::string& name, const std::string& text) const {
  LOOKALIKE_ASSIGN_OR_RETURN(const TemporaryFolder folder, TemporaryFolder::Make());
  LOOKALIKE_RETURN_IF_ERROR(WriteDurably(folder.path() + "/" + name, text, RealFileSystem()));
  return PutFrom(folder.path(), std::span(&name, 1));
}

Status StoreResult::Remove(const std::string& name) const {
  return RemoveObject(store_, PathOf(name));
}

Status StoreResult::PutFrom(const std::string& folder, std::span<const std::string> names,
                            const Observer& observer) const {
  std::vector<UploadTask> tasks;
  for (const std::string& name : names) tasks.push_back({folder + "/" + name, PathOf(name)});
  return Upload(store_, tasks, observer);
}

Status StoreResult::PutRest(const Observer& observer) const {
  const std::string last(kManifestFile);
  LOOKALIKE_ASSIGN_OR_RETURN(std::vector<std::string> names, ListFilesBelow(local_));
  std::erase(names, last);
  LOOKALIKE_RETURN_IF_ERROR(PutFrom(local_, names, observer));
  return PutFrom(local_, std::span(&last, 1));
}

Status StoreResult::CopyFolder(const Observer& observer) const {
  if (Status done = PutAll(observer); !done) {
    Error error = std::move(done).error();
    error.what +=
        fmt::format("; {} is not a result until it has a manifest.json", store_.uri.Name());
    return tl::make_unexpected(std::move(error));
  }
  return {};
}

Status StoreResult::CopyFile(const Observer& observer) const {
  const UploadTask task = {local_, store_.uri.path()};
  return Upload(store_, std::span(&task, 1), observer);
}

Status StoreResult::UploadFolder(const Observer& observer) const {
  // Another run on this machine must not replace the folder now.
  LOOKALIKE_ASSIGN_OR_RETURN(const DirectoryLock lock, RealFileSystem().LockDirectory(local_));
  if (lock.state == DirectoryLock::State::kBusy) {
    return UsageError("another run is writing this output; wait for it or choose another prefix",
                      store_.uri.Name());
  }
  if (Status done = PutAll(observer); !done) {
    Error error = std::move(done).error();
    error.what += fmt::format(
        "; {} is not a result until it has a manifest.json; the result is kept in {}: pass "
        "$<resume> to upload it without computing it again",
        store_.uri.Name(), local_);
    return tl::make_unexpected(std::move(error));
  }
  // The manifest, which marks a complete result, is removed first: a partial result must not look
  // complete.
  LOOKALIKE_RETURN_IF_ERROR(RealFileSystem().RemoveTree(local_ + "/" + std::string(kManifestFile)));
  return RealFileSystem().RemoveTree(local_);
}

Status StoreResult::UploadFile(const Observer& observer) const {
  const UploadTask task = {local_, store_.uri.path()};
  if (Status done = Upload(store_, std::span(&task, 1), observer); !done) {
    Error error = std::move(done).error();
    error.what += fmt::format("; the result is kept in {}: copy it to the store", local_);
    return tl::make_unexpected(std::move(error));
  }
  return RealFileSystem().RemoveTree(local_);
}

Error StoreResult::Renamed(Error error) const {
  if (error.where == local_) error.where = store_.uri.Name();
  return error;
}

}  // namespace lookalike
