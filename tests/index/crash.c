// Notes in the file SYNC_LOG which bytes and names a power loss cannot take away, and kills the
// process at the N-th sync of a write-ahead log: KILL_BEFORE_SYNC=N or KILL_AFTER_SYNC=N. With KILL_FILES
// it is the sync of a file that has this in its name. FAIL_SYNC=N: the N-th one fails. SLOW_SYNC=T: each
// takes T microseconds more.
//
// A process that is about to open a file whose path ends with PAUSE_AT, for the first time, makes the
// file PAUSE_FILE and waits until it is gone.
//
// FAIL_ONE_IN=N: one in N of the calls of the kinds FAIL_CALLS (such as "read,sync", kCalls below) on paths
// that contain FAIL_BELOW fails with EIO; of failing writes every second one with ENOSPC, and then half of its
// bytes are written. FAIL_SEED=S decides which; threads may still swap their turns. Each is a line "CALL PATH"
// in the file FAIL_LOG.
//
// Lines of the file SYNC_LOG: "C INODE" a file was created, "S INODE SIZE" so many bytes of it are synced,
// "L" a write-ahead log was synced, and "D INODE INODE=NAME/INODE=NAME/..." the files in a synced folder.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

// The function behind one of this library.
#define REAL(RESULT, NAME, ...)                                                      \
  static RESULT (*real)(__VA_ARGS__);                                                \
  if (real == NULL) real = (RESULT(*)(__VA_ARGS__))dlsym(RTLD_NEXT, #NAME)

enum Call { kRead, kWrite, kSync, kRename, kOpen, kUnlink, kLink, kTruncate };
static const char* const kCalls[] = {"read", "write",  "sync", "rename",
                                     "open", "unlink", "link", "truncate"};

static ssize_t WriteUnharmed(int file, const void* bytes, size_t size) {
  REAL(ssize_t, write, int, const void*, size_t);
  return real(file, bytes, size);
}

static void NoteFault(enum Call call, const char* path) {
  const char* const name = getenv("FAIL_LOG");
  if (name == NULL) return;
  REAL(int, open, const char*, int, ...);
  const int file = real(name, O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0600);
  char line[5000];
  const int size = snprintf(line, sizeof line, "%s %s\n", kCalls[call], path);
  if (file < 0 || WriteUnharmed(file, line, (size_t)size) < 0) abort();
  close(file);
}

static int Lists(const char* names, const char* name) {
  const size_t size = strlen(name);
  for (const char* at = names; (at = strstr(at, name)) != NULL; at += size) {
    if ((at == names || at[-1] == ',') && (at[size] == '\0' || at[size] == ',')) return 1;
  }
  return 0;
}

static uint64_t Mixed(uint64_t value) {
  value += 0x9e3779b97f4a7c15U;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9U;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebU;
  return value ^ (value >> 31);
}

// True if a call on this path is to fail; sets errno. Each kind of call has a sequence of its own, so that
// one seed means the same faults however the kinds alternate.
static int Fails(enum Call call, const char* path) {
  static uint64_t counts[sizeof kCalls / sizeof *kCalls];
  const char* const rate = getenv("FAIL_ONE_IN");
  const char* const calls = getenv("FAIL_CALLS");
  const char* const below = getenv("FAIL_BELOW");
  const char* const seed = getenv("FAIL_SEED");
  if (rate == NULL || calls == NULL || below == NULL) return 0;
  if (!Lists(calls, kCalls[call]) || strstr(path, below) == NULL) return 0;
  const uint64_t count = __atomic_fetch_add(&counts[call], 1, __ATOMIC_SEQ_CST);
  const uint64_t first = seed != NULL ? strtoull(seed, NULL, 10) : 0;
  const uint64_t drawn = Mixed(Mixed(Mixed(first) + call) + count);
  if (drawn % strtoull(rate, NULL, 10) != 0) return 0;
  NoteFault(call, path);
  errno = call == kWrite && (drawn >> 63) != 0 ? ENOSPC : EIO;
  return 1;
}

static int FileFails(enum Call call, int file) {
  if (getenv("FAIL_ONE_IN") == NULL) return 0;
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  const int error = errno;
  const ssize_t size = readlink(link, path, sizeof path - 1);
  errno = error;
  if (size < 0) return 0;
  path[size] = '\0';
  return Fails(call, path);
}

static void Note(const char* line, size_t size) {
  static int file = -1;
  const char* const name = getenv("SYNC_LOG");
  if (name == NULL) return;
  if (file < 0) file = open(name, O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0600);
  if (WriteUnharmed(file, line, size) < 0) abort();
}

static void NoteFolder(int folder, ino_t inode) {
  static _Thread_local char line[1 << 16];
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", folder);
  DIR* const names = opendir(path);
  if (names == NULL) return;
  size_t size = (size_t)snprintf(line, sizeof line, "D %lu ", (unsigned long)inode);
  for (struct dirent* name = readdir(names); name != NULL; name = readdir(names)) {
    size += (size_t)snprintf(line + size, sizeof line - size, "%lu=%s/", (unsigned long)name->d_ino,
                             name->d_name);
  }
  closedir(names);
  line[size++] = '\n';
  Note(line, size);
}

static int HasName(int file, const char* part) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  const ssize_t size = readlink(link, path, sizeof path - 1);
  if (size < 0) return 0;
  path[size] = '\0';
  const char* const name = strrchr(path, '/');
  return name != NULL && strstr(name, part) != NULL;
}

static void KillAt(const char* variable, int syncs) {
  const char* const at = getenv(variable);
  if (at != NULL && atoi(at) == syncs) kill(getpid(), SIGKILL);
}

static int Sync(int file, int (*sync)(int)) {
  static int syncs = 0;
  struct stat before;
  const int known = fstat(file, &before) == 0;
  const char* const files = getenv("KILL_FILES");
  const int is_file = known && S_ISREG(before.st_mode);
  const int is_log = is_file && HasName(file, ".log");
  const int counts = is_file && HasName(file, files != NULL ? files : ".log");
  const int number = counts ? __atomic_add_fetch(&syncs, 1, __ATOMIC_SEQ_CST) : 0;
  if (counts) KillAt("KILL_BEFORE_SYNC", number);
  const char* const slow = getenv("SLOW_SYNC");
  if (counts && slow != NULL) usleep((useconds_t)atoi(slow));
  const char* const fails = getenv("FAIL_SYNC");
  if (counts && fails != NULL && atoi(fails) == number) {
    errno = EIO;
    return -1;
  }
  if (FileFails(kSync, file)) return -1;
  const int result = sync(file);
  if (result != 0 || !known) return result;
  char line[64];
  if (S_ISDIR(before.st_mode)) NoteFolder(file, before.st_ino);
  if (S_ISREG(before.st_mode)) {
    Note(line, (size_t)snprintf(line, sizeof line, "S %lu %ld\n", (unsigned long)before.st_ino,
                                (long)before.st_size));
  }
  if (is_log) Note("L\n", 2);
  if (counts) KillAt("KILL_AFTER_SYNC", syncs);
  return result;
}

int fsync(int file) {
  static int (*sync)(int);
  if (sync == NULL) sync = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  return Sync(file, sync);
}

int fdatasync(int file) {
  static int (*sync)(int);
  if (sync == NULL) sync = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
  return Sync(file, sync);
}

// An inode may be used again after its file is gone.
static int NoteCreated(int file, int flags) {
  struct stat now;
  if (file < 0 || (flags & O_CREAT) == 0 || fstat(file, &now) != 0) return file;
  if (!S_ISREG(now.st_mode) || now.st_size > 0) return file;
  const char* const log = getenv("SYNC_LOG");
  struct stat own;
  if (log == NULL || stat(log, &own) != 0 || own.st_ino == now.st_ino) return file;
  char line[64];
  Note(line, (size_t)snprintf(line, sizeof line, "C %lu\n", (unsigned long)now.st_ino));
  return file;
}

static void Pause(const char* path) {
  const char* const end = getenv("PAUSE_AT");
  const char* const file = getenv("PAUSE_FILE");
  if (end == NULL || file == NULL || strlen(path) < strlen(end)) return;
  if (strcmp(path + strlen(path) - strlen(end), end) != 0) return;
  static int paused = 0;
  if (__atomic_exchange_n(&paused, 1, __ATOMIC_SEQ_CST) != 0) return;
  const int made = creat(file, 0600);
  if (made >= 0) close(made);
  while (access(file, F_OK) == 0) usleep(5000);
}

typedef int (*Open)(const char*, int, ...);

#define OPEN(NAME)                                                        \
  int NAME(const char* path, int flags, ...) {                            \
    static Open opens;                                                    \
    if (opens == NULL) opens = (Open)dlsym(RTLD_NEXT, #NAME);             \
    va_list rest;                                                         \
    va_start(rest, flags);                                                \
    const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0; \
    va_end(rest);                                                         \
    Pause(path);                                                          \
    if (Fails(kOpen, path)) return -1;                                    \
    return NoteCreated(opens(path, flags, mode), flags);                  \
  }

OPEN(open)
OPEN(open64)

int openat(int folder, const char* path, int flags, ...) {
  REAL(int, openat, int, const char*, int, ...);
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  if (Fails(kOpen, path)) return -1;
  return real(folder, path, flags, mode);
}

FILE* fopen(const char* path, const char* mode) {
  REAL(FILE*, fopen, const char*, const char*);
  return Fails(kOpen, path) ? NULL : real(path, mode);
}

FILE* fopen64(const char* path, const char* mode) {
  REAL(FILE*, fopen64, const char*, const char*);
  return Fails(kOpen, path) ? NULL : real(path, mode);
}

ssize_t read(int file, void* bytes, size_t size) {
  REAL(ssize_t, read, int, void*, size_t);
  return FileFails(kRead, file) ? -1 : real(file, bytes, size);
}

ssize_t pread(int file, void* bytes, size_t size, off_t at) {
  REAL(ssize_t, pread, int, void*, size_t, off_t);
  return FileFails(kRead, file) ? -1 : real(file, bytes, size, at);
}

ssize_t pread64(int file, void* bytes, size_t size, off64_t at) {
  REAL(ssize_t, pread64, int, void*, size_t, off64_t);
  return FileFails(kRead, file) ? -1 : real(file, bytes, size, at);
}

// Nothing sets the mark of an error but a read that fails inside of the C library, so it is set by hand.
static int StreamFails(FILE* file) {
  const int glibc_error = 0x20;
  if (!FileFails(kRead, fileno(file))) return 0;
  file->_flags |= glibc_error;
  return 1;
}

size_t fread(void* bytes, size_t size, size_t count, FILE* file) {
  REAL(size_t, fread, void*, size_t, size_t, FILE*);
  return StreamFails(file) ? 0 : real(bytes, size, count, file);
}

#undef fread_unlocked
size_t fread_unlocked(void* bytes, size_t size, size_t count, FILE* file) {
  REAL(size_t, fread_unlocked, void*, size_t, size_t, FILE*);
  return StreamFails(file) ? 0 : real(bytes, size, count, file);
}

// A disk without room takes what still fits.
ssize_t write(int file, const void* bytes, size_t size) {
  if (!FileFails(kWrite, file)) return WriteUnharmed(file, bytes, size);
  const int error = errno;
  if (error == ENOSPC && WriteUnharmed(file, bytes, size / 2) < 0) return -1;
  errno = error;
  return -1;
}

ssize_t writev(int file, const struct iovec* parts, int count) {
  REAL(ssize_t, writev, int, const struct iovec*, int);
  return FileFails(kWrite, file) ? -1 : real(file, parts, count);
}

ssize_t pwrite(int file, const void* bytes, size_t size, off_t at) {
  REAL(ssize_t, pwrite, int, const void*, size_t, off_t);
  return FileFails(kWrite, file) ? -1 : real(file, bytes, size, at);
}

ssize_t pwrite64(int file, const void* bytes, size_t size, off64_t at) {
  REAL(ssize_t, pwrite64, int, const void*, size_t, off64_t);
  return FileFails(kWrite, file) ? -1 : real(file, bytes, size, at);
}

int rename(const char* from, const char* to) {
  REAL(int, rename, const char*, const char*);
  return Fails(kRename, to) ? -1 : real(from, to);
}

int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) {
  REAL(int, renameat2, int, const char*, int, const char*, unsigned);
  return Fails(kRename, to) ? -1 : real(from_folder, from, to_folder, to, flags);
}

int unlink(const char* path) {
  REAL(int, unlink, const char*);
  return Fails(kUnlink, path) ? -1 : real(path);
}

int remove(const char* path) {
  REAL(int, remove, const char*);
  return Fails(kUnlink, path) ? -1 : real(path);
}

int link(const char* from, const char* to) {
  REAL(int, link, const char*, const char*);
  return Fails(kLink, to) ? -1 : real(from, to);
}

int ftruncate(int file, off_t size) {
  REAL(int, ftruncate, int, off_t);
  return FileFails(kTruncate, file) ? -1 : real(file, size);
}

int ftruncate64(int file, off64_t size) {
  REAL(int, ftruncate64, int, off64_t);
  return FileFails(kTruncate, file) ? -1 : real(file, size);
}

int fallocate(int file, int mode, off_t begin, off_t size) {
  REAL(int, fallocate, int, int, off_t, off_t);
  return FileFails(kTruncate, file) ? -1 : real(file, mode, begin, size);
}

// Returns the error instead of setting errno.
int posix_fallocate(int file, off_t begin, off_t size) {
  REAL(int, posix_fallocate, int, off_t, off_t);
  return FileFails(kTruncate, file) ? EIO : real(file, begin, size);
}
