// A library loaded before the C library (LD_PRELOAD), which makes the files of a whole program
// misbehave, including those that libraries write. FAULTY_LIBC=short: reads and writes of regular
// files transfer half of the requested bytes. FAULTY_LIBC=full:N: the N-th operation that takes
// room on the disk and all after it fail as on a full disk; a write that fails first writes half of
// its bytes. FAULTY_LIBC=cut:N: the power fails at the N-th: half of the bytes written and not
// synced are lost. FAULTY_LIBC=bad:N: in regular files, 512 bytes from N on cannot be read.
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <map>
#include <mutex>
#include <utility>

namespace {

struct Plan {
  bool brief = false;
  uint64_t full_at = 0, cut_at = 0, bad_at = UINT64_MAX;
};

const Plan& Faults() {
  static const Plan plan = [] {
    Plan read;
    const char* const text = getenv("FAULTY_LIBC");
    if (text == nullptr) return read;
    read.brief = strcmp(text, "short") == 0;
    if (strncmp(text, "full:", 5) == 0) read.full_at = strtoull(text + 5, nullptr, 10);
    if (strncmp(text, "cut:", 4) == 0) read.cut_at = strtoull(text + 4, nullptr, 10);
    if (strncmp(text, "bad:", 4) == 0) read.bad_at = strtoull(text + 4, nullptr, 10);
    return read;
  }();
  return plan;
}

template <class Function>
Function* Real(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

bool IsFile(int fd) {
  const int error = errno;
  struct stat facts;
  const bool is_file = fstat(fd, &facts) == 0 && S_ISREG(facts.st_mode);
  errno = error;
  return is_file;
}

// A file that was written: our own descriptor, and how much of it a power cut spares.
struct Written {
  int fd;
  off64_t synced;
};

// By device and inode, because a file may be renamed, closed, and opened again to be synced.
using Files = std::map<std::pair<dev_t, ino_t>, Written>;

struct Disk {
  std::mutex mutex;
  uint64_t operations = 0;
  Files written;
};

Disk& TheDisk() {
  static Disk& disk = *new Disk;
  return disk;
}

void CutPower(const Files& written) {
  for (const auto& [id, file] : written) {
    struct stat facts;
    if (fstat(file.fd, &facts) != 0 || facts.st_size <= file.synced) continue;
    if (ftruncate(file.fd, file.synced + (facts.st_size - file.synced) / 2) != 0) abort();
  }
  _exit(75);
}

// Counts an operation that takes room. True if it, and so every later one, finds the disk full.
bool DiskIsFull() {
  if (Faults().full_at == 0 && Faults().cut_at == 0) return false;
  Disk& disk = TheDisk();
  const std::lock_guard lock(disk.mutex);
  ++disk.operations;
  if (disk.operations == Faults().cut_at) CutPower(disk.written);
  return Faults().full_at != 0 && disk.operations >= Faults().full_at;
}

// Notes a file before it is written to.
void Note(int fd) {
  struct stat facts;
  if (Faults().cut_at == 0 || fstat(fd, &facts) != 0) return;
  Disk& disk = TheDisk();
  const std::lock_guard lock(disk.mutex);
  const auto [file, is_new] = disk.written.try_emplace({facts.st_dev, facts.st_ino}, Written{});
  if (is_new) file->second = {dup(fd), facts.st_size};
}

void NoteSynced(int fd) {
  struct stat facts;
  if (Faults().cut_at == 0 || fstat(fd, &facts) != 0) return;
  Disk& disk = TheDisk();
  const std::lock_guard lock(disk.mutex);
  const auto file = disk.written.find({facts.st_dev, facts.st_ino});
  if (file != disk.written.end()) file->second.synced = facts.st_size;
}

void NoteAllSynced() {
  Disk& disk = TheDisk();
  const std::lock_guard lock(disk.mutex);
  for (auto& [id, file] : disk.written) {
    struct stat facts;
    if (fstat(file.fd, &facts) == 0) file.synced = facts.st_size;
  }
}

size_t Half(size_t count) { return count > 1 ? count / 2 : count; }

template <class Write>
ssize_t FaultyWrite(int fd, size_t count, Write write) {
  if (!IsFile(fd)) return write(count);
  if (Faults().brief) return write(Half(count));
  Note(fd);
  if (!DiskIsFull()) return write(count);
  if (count > 1) write(count / 2);
  errno = ENOSPC;
  return -1;
}

// True if a read from `offset` on includes bytes that cannot be read.
bool IsBad(int fd, off64_t offset, size_t count) {
  struct stat facts;
  if (Faults().bad_at == UINT64_MAX || !IsFile(fd) || fstat(fd, &facts) != 0) return false;
  constexpr uint64_t kSector = 512;
  const uint64_t begin = static_cast<uint64_t>(offset), bad = Faults().bad_at;
  if (begin >= bad + kSector || begin + count <= bad) return false;
  if (static_cast<uint64_t>(facts.st_size) <= bad) return false;
  errno = EIO;
  return true;
}

int FailFull() {
  errno = ENOSPC;
  return -1;
}

}  // namespace

extern "C" {

ssize_t write(int fd, const void* bytes, size_t count) {
  static auto* const real = Real<ssize_t(int, const void*, size_t)>("write");
  return FaultyWrite(fd, count, [&](size_t n) { return real(fd, bytes, n); });
}

ssize_t pwrite64(int fd, const void* bytes, size_t count, off64_t offset) {
  static auto* const real = Real<ssize_t(int, const void*, size_t, off64_t)>("pwrite64");
  return FaultyWrite(fd, count, [&](size_t n) { return real(fd, bytes, n, offset); });
}

ssize_t pwrite(int fd, const void* bytes, size_t count, off_t offset) {
  return pwrite64(fd, bytes, count, offset);
}

ssize_t read(int fd, void* bytes, size_t count) {
  static auto* const real = Real<ssize_t(int, void*, size_t)>("read");
  if (IsBad(fd, lseek64(fd, 0, SEEK_CUR), count)) return -1;
  return real(fd, bytes, Faults().brief && IsFile(fd) ? Half(count) : count);
}

ssize_t pread64(int fd, void* bytes, size_t count, off64_t offset) {
  static auto* const real = Real<ssize_t(int, void*, size_t, off64_t)>("pread64");
  if (IsBad(fd, offset, count)) return -1;
  return real(fd, bytes, Faults().brief && IsFile(fd) ? Half(count) : count, offset);
}

ssize_t pread(int fd, void* bytes, size_t count, off_t offset) {
  return pread64(fd, bytes, count, offset);
}

int fsync(int fd) {
  static auto* const real = Real<int(int)>("fsync");
  const int done = real(fd);
  NoteSynced(fd);
  return done;
}

int fdatasync(int fd) { return fsync(fd); }

int syncfs(int fd) {
  static auto* const real = Real<int(int)>("syncfs");
  const int done = real(fd);
  NoteAllSynced();
  return done;
}

int mkdir(const char* path, mode_t mode) {
  static auto* const real = Real<int(const char*, mode_t)>("mkdir");
  return DiskIsFull() ? FailFull() : real(path, mode);
}

int open64(const char* path, int flags, ...) {
  static auto* const real = Real<int(const char*, int, ...)>("open64");
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  if ((flags & O_CREAT) != 0 && DiskIsFull()) return FailFull();
  return real(path, flags, mode);
}

int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  return open64(path, flags, mode);
}

}  // extern "C"
