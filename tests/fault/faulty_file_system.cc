#include "fault/faulty_file_system.h"

#include <utility>

namespace lookalike {

class FaultyFile : public OutputFile {
 public:
  FaultyFile(FaultyFileSystem& system, std::unique_ptr<OutputFile> file, std::string path)
      : system_(system), file_(std::move(file)), path_(std::move(path)) {}

  Result<size_t> Append(std::string_view bytes) override {
    if (!system_.Strikes()) return file_->Append(bytes);
    std::string_view half = bytes.substr(0, (bytes.size() + 1) / 2);
    LOOKALIKE_ASSIGN_OR_RETURN(size_t written, file_->Append(half));
    if (system_.fault_.error_number == 0) return written;
    return tl::make_unexpected(FileError("writing", path_, system_.fault_.error_number));
  }

  Status Close() override {
    LOOKALIKE_RETURN_IF_ERROR(system_.Check("closing", path_));
    return file_->Close();
  }

 private:
  FaultyFileSystem& system_;
  std::unique_ptr<OutputFile> file_;
  std::string path_;
};

class FaultyReadFile : public RandomAccessFile {
 public:
  FaultyReadFile(FaultyFileSystem& system, std::unique_ptr<RandomAccessFile> file)
      : system_(system), file_(std::move(file)) {}

  Result<size_t> ReadAt(uint64_t offset, std::span<std::byte> out) const override {
    if (!system_.Strikes()) return file_->ReadAt(offset, out);
    if (system_.fault_.error_number == 0) {
      return file_->ReadAt(offset, out.first((out.size() + 1) / 2));
    }
    return tl::make_unexpected(FileError("reading", path(), system_.fault_.error_number));
  }

  uint64_t size() const override { return file_->size(); }
  const std::string& path() const override { return file_->path(); }

 private:
  FaultyFileSystem& system_;
  std::unique_ptr<RandomAccessFile> file_;
};

bool FaultyFileSystem::Strikes() {
  uint64_t number = ++operations_;
  if (fault_.at == 0) return false;
  return number == fault_.at || (fault_.lasting && number > fault_.at);
}

Status FaultyFileSystem::Check(std::string_view doing, const std::string& path) {
  if (!Strikes() || fault_.error_number == 0) return {};
  return tl::make_unexpected(FileError(doing, path, fault_.error_number));
}

Result<std::unique_ptr<OutputFile>> FaultyFileSystem::Create(const std::string& path) {
  LOOKALIKE_RETURN_IF_ERROR(Check("creating", path));
  LOOKALIKE_ASSIGN_OR_RETURN(std::unique_ptr<OutputFile> file, base_.Create(path));
  return std::make_unique<FaultyFile>(*this, std::move(file), path);
}

Result<std::unique_ptr<RandomAccessFile>> FaultyFileSystem::OpenRead(const std::string& path) {
  LOOKALIKE_RETURN_IF_ERROR(Check("opening", path));
  LOOKALIKE_ASSIGN_OR_RETURN(std::unique_ptr<RandomAccessFile> file, base_.OpenRead(path));
  return std::make_unique<FaultyReadFile>(*this, std::move(file));
}

Status FaultyFileSystem::Rename(const std::string& from, const std::string& to) {
  LOOKALIKE_RETURN_IF_ERROR(Check("moving a file to this name", to));
  return base_.Rename(from, to);
}

Status FaultyFileSystem::Exchange(const std::string& a, const std::string& b) {
  LOOKALIKE_RETURN_IF_ERROR(Check("replacing", b));
  return base_.Exchange(a, b);
}

Status FaultyFileSystem::RemoveTree(const std::string& path) {
  LOOKALIKE_RETURN_IF_ERROR(Check("removing", path));
  return base_.RemoveTree(path);
}

Result<bool> FaultyFileSystem::MakeDirectory(const std::string& path) {
  LOOKALIKE_RETURN_IF_ERROR(Check("creating the folder", path));
  return base_.MakeDirectory(path);
}

Status FaultyFileSystem::SetModified(const std::string& path, int64_t mtime_ns) {
  LOOKALIKE_RETURN_IF_ERROR(Check("setting its time", path));
  return base_.SetModified(path, mtime_ns);
}

Status FaultyFileSystem::SyncPath(const std::string& path) {
  LOOKALIKE_RETURN_IF_ERROR(Check("syncing", path));
  return base_.SyncPath(path);
}

Status FaultyFileSystem::SyncDevice(const std::string& path) {
  LOOKALIKE_RETURN_IF_ERROR(Check("syncing", path));
  return base_.SyncDevice(path);
}

Result<FileFacts> FaultyFileSystem::Stat(const std::string& path) {
  LOOKALIKE_RETURN_IF_ERROR(Check("reading its attributes", path));
  return base_.Stat(path);
}

Result<std::vector<std::string>> FaultyFileSystem::List(const std::string& path) {
  LOOKALIKE_RETURN_IF_ERROR(Check("listing", path));
  return base_.List(path);
}

Result<uint64_t> FaultyFileSystem::Space(const std::string& path) {
  LOOKALIKE_RETURN_IF_ERROR(Check("finding its free space", path));
  return base_.Space(path);
}

Result<DirectoryLock> FaultyFileSystem::LockDirectory(const std::string& path) {
  LOOKALIKE_RETURN_IF_ERROR(Check("locking", path));
  return base_.LockDirectory(path);
}

}  // namespace lookalike
