#include "io/object_upload.h"

#include <arrow/buffer.h>
#include <arrow/filesystem/filesystem.h>
#include <arrow/io/interfaces.h>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "io/retrying_call.h"
#include "io/transfer.h"

namespace lookalike {
namespace {

/// Keeps a stream alive until the process ends.
void KeepForEver(std::shared_ptr<arrow::io::OutputStream> stream) {
  static std::mutex mutex;
  static auto* const kept = new std::vector<std::shared_ptr<arrow::io::OutputStream>>;
  const std::lock_guard lock(mutex);
  kept->push_back(std::move(stream));
}

/// A stream into an object, for one operation at a time: an abandoned operation may still run when
/// the upload is given up. If the stream was not closed, no object appears.
struct Stream {
  Stream(std::shared_ptr<arrow::io::OutputStream> opened, bool abortable)
      : bytes(std::move(opened)), can_abort(abortable) {}
  ~Stream() { GiveUp(); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  /// Aborts the upload, or keeps the stream. Arrow's streams complete their object, with the bytes
  /// sent so far, when they are destroyed. So a stream that cannot be aborted is never destroyed:
  /// the store forgets an upload that nobody completes, or keeps its parts where no listing shows
  /// them.
  void GiveUp() {
    if (bytes == nullptr || bytes->closed()) return;
    if (!can_abort || !bytes->Abort().ok()) KeepForEver(bytes);
    bytes = nullptr;
  }

  std::mutex mutex;
  std::shared_ptr<arrow::io::OutputStream> bytes;
  bool can_abort;
};
using SharedStream = std::shared_ptr<Stream>;

/// At the end of an upload a store joins its parts.
constexpr std::chrono::minutes kLongestEnd{10};

arrow::Result<SharedStream> Open(const ObjectStore& store, const std::string& path,
                                 const RetryPolicy& retry) {
  return BackgroundCall<SharedStream>([files = store.files, path]() -> arrow::Result<SharedStream> {
           ARROW_ASSIGN_OR_RAISE(auto bytes, files->OpenOutputStream(path));
           // Google's Abort(), and the destructor, would complete the object.
           return std::make_shared<Stream>(std::move(bytes), files->type_name() != "gcs");
         })
      .Wait(retry);
}

/// Ends an upload so that no object appears. It continues in the background after a run was
/// cancelled.
void Discard(const ObjectStore& store, const SharedStream& stream) {
  RetryPolicy retry = store.retry;
  retry.deadline = std::chrono::seconds(2);
  (void)BackgroundCall<bool>([stream]() -> arrow::Result<bool> {
    const std::lock_guard lock(stream->mutex);
    stream->GiveUp();
    return true;
  }).Wait(retry);
}

/// The upload of one file to its object.
class Upload {
 public:
  Upload(const ObjectStore& store, const UploadTask& task, size_t batch, Transfer* transfer,
         FileSystem& files)
      : store_(store),
        retry_(transfer->Until(store.retry)),
        task_(task),
        batch_(batch),
        transfer_(*transfer),
        files_(files) {}

  Status Run() {
    LOOKALIKE_ASSIGN_OR_RETURN(file_, files_.OpenRead(task_.source));
    for (int turn = 1;; ++turn) {
      sent_ = 0;
      LOOKALIKE_ASSIGN_OR_RETURN(arrow::Status status, Try());
      if (status.ok()) return {};
      transfer_.Add(uint64_t{0} - sent_);
      const bool again = turn < retry_.tries && IsRetryable(status);
      if (again && PauseBefore(turn + 1, retry_)) continue;
      if (again) status = Interrupted();
      return tl::make_unexpected(
          StoreError(status, "cannot be written", store_.uri.Name(task_.path)));
    }
  }

 private:
  /// Tries once. The inner Status is about the store, the outer Error about the disk.
  Result<arrow::Status> Try() {
    const auto opened = Open(store_, task_.path, retry_);
    if (!opened.ok()) return opened.status();
    const SharedStream& stream = *opened;
    Result<arrow::Status> sent = Send(stream);
    if (sent && sent->ok()) *sent = End(stream);
    if (!sent || !sent->ok()) Discard(store_, stream);
    return sent;
  }

  Result<arrow::Status> Send(const SharedStream& stream) {
    while (sent_ < file_->size()) {
      const auto size = std::min<uint64_t>(batch_, file_->size() - sent_);
      const auto bytes = std::make_shared<std::vector<std::byte>>(size);
      LOOKALIKE_RETURN_IF_ERROR(ReadFully(*file_, sent_, *bytes));
      const arrow::Status written = Call(
          [stream, bytes] {
            const std::lock_guard lock(stream->mutex);
            ARROW_RETURN_NOT_OK(
                stream->bytes->Write(bytes->data(), static_cast<int64_t>(bytes->size())));
            // Arrow's writes continue in the background, without a limit on their number.
            return stream->bytes->Flush();
          },
          retry_);
      if (!written.ok()) return written;
      sent_ += size;
      transfer_.Add(size);
    }
    return arrow::Status::OK();
  }

  /// Completes the object, and checks that it is whole.
  arrow::Status End(const SharedStream& stream) {
    RetryPolicy retry = retry_;
    retry.deadline = std::max<std::chrono::milliseconds>(retry.deadline, kLongestEnd);
    ARROW_RETURN_NOT_OK(Call(
        [stream] {
          const std::lock_guard lock(stream->mutex);
          return stream->bytes->Close();
        },
        retry));
    ARROW_ASSIGN_OR_RAISE(
        const arrow::fs::FileInfo info,
        CallWithRetries<arrow::fs::FileInfo>(retry_, [files = store_.files, path = task_.path] {
          return files->GetFileInfo(path);
        }));
    if (info.IsFile() && info.size() == static_cast<int64_t>(file_->size())) {
      return arrow::Status::OK();
    }
    return arrow::Status::IOError("the store has ", std::max<int64_t>(info.size(), 0), " of ",
                                  file_->size(), " bytes");
  }

  static arrow::Status Call(std::function<arrow::Status()> body, const RetryPolicy& retry) {
    return BackgroundCall<bool>([body = std::move(body)]() -> arrow::Result<bool> {
             ARROW_RETURN_NOT_OK(body());
             return true;
           })
        .Wait(retry)
        .status();
  }

  const ObjectStore& store_;
  RetryPolicy retry_;
  const UploadTask& task_;
  uint64_t batch_;
  Transfer& transfer_;
  FileSystem& files_;
  std::unique_ptr<RandomAccessFile> file_;
  uint64_t sent_ = 0;
};

}  // namespace

Status UploadFiles(const ObjectStore& store, std::span<const UploadTask> tasks,
                   const UploadSettings& settings, FileSystem& files) {
  Transfer transfer(settings.progress);
  std::atomic<size_t> next = 0;
  const auto work = [&] {
    while (!transfer.IsStopped()) {
      const size_t at = next++;
      if (at >= tasks.size()) return;
      try {
        Status done = Upload(store, tasks[at], settings.batch, &transfer, files).Run();
        if (!done) transfer.EndWith(std::move(done).error());
      } catch (const std::exception& error) {
        transfer.EndWith(Error{ErrorCode::kBug, {}, error.what(), tasks[at].source});
      }
    }
  };
  std::vector<std::jthread> threads;  // joined even if another cannot be started
  for (size_t i = 0; i < std::min(settings.connections, tasks.size()); ++i) {
    threads.emplace_back(work);
  }
  threads.clear();
  if (auto end = transfer.TakeEnd()) return tl::make_unexpected(*std::move(end));
  return {};
}

Status CheckWritable(const ObjectStore& store, const std::string& path) {
  for (int turn = 1;; ++turn) {
    const auto stream = Open(store, path, store.retry);
    if (stream.ok()) {
      Discard(store, *stream);
      return {};
    }
    const arrow::Status& status = stream.status();
    const bool again = turn < store.retry.tries && IsRetryable(status);
    if (again && PauseBefore(turn + 1, store.retry)) continue;
    return tl::make_unexpected(StoreError(status, "cannot be written", store.uri.Name(path)));
  }
}

Status RemoveObject(const ObjectStore& store, const std::string& path) {
  const arrow::Status removed =
      CallWithRetries(store.retry, [files = store.files, path]() -> arrow::Status {
        ARROW_ASSIGN_OR_RAISE(const arrow::fs::FileInfo info, files->GetFileInfo(path));
        return info.IsFile() ? files->DeleteFile(path) : arrow::Status::OK();
      });
  if (removed.ok()) return {};
  return tl::make_unexpected(StoreError(removed, "cannot be removed", store.uri.Name(path)));
}

}  // namespace lookalike
