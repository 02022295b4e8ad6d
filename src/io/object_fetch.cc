#include "io/object_fetch.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <string_view>
#include <thread>
#include <utility>

#include "io/object_input.h"
#include "io/remote_input.h"
#include "io/transfer.h"

namespace lookalike {
namespace {

constexpr std::string_view kPart = ".part";

/// The copying of one object to its file.
class Fetch {
 public:
  Fetch(const ObjectStore& store, const FetchTask& task, RemotePieces pieces, Transfer* transfer,
        FileSystem& files)
      : object_(task.object),
        input_(ObjectInput::Make({store.files, store.uri, transfer->Until(store.retry)}, object_)),
        target_(task.target),
        part_(task.target + std::string(kPart)),
        pieces_(pieces),
        transfer_(*transfer),
        files_(files) {}

  /// Copies the object. The inner Status is about the object, the outer Error about the disk.
  Result<Status> Run() {
    LOOKALIKE_RETURN_IF_ERROR(files_.RemoveTree(target_));
    LOOKALIKE_ASSIGN_OR_RETURN(const auto out, files_.Create(part_));
    LOOKALIKE_ASSIGN_OR_RETURN(Status copied, Copy(*out));
    LOOKALIKE_RETURN_IF_ERROR(out->Close());
    if (copied) copied = input_->CheckUnchanged();
    if (!copied) {
      LOOKALIKE_RETURN_IF_ERROR(files_.RemoveTree(part_));
      return copied;
    }
    LOOKALIKE_RETURN_IF_ERROR(files_.SetModified(part_, object_.mtime_ns));
    LOOKALIKE_RETURN_IF_ERROR(files_.Rename(part_, target_));
    return Status();
  }

 private:
  Result<Status> Copy(OutputFile& out) {
    const auto file = input_->Open();
    if (!file) return Status(tl::make_unexpected(file.error()));
    RemoteReader reader(*file, pieces_);
    while (true) {
      const Result<std::string> piece = reader.Next();
      if (!piece) return Status(tl::make_unexpected(piece.error()));
      if (piece->empty()) return Status();
      LOOKALIKE_RETURN_IF_ERROR(AppendAll(out, *piece));
      transfer_.Add(piece->size());
    }
  }

  const StoredObject& object_;
  std::shared_ptr<const ObjectInput> input_;
  const std::string& target_;
  std::string part_;
  RemotePieces pieces_;
  Transfer& transfer_;
  FileSystem& files_;
};

/// A worker that fetches one task after the other on each thread that calls it.
class Worker {
 public:
  Worker(const ObjectStore& store, std::span<const FetchTask> tasks, bool stop_at_first,
         const FetchSettings& settings, Transfer* transfer, FileSystem& files)
      : store_(store),
        tasks_(tasks),
        stop_at_first_(stop_at_first),
        transfer_(*transfer),
        files_(files),
        outcomes_(tasks.size()) {
    threads_ = std::clamp<size_t>(settings.connections, 1, tasks.size());
    pieces_ = {settings.chunk, std::max<size_t>(1, settings.connections / threads_), true};
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
    return Fetch(store_, task, pieces_, &transfer_, files_).Run();
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
  Transfer& transfer_;
  FileSystem& files_;
  std::vector<Status> outcomes_;
  std::atomic<size_t> next_ = 0;
  size_t threads_ = 1;
  RemotePieces pieces_;
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
