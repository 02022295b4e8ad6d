#include "io/file_system.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

namespace lookalike {
namespace {

tl::unexpected<Error> FailErrno(std::string_view doing, const std::string& path) {
  return tl::make_unexpected(FileError(doing, path, errno));
}

/// An owner of a file descriptor.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  int get() const { return fd_; }
  int Release() { return std::exchange(fd_, -1); }

 private:
  int fd_;
};

class PosixFile : public OutputFile {
 public:
  PosixFile(int fd, std::string path) : fd_(fd), path_(std::move(path)) {}

  Result<size_t> Append(std::string_view bytes) override {
    ssize_t written = 0;
    do {
      written = write(fd_.get(), bytes.data(), bytes.size());
    } while (written < 0 && errno == EINTR);
    if (written < 0) return FailErrno("writing", path_);
    if (written == 0) return tl::make_unexpected(FileError("writing", path_, ENOSPC));
    return static_cast<size_t>(written);
  }

  Status Close() override {
    if (close(fd_.Release()) != 0 && errno != EINTR) return FailErrno("closing", path_);
    return {};
  }

 private:
  Descriptor fd_;
  std::string path_;
};

class PosixReadFile : public RandomAccessFile {
 public:
  PosixReadFile(Descriptor fd, std::string path, uint64_t size)
      : fd_(std::move(fd)), path_(std::move(path)), size_(size) {}

  Result<size_t> ReadAt(uint64_t offset, std::span<std::byte> out) const override {
    ssize_t got = 0;
    do {
      got = pread(fd_.get(), out.data(), out.size(), static_cast<off_t>(offset));
    } while (got < 0 && errno == EINTR);
    if (got < 0) return FailErrno("reading", path_);
    return static_cast<size_t>(got);
  }

  uint64_t size() const override { return size_; }
  const std::string& path() const override { return path_; }

 private:
  Descriptor fd_;
  std::string path_;
  uint64_t size_;
};

bool SameFile(int fd, const std::string& path) {
  struct stat a = {}, b = {};
  return fstat(fd, &a) == 0 && stat(path.c_str(), &b) == 0 && a.st_dev == b.st_dev &&
         a.st_ino == b.st_ino;
}

/// Renames where the file system has no flag that refuses to replace, as in NFS. A second name for
/// a file does refuse; directories, and files without second names, are left to rename().
int RenameWithoutFlags(const std::string& from, const std::string& to) {
  if (link(from.c_str(), to.c_str()) == 0) return unlink(from.c_str());
  if (errno == EEXIST) return -1;
  struct stat facts = {};
  if (lstat(to.c_str(), &facts) == 0 && !S_ISDIR(facts.st_mode)) {
    errno = EEXIST;
    return -1;
  }
  return rename(from.c_str(), to.c_str());
}

class PosixFileSystem : public FileSystem {
 public:
  Result<std::unique_ptr<OutputFile>> Create(const std::string& path) override {
    int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0) return FailErrno("creating", path);
    return std::make_unique<PosixFile>(fd, path);
  }

  Result<std::unique_ptr<RandomAccessFile>> OpenRead(const std::string& path) override {
    Descriptor fd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (fd.get() < 0) return FailErrno("opening", path);
    struct stat facts = {};
    if (fstat(fd.get(), &facts) != 0) return FailErrno("reading its attributes", path);
    if (!S_ISREG(facts.st_mode))
      return InputError("expected a regular file, found something else", path);
    return std::make_unique<PosixReadFile>(std::move(fd), path,
                                           static_cast<uint64_t>(facts.st_size));
  }

  Status Rename(const std::string& from, const std::string& to) override {
    int done = renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE);
    if (done != 0 && (errno == EINVAL || errno == ENOSYS)) done = RenameWithoutFlags(from, to);
    if (done != 0) return FailErrno("moving a file to this name", to);
    return {};
  }

  Status Exchange(const std::string& a, const std::string& b) override {
    if (renameat2(AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE) == 0) return {};
    if (errno == EINVAL || errno == ENOSYS) {
      return DiskError(
          "this file system cannot replace an output in one step; choose an output that does not "
          "exist, or another file system",
          b);
    }
    return FailErrno("replacing", b);
  }

  Status RemoveTree(const std::string& path) override {
    std::error_code error;
    std::filesystem::remove_all(path, error);
    if (error) return tl::make_unexpected(FileError("removing", path, error.value()));
    return {};
  }

  Result<bool> MakeDirectory(const std::string& path) override {
    if (mkdir(path.c_str(), 0777) == 0) return true;
    if (errno != EEXIST) return FailErrno("creating the folder", path);
    struct stat facts = {};
    if (stat(path.c_str(), &facts) == 0 && S_ISDIR(facts.st_mode)) return false;
    return UsageError("expected a folder, found something else; move it away", path);
  }

  Status SetModified(const std::string& path, int64_t mtime_ns) override {
    constexpr int64_t kSecond = 1'000'000'000;
    const int64_t rest = (mtime_ns % kSecond + kSecond) % kSecond;
    const timespec times[2] = {{.tv_sec = 0, .tv_nsec = UTIME_OMIT},
                               {.tv_sec = (mtime_ns - rest) / kSecond, .tv_nsec = rest}};
    if (utimensat(AT_FDCWD, path.c_str(), times, 0) != 0) {
      return FailErrno("setting its time", path);
    }
    return {};
  }

  Status SyncPath(const std::string& path) override {
    Descriptor fd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (fd.get() < 0) return FailErrno("opening", path);
    // Some network file systems cannot sync directories, and return EINVAL.
    if (fsync(fd.get()) != 0 && errno != EINVAL) return FailErrno("syncing", path);
    return {};
  }

  Status SyncDevice(const std::string& path) override {
    Descriptor fd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (fd.get() < 0) return FailErrno("opening", path);
    if (syncfs(fd.get()) != 0) return FailErrno("syncing", path);
    return {};
  }

  Result<FileFacts> Stat(const std::string& path) override {
    struct stat facts = {};
    if (lstat(path.c_str(), &facts) != 0) {
      if (errno == ENOENT || errno == ENOTDIR) return FileFacts{};
      return FailErrno("reading its attributes", path);
    }
    FileKind kind = S_ISREG(facts.st_mode)   ? FileKind::kFile
                    : S_ISDIR(facts.st_mode) ? FileKind::kDirectory
                                             : FileKind::kOther;
    return FileFacts{kind, static_cast<uint64_t>(facts.st_size),
                     int64_t{facts.st_mtim.tv_sec} * 1'000'000'000 + facts.st_mtim.tv_nsec};
  }

  Result<std::vector<std::string>> List(const std::string& path) override {
    std::error_code error;
    std::vector<std::string> names;
    auto entry = std::filesystem::directory_iterator(path, error);
    for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
      names.push_back(entry->path().filename().string());
    }
    if (error) return tl::make_unexpected(FileError("listing", path, error.value()));
    std::sort(names.begin(), names.end());
    return names;
  }

  Result<uint64_t> Space(const std::string& path) override {
    struct statvfs facts = {};
    if (statvfs(path.c_str(), &facts) != 0) return FailErrno("finding its free space", path);
    return static_cast<uint64_t>(facts.f_bavail) * facts.f_frsize;
  }

  Result<DirectoryLock> LockDirectory(const std::string& path) override {
    Descriptor fd(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (fd.get() < 0) return FailErrno("opening", path);
    if (flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
      bool busy = errno == EWOULDBLOCK;
      return DirectoryLock{busy ? DirectoryLock::State::kBusy : DirectoryLock::State::kUnsupported,
                           nullptr};
    }
    // The former holder may have renamed or removed the directory that we had opened.
    if (!SameFile(fd.get(), path)) return DirectoryLock{DirectoryLock::State::kBusy, nullptr};
    return DirectoryLock{DirectoryLock::State::kHeld,
                         std::make_shared<const Descriptor>(std::move(fd))};
  }
};

std::string_view Advice(int error_number) {
  switch (error_number) {
    case ENOSPC:
    case EDQUOT:
      return "free some space or choose another place for the output";
    case EFBIG:
      return "the file is too large for this file system; choose another one";
    case EACCES:
    case EPERM:
      return "check the permissions, or choose another output";
    case EROFS:
      return "choose an output on a writable device";
    case EIO:
      return "check the device; the output is not usable";
    case ENOENT:
      return "check the path; its folder must exist";
    case ENOTDIR:
      return "check the path; a part of it is not a folder";
    case EISDIR:
      return "name a file, or move the folder away";
    case EEXIST:
    case ENOTEMPTY:
      return "move it away or choose another output";
    case ENAMETOOLONG:
      return "choose a shorter name";
    case EMFILE:
    case ENFILE:
      return "raise the limit of open files (ulimit -n)";
    default:
      return "check the path and its device";
  }
}

}  // namespace

FileSystem& RealFileSystem() {
  static PosixFileSystem real;
  return real;
}

Error FileError(std::string_view doing, const std::string& path, int error_number) {
  std::string what(doing);
  what += " failed: ";
  what += std::generic_category().message(error_number);
  what += "; ";
  what += Advice(error_number);
  const ErrorCode code = error_number == ENOMEM ? ErrorCode::kMemory : ErrorCode::kDisk;
  return Error{code, {}, std::move(what), path};
}

std::string ParentOf(const std::string& path) {
  size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

Status AppendAll(OutputFile& file, std::string_view bytes) {
  while (!bytes.empty()) {
    LOOKALIKE_ASSIGN_OR_RETURN(size_t written, file.Append(bytes));
    bytes.remove_prefix(written);
  }
  return {};
}

Result<size_t> ReadMost(const RandomAccessFile& file, uint64_t offset, std::span<std::byte> out) {
  size_t filled = 0;
  while (filled < out.size()) {
    LOOKALIKE_ASSIGN_OR_RETURN(const size_t got, file.ReadAt(offset + filled, out.subspan(filled)));
    if (got == 0) break;
    filled += got;
  }
  return filled;
}

Status ReadFully(const RandomAccessFile& file, uint64_t offset, std::span<std::byte> out) {
  LOOKALIKE_ASSIGN_OR_RETURN(const size_t filled, ReadMost(file, offset, out));
  if (filled == out.size()) return {};
  return CorruptError("the file is shorter than expected: another program has changed it",
                      file.path());
}

Status MakeParentDirectories(const std::string& path, FileSystem& files) {
  // Starts from the innermost folder: with many files in one folder, all but the first need a
  // single check.
  const size_t slash = path.find_last_of('/');
  if (slash == std::string::npos || slash == 0) return {};
  const std::string folder = path.substr(0, slash);
  LOOKALIKE_ASSIGN_OR_RETURN(FileFacts facts, files.Stat(folder));
  if (facts.kind != FileKind::kMissing) return {};
  LOOKALIKE_RETURN_IF_ERROR(MakeParentDirectories(folder, files));
  LOOKALIKE_ASSIGN_OR_RETURN([[maybe_unused]] bool made, files.MakeDirectory(folder));
  return {};
}

}  // namespace lookalike
