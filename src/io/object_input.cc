#include "io/object_input.h"

#include <arrow/buffer.h>
#include <arrow/filesystem/filesystem.h>
#include <arrow/io/interfaces.h>
#include <arrow/util/key_value_metadata.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "io/retrying_call.h"

namespace lookalike {
namespace {

using ObjectFile = std::shared_ptr<arrow::io::RandomAccessFile>;
using Chunk = std::shared_ptr<arrow::Buffer>;

/// Bytes of the smallest request. The AWS library reads an error into the buffer of the bytes, and
/// loses it if it does not fit.
constexpr uint64_t kLeast = 4096;

/// Returns the store's name for one state of an object; empty if it has none.
std::string VersionOf(arrow::io::RandomAccessFile& file) {
  const auto metadata = file.ReadMetadata();
  if (!metadata.ok() || *metadata == nullptr) return {};
  for (const char* key : {"generation", "ETag", "etag"}) {
    if (const auto value = (*metadata)->Get(key); value.ok()) return *value;
  }
  return {};
}

/// Opens an object; asks the store for its size.
arrow::Result<ObjectFile> OpenObject(const ObjectStore& store, const std::string& path) {
  return CallWithRetries<ObjectFile>(
      store.retry, [files = store.files, path] { return files->OpenInputFile(path); });
}

}  // namespace

/// An object that is open for reading. Each read is one request, or more if one fails.
class ObjectInput::File final : public RandomAccessFile {
 public:
  File(std::shared_ptr<const ObjectInput> input, ObjectFile file)
      : input_(std::move(input)), file_(std::move(file)) {}

  Result<size_t> ReadAt(uint64_t offset, std::span<std::byte> out) const override {
    if (offset >= size()) return size_t{0};
    const uint64_t wanted = std::min<uint64_t>(out.size(), size() - offset);
    const RetryPolicy& retry = input_->store_.retry;
    ++input_->requests_;
    for (int turn = 1;; ++turn) {
      // A store may send less than it was asked for, so the next try begins where bytes are needed.
      const uint64_t most = turn == 1 ? size() : size() - offset;
      const uint64_t asked = std::min(std::max(kLeast, wanted), most);
      const uint64_t begin = std::min(offset, size() - asked), before = offset - begin;
      // The bytes get memory of their own: a call that is abandoned may still write to it.
      const auto got =
          BackgroundCall<Chunk>([file = file_, begin, asked] {
            return file->ReadAt(static_cast<int64_t>(begin), static_cast<int64_t>(asked));
          }).Wait(retry);
      if (got.ok() && static_cast<uint64_t>((*got)->size()) > before) {
        const uint64_t some = std::min(static_cast<uint64_t>((*got)->size()) - before, wanted);
        std::memcpy(out.data(), (*got)->data() + before, some);
        return some;
      }
      const arrow::Status status =
          got.ok()
              ? arrow::Status::IOError("the object ends after ", offset, " of ", size(), " bytes")
              : got.status();
      if (turn >= retry.tries || !IsRetryable(status)) return input_->Explain(status);
      if (!PauseBefore(turn + 1, retry)) return input_->Explain(Interrupted());
    }
  }

  [[nodiscard]] uint64_t size() const override { return input_->object_.size; }
  [[nodiscard]] const std::string& path() const override { return input_->place_; }

 private:
  std::shared_ptr<const ObjectInput> input_;
  ObjectFile file_;  ///< Null for an empty object.
};

Result<std::shared_ptr<const RandomAccessFile>> ObjectInput::Open() const {
  const auto self = shared_from_this();
  if (object_.size == 0) {
    LOOKALIKE_RETURN_IF_ERROR(CheckListed());
    return std::make_shared<const File>(self, nullptr);
  }
  const auto file = OpenObject(store_, object_.path);
  if (!file.ok()) return FailStore(file.status());
  const auto size = (*file)->GetSize();
  if (size.ok() && *size != static_cast<int64_t>(object_.size)) return FailChanged();
  LOOKALIKE_RETURN_IF_ERROR(CheckVersion(VersionOf(**file)));
  return std::make_shared<const File>(self, *file);
}

Status ObjectInput::CheckUnchanged() const {
  LOOKALIKE_RETURN_IF_ERROR(CheckListed());
  // A single request sees a single state of an object; between requests, the object may change
  // without a change of its time, which is in seconds.
  if (requests_ <= 1 || !HasVersion()) return {};
  LOOKALIKE_ASSIGN_OR_RETURN([[maybe_unused]] const auto file, Open());
  return {};
}

std::optional<Error> ObjectInput::failure() const {
  const std::lock_guard lock(mutex_);
  return failure_;
}

/// Remembers why the object cannot be read; the first reason counts.
Error ObjectInput::Keep(Error error) const {
  const std::lock_guard lock(mutex_);
  if (!failure_) failure_ = error;
  return error;
}

tl::unexpected<Error> ObjectInput::FailStore(const arrow::Status& status) const {
  return tl::make_unexpected(Keep(StoreError(status, "cannot be read", place_)));
}

tl::unexpected<Error> ObjectInput::FailChanged() const {
  return tl::make_unexpected(
      Keep(InputError("the object changed while it was read; run again when nothing writes to it",
                      place_)
               .value()));
}

/// Returns the reason for a failed read: the object has changed, or `status`.
tl::unexpected<Error> ObjectInput::Explain(const arrow::Status& status) const {
  if (!status.IsCancelled()) {
    if (const Status same = CheckListed(); !same) return tl::make_unexpected(same.error());
  }
  return FailStore(status);
}

/// Checks that the object has the size and the time that it was listed with.
Status ObjectInput::CheckListed() const {
  const auto info = CallWithRetries<arrow::fs::FileInfo>(
      store_.retry,
      [files = store_.files, path = object_.path] { return files->GetFileInfo(path); });
  if (!info.ok()) return FailStore(info.status());
  const StoredObject now = ObjectOf(*info);
  if (info->IsFile() && now.size == object_.size && IsSameTime(now.mtime_ns, object_.mtime_ns)) {
    return {};
  }
  return FailChanged();
}

bool ObjectInput::HasVersion() const {
  const std::lock_guard lock(mutex_);
  return version_ && !version_->empty();
}

/// Checks that the object has the version that it had when it was first opened.
Status ObjectInput::CheckVersion(const std::string& version) const {
  std::string first;
  {
    const std::lock_guard lock(mutex_);
    if (!version_) version_ = version;
    first = *version_;
  }
  return first == version ? Status() : Status(FailChanged());
}

}  // namespace lookalike
