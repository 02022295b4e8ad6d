// Notes in the file SYNC_LOG which bytes and names a power loss cannot take away, and kills the
// process at the N-th sync of a write-ahead log: KILL_BEFORE_SYNC=N or KILL_AFTER_SYNC=N. With KILL_FILES
// it is the sync of a file that has this in its name. FAIL_SYNC=N: the N-th one fails. SLOW_SYNC=T: each
// takes T microseconds more.
//
// A process that is about to open a file whose path ends with PAUSE_AT, for the first time, makes the
// file PAUSE_FILE and waits until it is gone.
//
// Lines of the file SYNC_LOG: "C INODE" a file was created, "S INODE SIZE" so many bytes of it are synced,
// "L" a write-ahead log was synced, and "D INODE NAME/NAME/..." the names in a synced folder.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void Note(const char* line, size_t size) {
  static int file = -1;
  const char* const name = getenv("SYNC_LOG");
  if (name == NULL) return;
  if (file < 0) file = open(name, O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0600);
  if (write(file, line, size) < 0) abort();
}

static void NoteFolder(int folder, ino_t inode) {
  static _Thread_local char line[1 << 16];
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", folder);
  DIR* const names = opendir(path);
  if (names == NULL) return;
  size_t size = (size_t)snprintf(line, sizeof line, "D %lu ", (unsigned long)inode);
  for (struct dirent* name = readdir(names); name != NULL; name = readdir(names)) {
    size += (size_t)snprintf(line + size, sizeof line - size, "%s/", name->d_name);
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
    return NoteCreated(opens(path, flags, mode), flags);                  \
  }

OPEN(open)
OPEN(open64)
