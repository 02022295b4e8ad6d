#include "results/record_files.h"

#include <fmt/format.h>

#include <set>
#include <utility>

#include "io/file_system.h"
#include "io/whole_file.h"
#include "spill/record_reader.h"
#include "stages/output/shard_name.h"
#include "threads/parallel.h"

namespace lookalike {
namespace {

/// Maximum number of files to sync one by one; if there are more, one call syncs the whole device.
constexpr size_t kMostSyncedAlone = 16;

/// Maximum number of shards whose content is read side by side.
constexpr size_t kMostHashedAtOnce = 1024;

/// Calls `take(RecordFile)` for the files of all units.
template <class Take>
Status ForEachFile(const std::vector<RunPointer>& units, uint32_t stream, const Take& take) {
  RecordReader<RecordFile> files(units, stream);
  while (const RecordFile* file = files.Next()) LOOKALIKE_RETURN_IF_ERROR(take(*file));
  return files.status();
}

/// Returns the name of a shard for as long as it is not known how many its input has.
std::string NameBeforeAll(const RecordFile& file) {
  return fmt::format("{}-{}-{}-{}", file.source, file.lane, file.shard, file.rejected);
}

/// A place among the shards of an input, as all lanes made them in order.
class ShardNumber {
 public:
  /// Returns the number of a file's shard. REQUIRES: the files of a shard follow each other.
  uint64_t Of(const RecordFile& file) {
    if (file.source != last_.source) {
      number_ = 0;
    } else if (file.lane != last_.lane || file.shard != last_.shard) {
      ++number_;
    }
    last_ = file;
    return number_;
  }

 private:
  RecordFile last_ = {.source = UINT64_MAX};
  uint64_t number_ = 0;
};

}  // namespace

std::string ShardsBeside(const std::string& whole) { return ParentOf(whole) + "/shards"; }

Status MoveToWhole(const ResultPlaces& places) {
  if (places.own == places.whole) return {};
  FileSystem& files = RealFileSystem();
  LOOKALIKE_ASSIGN_OR_RETURN(const auto names, files.List(places.own));
  for (const std::string& name : names) {
    const ResultPlaces below = {places.own + "/" + name, places.whole + "/" + name};
    LOOKALIKE_ASSIGN_OR_RETURN(const FileFacts facts, files.Stat(below.own));
    if (facts.kind == FileKind::kDirectory) {
      LOOKALIKE_ASSIGN_OR_RETURN([[maybe_unused]] const bool made,
                                 files.MakeDirectory(below.whole));
      LOOKALIKE_RETURN_IF_ERROR(MoveToWhole(below));
      continue;
    }
    LOOKALIKE_RETURN_IF_ERROR(files.SyncPath(below.own));
    LOOKALIKE_RETURN_IF_ERROR(MoveUnlessThere(below.own, below.whole, files));
  }
  return files.SyncPath(places.whole);
}

Status CheckShardNames(const InputList& inputs) {
  std::set<std::string> taken;  // names of inputs of which a folder has a shard's name
  for (size_t i = 0; i < inputs.size(); ++i) {
    const std::string_view name = inputs.NameOf(i);
    for (size_t end = name.find('/'); end != name.npos; end = name.find('/', end + 1)) {
      if (auto input = NameOfShard(name.substr(0, end))) taken.insert(*std::move(input));
    }
  }
  for (size_t i = 0; !taken.empty() && i < inputs.size(); ++i) {
    if (!taken.contains(std::string(inputs.NameOf(i)))) continue;
    return OptionError(
        "$<output-shard> would give a shard of this input the name of a folder of other inputs; "
        "rename one of them, or run without it",
        std::string(inputs.NameOf(i)));
  }
  return {};
}

RecordFolder::RecordFolder(const Job& job, RecordPlaces places)
    : job_(job),
      places_(std::move(places)),
      annotated_(job.choices.output == OutputForm::kAnnotated),
      file_system_(RealFileSystem()) {}

std::string RecordFolder::FolderOf(const RecordFile& file) const {
  return file.rejected != 0 ? "rejected/" : annotated_ ? "annotated/" : "kept/";
}

/// Returns a file's name in the result. REQUIRES: there are no shards.
std::string RecordFolder::NameOf(const RecordFile& file) const {
  return FolderOf(file) + std::string(job_.inputs.NameOf(file.source));
}

std::string RecordFolder::PathOf(const RecordFile& file) const {
  if (!is_sharded()) return places_.folder + "/" + NameOf(file);
  return places_.shards + "/" + NameBeforeAll(file);
}

Status RecordFolder::Deliver(const ResultPlaces& places, const std::vector<RecordFile>& files) {
  std::vector<std::string> names;
  for (const RecordFile& file : files) {
    if (file.exists != 0) names.push_back(is_sharded() ? NameBeforeAll(file) : NameOf(file));
  }
  const std::string& from = is_sharded() ? places_.shards : places_.folder;
  if (places.store != nullptr) {
    LOOKALIKE_RETURN_IF_ERROR(places.store->PutFrom(from, names));
    for (const std::string& name : names) {
      LOOKALIKE_RETURN_IF_ERROR(file_system_.RemoveTree(from + "/" + name));
    }
    return {};
  }
  const std::string to = is_sharded() ? ShardsBeside(places.whole) : places.whole;
  if (is_sharded()) {
    LOOKALIKE_ASSIGN_OR_RETURN([[maybe_unused]] const bool made, file_system_.MakeDirectory(to));
    LOOKALIKE_RETURN_IF_ERROR(file_system_.SyncPath(ParentOf(to)));
  }
  std::set<std::string> changed;
  for (const std::string& name : names) {
    LOOKALIKE_RETURN_IF_ERROR(MoveTo(from + "/" + name, to, name));
    changed.insert(ParentOf(to + "/" + name));
  }
  return SyncAll(changed);
}

Status RecordFolder::SyncAll(const std::set<std::string>& folders) {
  for (const std::string& folder : folders) {
    LOOKALIKE_RETURN_IF_ERROR(file_system_.SyncPath(folder));
  }
  return {};
}

/// Moves a file to a folder, unless it is there.
Status RecordFolder::MoveTo(const std::string& from, const std::string& whole,
                            const std::string& name) {
  const std::string to = whole + "/" + name;
  // The folder `whole` itself must not be made again: another task may have put it in place.
  for (size_t slash = name.find('/'); slash != name.npos; slash = name.find('/', slash + 1)) {
    LOOKALIKE_ASSIGN_OR_RETURN([[maybe_unused]] const bool made,
                               file_system_.MakeDirectory(whole + "/" + name.substr(0, slash)));
  }
  return MoveUnlessThere(from, to, file_system_);
}

Status RecordFolder::LookInStore(std::vector<RecordFile>* files) {
  const std::lock_guard lock(mutex_);
  if (!sizes_) {
    LOOKALIKE_ASSIGN_OR_RETURN(sizes_, places_.store->ListSizes());
  }
  for (RecordFile& file : *files) {
    const auto found = sizes_->find(NameOf(file));
    file.exists = found != sizes_->end() ? 1 : 0;
    const uint64_t bytes = file.exists == 0 ? 0 : found->second;
    if (file.content.bytes != bytes) file.content = {bytes, 0};
  }
  return {};
}

Status RecordFolder::Look(std::vector<RecordFile>* files) {
  if (places_.store != nullptr) return LookInStore(files);
  for (RecordFile& file : *files) {
    const std::string path = PathOf(file);
    LOOKALIKE_ASSIGN_OR_RETURN(const FileFacts facts, file_system_.Stat(path));
    file.exists = facts.kind == FileKind::kFile ? 1 : 0;
    file.content = {};
    if (file.exists == 0) continue;
    if (const auto written = file_system_.Take(path)) {
      file.content = *written;
    } else {
      LOOKALIKE_ASSIGN_OR_RETURN(file.content, ReadContentHash(path));
    }
  }
  return {};
}

Status RecordFolder::Sync(const std::vector<RecordFile>& files) const {
  FileSystem& system = RealFileSystem();
  if (files.size() > kMostSyncedAlone) return system.SyncDevice(places_.folder);
  for (const RecordFile& file : files) {
    if (file.exists == 0) continue;
    const std::string path = PathOf(file);
    LOOKALIKE_RETURN_IF_ERROR(system.SyncPath(path));
    LOOKALIKE_RETURN_IF_ERROR(system.SyncPath(ParentOf(path)));
  }
  return system.SyncPath(places_.folder);
}

Status RecordFolder::ForEachNamed(
    const std::vector<RunPointer>& units, uint32_t stream,
    const std::function<Status(const RecordFile&, const std::string& name)>& take) const {
  if (!is_sharded()) {
    return ForEachFile(units, stream,
                       [&](const RecordFile& file) { return take(file, NameOf(file)); });
  }
  std::vector<uint64_t> shards(job_.inputs.size());
  ShardNumber counted;
  LOOKALIKE_RETURN_IF_ERROR(ForEachFile(units, stream, [&](const RecordFile& file) -> Status {
    shards[file.source] = counted.Of(file) + 1;
    return {};
  }));
  ShardNumber number;
  return ForEachFile(units, stream, [&](const RecordFile& file) {
    return take(file, FolderOf(file) + ShardName(job_.inputs.NameOf(file.source), number.Of(file),
                                                 shards[file.source]));
  });
}

Status RecordFolder::NameShards(const std::vector<RunPointer>& units, uint32_t stream) {
  if (!is_sharded()) return {};
  std::set<std::string> changed;
  std::vector<ResultFile> some;  // of shared ones
  const auto take = [&](const RecordFile& file, const std::string& name) -> Status {
    if (file.exists == 0) return {};
    LOOKALIKE_RETURN_IF_ERROR(NameShard(file, name));
    if (!places_.shared) return {};
    changed.insert(ParentOf(places_.folder + "/" + name));
    some.push_back({name, file.content});
    if (some.size() < kMostHashedAtOnce) return {};
    return CheckShards(std::exchange(some, {}));
  };
  LOOKALIKE_RETURN_IF_ERROR(ForEachNamed(units, stream, take));
  LOOKALIKE_RETURN_IF_ERROR(CheckShards(some));
  return SyncAll(changed);
}

/// Checks that shards are what their tasks wrote.
Status RecordFolder::CheckShards(const std::vector<ResultFile>& shards) const {
  std::vector<Status> checked(shards.size());
  ParallelFor(size_t{0}, shards.size(), [&](size_t i) {
    const std::string path = places_.folder + "/" + shards[i].name;
    const auto now = ReadContentHash(path);
    if (!now) {
      checked[i] = tl::make_unexpected(now.error());
    } else if (*now != shards[i].content) {
      checked[i] = FailChangedFile(path);
    }
  });
  for (const Status& status : checked) LOOKALIKE_RETURN_IF_ERROR(status);
  return {};
}

Status RecordFolder::NameShard(const RecordFile& file, const std::string& name) {
  const std::string to = places_.folder + "/" + name;
  if (places_.shared) {
    const Status moved = MoveTo(PathOf(file), places_.folder, name);
    if (moved) return {};
    LOOKALIKE_ASSIGN_OR_RETURN(const FileFacts left, file_system_.Stat(PathOf(file)));
    return left.kind == FileKind::kMissing ? FailChangedFile(to) : moved;
  }
  LOOKALIKE_RETURN_IF_ERROR(MakeParentDirectories(to, file_system_));
  // An earlier attempt may have left a file of that name, but no folder.
  LOOKALIKE_ASSIGN_OR_RETURN(const FileFacts there, file_system_.Stat(to));
  if (there.kind == FileKind::kFile) LOOKALIKE_RETURN_IF_ERROR(file_system_.RemoveTree(to));
  return file_system_.Rename(PathOf(file), to);
}

tl::unexpected<Error> FailChangedFile(std::string path) {
  return DiskError(
      "this file of the result is not what its task wrote; plan the run again in a new folder",
      std::move(path));
}

Status RecordFolder::ForEach(const std::vector<RunPointer>& units, uint32_t stream,
                             const std::function<Status(const ResultFile&)>& take) const {
  return ForEachNamed(units, stream,
                      [&](const RecordFile& file, const std::string& name) -> Status {
                        if (file.exists == 0) return {};
                        return take({name, file.content});
                      });
}

}  // namespace lookalike
