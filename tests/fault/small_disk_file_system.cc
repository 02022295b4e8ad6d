#include "fault/small_disk_file_system.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "fault/moved_paths.h"

namespace lookalike {

class SmallDiskFile : public OutputFile {
 public:
  SmallDiskFile(SmallDiskFileSystem& disk, std::unique_ptr<OutputFile> file, std::string path,
                SmallDiskFileSystem::Size size)
      : disk_(disk), file_(std::move(file)), path_(std::move(path)), size_(std::move(size)) {}

  Result<size_t> Append(std::string_view bytes) override {
    const std::lock_guard lock(disk_.mutex_);
    const uint64_t left = disk_.capacity_ - std::min(disk_.capacity_, disk_.Used());
    if (left == 0) return tl::make_unexpected(FileError("writing", path_, ENOSPC));
    LOOKALIKE_ASSIGN_OR_RETURN(const size_t written, file_->Append(bytes.substr(0, left)));
    *size_ += written;
    disk_.peak_ = std::max(disk_.peak_, disk_.Used());
    return written;
  }

  Status Close() override { return file_->Close(); }

 private:
  SmallDiskFileSystem& disk_;
  std::unique_ptr<OutputFile> file_;
  std::string path_;
  SmallDiskFileSystem::Size size_;
};

uint64_t SmallDiskFileSystem::Used() const {
  uint64_t used = 0;
  for (const auto& [path, size] : sizes_) used += *size;
  return used;
}

uint64_t SmallDiskFileSystem::used() const {
  const std::lock_guard lock(mutex_);
  return Used();
}

uint64_t SmallDiskFileSystem::peak() const {
  const std::lock_guard lock(mutex_);
  return peak_;
}

Result<std::unique_ptr<OutputFile>> SmallDiskFileSystem::Create(const std::string& path) {
  LOOKALIKE_ASSIGN_OR_RETURN(std::unique_ptr<OutputFile> file, base_.Create(path));
  const std::lock_guard lock(mutex_);
  const Size size = std::make_shared<uint64_t>(0);
  sizes_[path] = size;
  return std::make_unique<SmallDiskFile>(*this, std::move(file), path, size);
}

Status SmallDiskFileSystem::Rename(const std::string& from, const std::string& to) {
  LOOKALIKE_RETURN_IF_ERROR(base_.Rename(from, to));
  const std::lock_guard lock(mutex_);
  std::map<std::string, Size> sizes;
  for (const auto& [path, size] : sizes_) sizes[Moved(path, from, to)] = size;
  sizes_ = std::move(sizes);
  return {};
}

Status SmallDiskFileSystem::Exchange(const std::string& a, const std::string& b) {
  LOOKALIKE_RETURN_IF_ERROR(base_.Exchange(a, b));
  const std::lock_guard lock(mutex_);
  std::map<std::string, Size> sizes;
  for (const auto& [path, size] : sizes_) {
    sizes[IsAtOrBelow(path, a) ? Moved(path, a, b) : Moved(path, b, a)] = size;
  }
  sizes_ = std::move(sizes);
  return {};
}

Status SmallDiskFileSystem::RemoveTree(const std::string& path) {
  LOOKALIKE_RETURN_IF_ERROR(base_.RemoveTree(path));
  const std::lock_guard lock(mutex_);
  std::erase_if(sizes_, [&](const auto& entry) { return IsAtOrBelow(entry.first, path); });
  return {};
}

Result<uint64_t> SmallDiskFileSystem::Space(const std::string&) {
  const std::lock_guard lock(mutex_);
  return capacity_ - std::min(capacity_, Used());
}

}  // namespace lookalike
