#include "io/store_folder.h"

#include <arrow/filesystem/filesystem.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <deque>
#include <set>
#include <span>
#include <utility>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "io/object_input.h"
#include "io/object_upload.h"
#include "io/whole_file.h"
#include "threads/parallel.h"

namespace lookalike {
namespace {

/// Objects up to this size are copied before they are read.
constexpr uint64_t kSmall = uint64_t{1} << 20;

/// A larger one is read in blocks, until that many were requested. The last ones stay in memory.
constexpr uint64_t kBlock = uint64_t{64} << 10;
constexpr size_t kMostBlocks = 16, kKeptBlocks = 2;

/// Requests at a time. Files of a folder of versions are small and many.
constexpr size_t kConnections = 32;

/// Repeated fetches of a file that other tasks upload again while it is fetched.
constexpr int kMostTurns = 5;

/// The digits of the hash at the end of a version's name, which a period precedes.
constexpr size_t kHashDigits = 16;

/// True if a name leads to a place below the folder. Anybody who may write to a store can give an
/// object any name.
bool IsPlain(std::string_view name) {
  for (size_t begin = 0, end = 0; end != name.npos; begin = end + 1) {
    end = name.find('/', begin);
    const std::string_view part = name.substr(begin, end - begin);
    if (part.empty() || part == "." || part == "..") return false;
  }
  return true;
}

/// Returns the name of the file that `object` is a version of; nothing if it is none.
std::optional<std::string> WithoutVersion(const std::string& object) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  const size_t end = object.size() - std::min(object.size(), kHashDigits + 1);
  const bool is_version =
      end > 0 && object[end] == '.' && object.find_first_not_of(kDigits, end + 1) == object.npos;
  if (!is_version) return std::nullopt;
  return object.substr(0, end);
}

}  // namespace

/// A large object. While little of it is read, only the blocks with that are fetched.
class StoreFolder::Blocks final : public RandomAccessFile {
 public:
  Blocks(StoreFolder* folder, std::string name, std::string path,
         std::shared_ptr<const RandomAccessFile> object)
      : folder_(*folder),
        name_(std::move(name)),
        path_(std::move(path)),
        object_(std::move(object)) {}

  Result<size_t> ReadAt(uint64_t offset, std::span<std::byte> out) const override {
    if (offset >= size()) return size_t{0};
    const std::lock_guard lock(mutex_);
    const std::string* block = Kept(offset / kBlock);
    if (!whole_ && block == nullptr) {
      LOOKALIKE_RETURN_IF_ERROR(Load(offset / kBlock));
      block = Kept(offset / kBlock);
    }
    if (whole_) return whole_->ReadAt(offset, out);
    const size_t begin = offset % kBlock, length = std::min(out.size(), block->size() - begin);
    std::memcpy(out.data(), block->data() + begin, length);
    return length;
  }

  [[nodiscard]] uint64_t size() const override { return object_->size(); }
  [[nodiscard]] const std::string& path() const override { return path_; }

 private:
  struct Block {
    uint64_t number;
    std::string bytes;
  };

  [[nodiscard]] const std::string* Kept(uint64_t number) const {
    for (const Block& block : blocks_) {
      if (block.number == number) return &block.bytes;
    }
    return nullptr;
  }

  /// Loads a block, or the whole object.
  Status Load(uint64_t number) const {
    if (requested_++ == kMostBlocks) {
      LOOKALIKE_RETURN_IF_ERROR(folder_.Fetch({name_}));
      LOOKALIKE_ASSIGN_OR_RETURN(whole_, folder_.base_.OpenRead(path_));
      blocks_.clear();
      return {};
    }
    const uint64_t begin = number * kBlock;
    std::string bytes(std::min(kBlock, size() - begin), '\0');
    LOOKALIKE_RETURN_IF_ERROR(ReadFully(*object_, begin, std::as_writable_bytes(std::span(bytes))));
    blocks_.push_back({number, std::move(bytes)});
    if (blocks_.size() > kKeptBlocks) blocks_.pop_front();
    return {};
  }

  StoreFolder& folder_;
  std::string name_, path_;
  std::shared_ptr<const RandomAccessFile> object_;
  mutable std::mutex mutex_;
  mutable std::deque<Block> blocks_;  ///< The last ones that were requested.
  mutable size_t requested_ = 0;
  mutable std::unique_ptr<RandomAccessFile> whole_;  ///< The copy, once there is one.
};

StoreFolder::StoreFolder(Setup setup, FileSystem& base)
    : ForwardingFileSystem(base), setup_(std::move(setup)) {}
StoreFolder::~StoreFolder() = default;

/// Returns the name of a path in this folder; nothing if it is elsewhere or not shared.
std::optional<std::string> StoreFolder::SharedName(const std::string& path) const {
  const std::string front = setup_.copy + "/";
  if (!path.starts_with(front)) return std::nullopt;
  std::string name = path.substr(front.size());
  if (!IsPlain(name)) return std::nullopt;
  const std::string first = name.substr(0, name.find('/'));
  if (std::find(setup_.own.begin(), setup_.own.end(), first) != setup_.own.end()) {
    return std::nullopt;
  }
  return name;
}

/// True if files of this name, or in the folder of this name, have versions.
bool StoreFolder::HasVersions(std::string_view name) const {
  return name.substr(0, name.find('/')) == setup_.versions;
}

std::string StoreFolder::PathOf(const std::string& name) const {
  return setup_.store.uri.path() + "/" + name;
}

std::string StoreFolder::NameOf(const std::string& path) const {
  if (path == setup_.copy) return setup_.store.uri.Name();
  const auto name = SharedName(path);
  return name ? setup_.store.uri.Name() + "/" + *name : path;
}

Result<bool> StoreFolder::IsEmpty() const {
  LOOKALIKE_ASSIGN_OR_RETURN(const auto there, ListObjects(setup_.store, setup_.store.uri.path()));
  return there.empty();
}

/// Returns the object of a file; nothing if there is none. Versions must have been listed.
Result<std::optional<StoredObject>> StoreFolder::Find(const std::string& name) {
  {
    const std::lock_guard lock(mutex_);
    if (const auto at = there_.find(name); at != there_.end()) return at->second;
  }
  if (HasVersions(name)) return std::nullopt;
  LOOKALIKE_ASSIGN_OR_RETURN(const arrow::fs::FileInfo info,
                             StatObject(setup_.store, PathOf(name)));
  if (!info.IsFile()) return std::nullopt;
  const std::lock_guard lock(mutex_);
  return there_.emplace(name, ObjectOf(info)).first->second;
}

Result<FileFacts> StoreFolder::Stat(const std::string& path) {
  LOOKALIKE_ASSIGN_OR_RETURN(const FileFacts here, base_.Stat(path));
  const auto name = SharedName(path);
  if (!name || here.kind != FileKind::kMissing) return here;
  LOOKALIKE_ASSIGN_OR_RETURN(const auto object, Find(*name));
  if (!object) return here;
  return FileFacts{FileKind::kFile, object->size, object->mtime_ns};
}

/// Lists the objects of a folder, and returns the names of the files in it. Objects that no task
/// made are passed over.
Result<std::vector<std::string>> StoreFolder::ListObjectsOf(const std::string& folder) {
  LOOKALIKE_ASSIGN_OR_RETURN(const auto objects, ListObjects(setup_.store, PathOf(folder)));
  std::vector<std::string> names;
  const std::lock_guard lock(mutex_);
  for (const StoredObject& object : objects) {  // sorted by path
    std::string name = object.path.substr(PathOf("").size());
    if (HasVersions(name)) name = WithoutVersion(name).value_or("");
    if (!IsPlain(name) || name.find('/', folder.size() + 1) != name.npos) continue;
    if (!names.empty() && names.back() == name) continue;
    there_.insert_or_assign(name, object);
    names.push_back(std::move(name));
  }
  return names;
}

Result<std::vector<std::string>> StoreFolder::List(const std::string& path) {
  LOOKALIKE_ASSIGN_OR_RETURN(const auto here, base_.List(path));
  const auto folder = SharedName(path);
  if (!folder) return here;
  LOOKALIKE_ASSIGN_OR_RETURN(const auto names, ListObjectsOf(*folder));
  if (HasVersions(*folder)) LOOKALIKE_RETURN_IF_ERROR(Fetch(names));
  std::set<std::string> all(here.begin(), here.end());
  for (const std::string& name : names) all.insert(name.substr(folder->size() + 1));
  return std::vector<std::string>(all.begin(), all.end());
}

/// Copies objects that are not copied yet.
Status StoreFolder::Fetch(const std::vector<std::string>& names) {
  const std::lock_guard fetching(fetching_);
  LOOKALIKE_ASSIGN_OR_RETURN(auto tasks, ToFetch(names));
  // A task that is repeated uploads the same content once more, and the object has another time.
  for (int turn = 0;; ++turn) {
    LOOKALIKE_ASSIGN_OR_RETURN(const auto fetched,
                               FetchObjects(setup_.store, tasks, /*stop_at_first=*/false,
                                            {.connections = kConnections, .progress = {}}, base_));
    std::vector<FetchTask> again;
    for (size_t i = 0; i < tasks.size(); ++i) {
      if (fetched[i]) continue;
      LOOKALIKE_ASSIGN_OR_RETURN(const arrow::fs::FileInfo now,
                                 StatObject(setup_.store, tasks[i].object.path));
      const StoredObject before = tasks[i].object;
      tasks[i].object = ObjectOf(now);
      const bool is_new = now.IsFile() && tasks[i].object.size == before.size &&
                          tasks[i].object.mtime_ns != before.mtime_ns;
      if (!is_new || turn == kMostTurns) return fetched[i];
      again.push_back(tasks[i]);
    }
    if (again.empty()) return {};
    tasks = std::move(again);
  }
}

/// Returns those of the files that have objects and are not on this machine.
Result<std::vector<FetchTask>> StoreFolder::ToFetch(const std::vector<std::string>& names) {
  std::vector<FetchTask> tasks;
  for (const std::string& name : names) {
    const std::string to = setup_.copy + "/" + name;
    LOOKALIKE_ASSIGN_OR_RETURN(const FileFacts here, base_.Stat(to));
    if (here.kind != FileKind::kMissing) continue;
    LOOKALIKE_ASSIGN_OR_RETURN(auto object, Find(name));
    if (!object) return tl::make_unexpected(FileError("opening", NameOf(to), ENOENT));
    tasks.push_back({*std::move(object), to});
  }
  return tasks;
}

Result<std::unique_ptr<RandomAccessFile>> StoreFolder::OpenRead(const std::string& path) {
  LOOKALIKE_ASSIGN_OR_RETURN(const FileFacts here, base_.Stat(path));
  const auto name = SharedName(path);
  if (!name || here.kind != FileKind::kMissing) return base_.OpenRead(path);
  LOOKALIKE_ASSIGN_OR_RETURN(const auto object, Find(*name));
  if (!object) return tl::make_unexpected(FileError("opening", NameOf(path), ENOENT));
  if (object->size <= kSmall) {
    LOOKALIKE_RETURN_IF_ERROR(Fetch({*name}));
    return base_.OpenRead(path);
  }
  LOOKALIKE_ASSIGN_OR_RETURN(auto file, ObjectInput::Make(setup_.store, *object)->Open());
  return std::make_unique<Blocks>(this, *name, path, std::move(file));
}

Status StoreFolder::Upload(const std::string& name, const std::string& path) {
  UploadTask task = {path, PathOf(name)};
  if (HasVersions(name)) {
    LOOKALIKE_ASSIGN_OR_RETURN(const std::string content, ReadWholeFile(path, base_));
    task.path += fmt::format(".{:016x}", XXH3_64bits(content.data(), content.size()));
  }
  LOOKALIKE_ASSIGN_OR_RETURN(const FileFacts facts, base_.Stat(path));
  LOOKALIKE_ASSIGN_OR_RETURN(const arrow::fs::FileInfo there, StatObject(setup_.store, task.path));
  const bool is_there = there.IsFile() && ObjectOf(there).size == facts.size;
  return is_there ? Status() : UploadFiles(setup_.store, std::span(&task, 1), {}, base_);
}

Status StoreFolder::Rename(const std::string& from, const std::string& to) {
  LOOKALIKE_RETURN_IF_ERROR(base_.Rename(from, to));
  const auto name = SharedName(to);
  if (!name) return {};
  Status uploaded = Upload(*name, to);
  if (!uploaded) (void)base_.RemoveTree(to);  // It would seem to be in the store.
  return uploaded;
}

Status StoreFolder::RemoveTree(const std::string& path) {
  if (const auto name = SharedName(path)) {
    LOOKALIKE_ASSIGN_OR_RETURN(auto objects, ListObjects(setup_.store, PathOf(*name)));
    if (objects.empty()) objects.push_back({PathOf(*name)});
    std::vector<Status> removed(objects.size());
    ParallelFor(size_t{0}, objects.size(),
                [&](size_t i) { removed[i] = RemoveObject(setup_.store, objects[i].path); });
    for (const Status& each : removed) LOOKALIKE_RETURN_IF_ERROR(each);
    const std::lock_guard lock(mutex_);
    std::erase_if(there_, [&](const auto& entry) {
      return entry.first == *name || entry.first.starts_with(*name + "/");
    });
  }
  return base_.RemoveTree(path);
}

}  // namespace lookalike
