#include "io/input_bytes.h"

#include <arrow/buffer.h>
#include <arrow/io/file.h>
#include <arrow/io/interfaces.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <mutex>
#include <span>

namespace lookalike {
namespace {

/// A remote input as Arrow reads it: by offset, from several threads, and often a few bytes at a
/// time, which are cut from a window.
class ArrowInput final : public arrow::io::RandomAccessFile {
 public:
  explicit ArrowInput(std::shared_ptr<const lookalike::RandomAccessFile> file)
      : file_(std::move(file)) {}

  arrow::Status Close() override {
    closed_ = true;
    return {};
  }
  bool closed() const override { return closed_; }
  arrow::Result<int64_t> Tell() const override { return at_; }
  arrow::Status Seek(int64_t position) override {
    at_ = position;
    return {};
  }
  arrow::Result<int64_t> GetSize() override { return static_cast<int64_t>(file_->size()); }

  arrow::Result<int64_t> ReadAt(int64_t offset, int64_t size, void* out) override {
    if (size < kWindow) return ReadFromWindow(offset, size, static_cast<char*>(out));
    return Request(offset, {static_cast<std::byte*>(out), static_cast<size_t>(size)});
  }

  arrow::Result<std::shared_ptr<arrow::Buffer>> ReadAt(int64_t offset, int64_t size) override {
    const auto most = std::clamp<int64_t>(static_cast<int64_t>(file_->size()) - offset, 0, size);
    ARROW_ASSIGN_OR_RAISE(auto buffer, arrow::AllocateResizableBuffer(most));
    ARROW_ASSIGN_OR_RAISE(const int64_t got, ReadAt(offset, most, buffer->mutable_data()));
    ARROW_RETURN_NOT_OK(buffer->Resize(got, /*shrink_to_fit=*/false));
    return buffer;
  }

  arrow::Result<int64_t> Read(int64_t size, void* out) override {
    ARROW_ASSIGN_OR_RAISE(const int64_t got, ReadAt(at_, size, out));
    at_ += got;
    return got;
  }

  arrow::Result<std::shared_ptr<arrow::Buffer>> Read(int64_t size) override {
    ARROW_ASSIGN_OR_RAISE(auto buffer, ReadAt(at_, size));
    at_ += buffer->size();
    return buffer;
  }

 private:
  static constexpr int64_t kWindow = int64_t{128} << 10;

  arrow::Result<int64_t> Request(int64_t offset, std::span<std::byte> out) const {
    const auto got = ReadMost(*file_, static_cast<uint64_t>(offset), out);
    if (!got) return arrow::Status::IOError(got.error().what);
    return static_cast<int64_t>(*got);
  }

  arrow::Result<int64_t> ReadFromWindow(int64_t offset, int64_t size, char* out) {
    const auto file_size = static_cast<int64_t>(file_->size());
    size = std::clamp<int64_t>(file_size - offset, 0, size);
    const std::lock_guard lock(mutex_);
    if (offset < window_at_ || offset + size > window_at_ + std::ssize(window_)) {
      // A footer is read from the end of the file backwards.
      window_at_ = std::max<int64_t>(0, std::min(offset, file_size - kWindow));
      window_.resize(static_cast<size_t>(std::min(kWindow, file_size - window_at_)));
      const auto got = Request(window_at_, std::as_writable_bytes(std::span(window_)));
      window_.resize(got.ok() ? static_cast<size_t>(*got) : 0);
      ARROW_RETURN_NOT_OK(got.status());
      size = std::clamp<int64_t>(window_at_ + std::ssize(window_) - offset, 0, size);
    }
    std::copy_n(window_.data() + (offset - window_at_), size, out);
    return size;
  }

  std::shared_ptr<const lookalike::RandomAccessFile> file_;
  std::mutex mutex_;
  std::string window_;
  int64_t window_at_ = 0;
  int64_t at_ = 0;
  bool closed_ = false;
};

}  // namespace

Result<size_t> InputBytes::Read(char* out, size_t capacity) {
  if (auto* remote = std::get_if<RemoteReader>(&bytes_)) return remote->Read(out, capacity);
  return std::get<OpenFile>(bytes_).Read(out, capacity, place_);
}

Result<size_t> InputBytes::ReadAt(uint64_t offset, char* out, size_t capacity) const {
  if (const auto* remote = std::get_if<RemoteReader>(&bytes_)) {
    return ReadMost(remote->file(), offset, std::as_writable_bytes(std::span(out, capacity)));
  }
  return std::get<OpenFile>(bytes_).ReadAt(offset, out, capacity, place_);
}

void InputBytes::Seek(uint64_t offset) {
  if (auto* remote = std::get_if<RemoteReader>(&bytes_)) return remote->Seek(offset);
  lseek(std::get<OpenFile>(bytes_).descriptor(), static_cast<off_t>(offset), SEEK_SET);
}

void InputBytes::ExpectInOrder(uint64_t until) {
  if (auto* remote = std::get_if<RemoteReader>(&bytes_)) return remote->ExpectUntil(until);
  posix_fadvise(std::get<OpenFile>(bytes_).descriptor(), 0, 0, POSIX_FADV_SEQUENTIAL);
}

uint64_t InputBytes::size() const {
  if (const auto* remote = std::get_if<RemoteReader>(&bytes_)) return remote->file().size();
  struct stat facts = {};
  if (fstat(std::get<OpenFile>(bytes_).descriptor(), &facts) != 0) return 0;
  return static_cast<uint64_t>(facts.st_size);
}

Result<InputBytes> OpenInputBytes(const InputFile& file) {
  if (file.remote) {
    LOOKALIKE_ASSIGN_OR_RETURN(auto opened, file.remote->Open());
    return InputBytes(RemoteReader(std::move(opened)), file.place());
  }
  LOOKALIKE_ASSIGN_OR_RETURN(OpenFile opened, OpenForReading(file.path, file.place()));
  return InputBytes(std::move(opened), file.place());
}

arrow::Result<std::shared_ptr<arrow::io::RandomAccessFile>> OpenForArrow(const InputFile& file) {
  if (!file.remote) return arrow::io::ReadableFile::Open(file.path);
  auto opened = file.remote->Open();
  if (!opened) return arrow::Status::IOError(opened.error().what);
  return std::make_shared<ArrowInput>(*std::move(opened));
}

std::optional<Error> StoreFailure(const InputFile& file) {
  return file.remote ? file.remote->failure() : std::nullopt;
}

Status CheckStores(const InputList& inputs) {
  for (const auto& remote : inputs.Remotes()) {
    if (const auto failure = remote->failure()) return tl::make_unexpected(*failure);
  }
  return {};
}

Status CheckUnchanged(const InputFile& file) {
  if (file.table) return {};
  if (file.remote) return file.remote->CheckUnchanged();
  struct stat now = {};
  if (stat(file.path.c_str(), &now) != 0) {
    return InputError("the input disappeared during the run; run again", file.place());
  }
  const int64_t mtime = int64_t{now.st_mtim.tv_sec} * 1'000'000'000 + now.st_mtim.tv_nsec;
  if (static_cast<uint64_t>(now.st_size) == file.size && mtime == file.mtime_ns) return {};
  return InputError("the input changed while it was read; run again when nothing writes to it",
                    file.place());
}

}  // namespace lookalike
