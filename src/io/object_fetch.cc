#include "io/object_fetch.h"

#include <arrow/buffer.h>
#include <arrow/filesystem/filesystem.h>
#include <arrow/io/interfaces.h>
#include <arrow/util/key_value_metadata.h>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <string_view>
#include <thread>
#include <utility>

#include "io/retrying_call.h"
#include "io/transfer.h"

namespace lookalike {
namespace {

using ObjectFile = std::shared_ptr<arrow::io::RandomAccessFile>;
using Chunk = std::shared_ptr<arrow::Buffer>;
using ChunkCall = BackgroundCall<Chunk>;

constexpr std::string_view kPart = ".part";

/// Returns the store's name for one state of an object; empty if it has none.
std::string VersionOf(arrow::io::RandomAccessFile& file) {
  const auto metadata = file.ReadMetadata();
  if (!metadata.ok() || *metadata == nullptr) return {};
  for (const char* key : {"generation", "ETag", "etag"}) {
    if (const auto value = (*metadata)->Get(key); value.ok()) return *value;
  }
  return {};
}

/// The copying of one object to its file.
class Fetch {
 public:
  Fetch(const ObjectStore& store, const FetchTask& task, size_t chunk, size_t window,
        Transfer* transfer, FileSystem& files)
      : store_(store),
        retry_(transfer->Until(store.retry)),
        object_(task.object),
        target_(task.target),
        part_(task.target + std::string(kPart)),
        chunk_(chunk),
        window_(window),
        transfer_(*transfer),
        files_(files) {}

  /// Copies the object. The inner Status is about the object, the outer Error about the disk.
  Result<Status> Run() {
    LOOKALIKE_RETURN_IF_ERROR(files_.RemoveTree(target_));
    LOOKALIKE_ASSIGN_OR_RETURN(const auto out, files_.Create(part_));
    LOOKALIKE_ASSIGN_OR_RETURN(Status copied, Copy(*out));
    LOOKALIKE_RETURN_IF_ERROR(out->Close());
    if (copied) copied = CheckSame();
    if (!copied) {
      LOOKALIKE_RETURN_IF_ERROR(files_.RemoveTree(part_));
      return copied;
    }
    LOOKALIKE_RETURN_IF_ERROR(files_.SetModified(part_, object_.mtime_ns));
    LOOKALIKE_RETURN_IF_ERROR(files_.Rename(part_, target_));
    return Status();
  }

 private:
  std::string Name() const { return store_.uri.Name(object_.path); }

  tl::unexpected<Error> FailStore(const arrow::Status& status) const {
    return tl::make_unexpected(StoreError(status, "cannot be read", Name()));
  }

  tl::unexpected<Error> FailChanged() const {
    return InputError("the object changed while it was read; run again when nothing writes to it",
                      Name());
  }

  /// Opens the object. Its size comes only from the store's answer.
  arrow::Result<ObjectFile> Open() const {
    return CallWithRetries<ObjectFile>(
        retry_, [files = store_.files, path = object_.path] { return files->OpenInputFile(path); });
  }

  ChunkCall Read(uint64_t offset, uint64_t length) const {
    return ChunkCall([file = file_, offset, length]() -> arrow::Result<Chunk> {
      return file->ReadAt(static_cast<int64_t>(offset), static_cast<int64_t>(length));
    });
  }

  Result<Status> Copy(OutputFile& out) {
    if (object_.size == 0) return Status();
    auto file = Open();
    if (!file.ok()) return Status(FailStore(file.status()));
    file_ = *std::move(file);
    version_ = VersionOf(*file_);
    const auto size = file_->GetSize();
    if (size.ok() && *size != static_cast<int64_t>(object_.size)) return Status(FailChanged());
    std::deque<ChunkCall> ahead;
    uint64_t asked = 0;
    for (uint64_t offset = 0; offset < object_.size; offset += chunk_) {
      for (; asked < object_.size && ahead.size() < window_; asked += chunk_) {
        ahead.push_back(Read(asked, std::min(chunk_, object_.size - asked)));
      }
      ChunkCall call = std::move(ahead.front());
      ahead.pop_front();
      LOOKALIKE_ASSIGN_OR_RETURN(Status taken, Take(std::move(call), offset,
                                                    std::min(chunk_, object_.size - offset), out));
      if (!taken) return taken;
    }
    return Status();
  }

  /// Writes one chunk, however many reads it takes.
  Result<Status> Take(ChunkCall call, uint64_t offset, uint64_t length, OutputFile& out) {
    int failures = 0;
    while (true) {
      const auto got = call.Wait(retry_);
      if (got.ok() && (*got)->size() > 0) {
        failures = 0;
        const auto size = std::min(static_cast<uint64_t>((*got)->size()), length);
        LOOKALIKE_RETURN_IF_ERROR(
            AppendAll(out, {reinterpret_cast<const char*>((*got)->data()), size}));
        transfer_.Add(size);
        offset += size;
        length -= size;
        if (length == 0) return Status();
      } else {
        const arrow::Status status = got.ok()
                                         ? arrow::Status::IOError("the object ends after ", offset,
                                                                  " of ", object_.size, " bytes")
                                         : got.status();
        if (++failures >= retry_.tries || !IsRetryable(status)) return Explain(status);
        if (!PauseBefore(failures + 1, retry_)) return Explain(Interrupted());
      }
      call = Read(offset, length);
    }
  }

  /// Returns the reason for a failed read: the object has changed, or `status`.
  Status Explain(const arrow::Status& status) const {
    if (!status.IsCancelled()) LOOKALIKE_RETURN_IF_ERROR(CheckSame());
    return FailStore(status);
  }

  Status CheckSame() const {
    const auto info = CallWithRetries<arrow::fs::FileInfo>(
        retry_, [files = store_.files, path = object_.path] { return files->GetFileInfo(path); });
    if (!info.ok()) return FailStore(info.status());
    const StoredObject now = ObjectOf(*info);
    if (!info->IsFile() || now.size != object_.size ||
        !IsSameTime(now.mtime_ns, object_.mtime_ns)) {
      return FailChanged();
    }
    // A single request sees a single state of an object; between requests, the object may change
    // without a change of its time, which is in seconds.
    if (version_.empty() || object_.size <= chunk_) return {};
    const auto file = Open();
    if (!file.ok()) return FailStore(file.status());
    return VersionOf(**file) == version_ ? Status() : Status(FailChanged());
  }

  const ObjectStore& store_;
  RetryPolicy retry_;
  const StoredObject& object_;
  const std::string& target_;
  std::string part_;
  uint64_t chunk_;
  size_t window_;
  Transfer& transfer_;
  FileSystem& files_;
  ObjectFile file_;
  std::string version_;
};

/// A worker that fetches one task after the other on each thread that calls it.
class Worker {
 public:
  Worker(const ObjectStore& store, std::span<const FetchTask> tasks, bool stop_at_first,
         const FetchSettings& settings, Transfer* transfer, FileSystem& files)
      : store_(store),
        tasks_(tasks),
        stop_at_first_(stop_at_first),
        chunk_(settings.chunk),
        transfer_(*transfer),
        files_(files),
        outcomes_(tasks.size()) {
    threads_ = std::clamp<size_t>(settings.connections, 1, tasks.size());
    window_ = std::max<size_t>(1, settings.connections / threads_);
  }

  std::vector<Status> Run() {
    std::vector<std::jthread> threads;  // joined even if another cannot be started
    for (size_t i = 0; i < threads_; ++i) threads.emplace_back([this] { Work(); });
    threads.clear();
    return std::move(outcomes_);
  }

 private:
  void Work() {
    while (!transfer_.IsStopped()) {
      const size_t at = next_++;
      if (at >= tasks_.size()) return;
      try {
        Finish(at, FetchOne(tasks_[at]));
      } catch (const std::exception& error) {
        transfer_.EndWith(
            Error{ErrorCode::kBug, {}, error.what(), store_.uri.Name(tasks_[at].object.path)});
      }
    }
  }

  Result<Status> FetchOne(const FetchTask& task) {
    LOOKALIKE_ASSIGN_OR_RETURN(const bool there, IsFetched(task, files_));
    if (there) {
      transfer_.Add(task.object.size);
      return Status();
    }
    return Fetch(store_, task, chunk_, window_, &transfer_, files_).Run();
  }

  void Finish(size_t at, Result<Status> outcome) {
    if (!outcome) return transfer_.EndWith(std::move(outcome).error());
    outcomes_[at] = *std::move(outcome);
    if (outcomes_[at]) return;
    const bool interrupted = store_.retry.IsCancelled();
    if (interrupted || stop_at_first_) transfer_.EndWith(outcomes_[at].error());
  }

  const ObjectStore& store_;
  std::span<const FetchTask> tasks_;
  bool stop_at_first_;
  size_t chunk_;
  Transfer& transfer_;
  FileSystem& files_;
  std::vector<Status> outcomes_;
  std::atomic<size_t> next_ = 0;
  size_t threads_ = 1, window_ = 1;
};

}  // namespace

Result<bool> IsFetched(const FetchTask& task, FileSystem& files) {
  LOOKALIKE_ASSIGN_OR_RETURN(const FileFacts facts, files.Stat(task.target));
  return facts.kind == FileKind::kFile && facts.size == task.object.size &&
         IsSameTime(facts.mtime_ns, task.object.mtime_ns);
}

Result<std::vector<Status>> FetchObjects(const ObjectStore& store, std::span<const FetchTask> tasks,
                                         bool stop_at_first, const FetchSettings& settings,
                                         FileSystem& files) {
  if (tasks.empty()) return std::vector<Status>();
  Transfer transfer(settings.progress);
  std::vector<Status> outcomes =
      Worker(store, tasks, stop_at_first, settings, &transfer, files).Run();
  if (auto end = transfer.TakeEnd()) return tl::make_unexpected(*std::move(end));
  if (store.retry.IsCancelled()) return Cancelled();
  return outcomes;
}

}  // namespace lookalike
