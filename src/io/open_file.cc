#include "io/open_file.h"

#include <fcntl.h>
#include <fmt/core.h>

#include <cerrno>
#include <cstring>

namespace lookalike {
namespace {

// Calls `read(out, size, filled)`, a system call, until the file ends or `out` is full.
template <class Function>
Result<size_t> Fill(char* out, size_t capacity, const std::string& place, Function read) {
  size_t filled = 0;
  while (filled < capacity) {
    const ssize_t got = read(out + filled, capacity - filled, filled);
    if (got == 0) break;
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      return InputError(fmt::format("cannot be read: {}; check the disk or pass $<skip-bad-inputs>",
                                    std::strerror(errno)),
                        place);
    }
    filled += static_cast<size_t>(got);
  }
  return filled;
}

}  // namespace

Result<size_t> OpenFile::Read(char* out, size_t capacity, const std::string& place) const {
  return Fill(out, capacity, place, [this](char* to, size_t size, size_t /*filled*/) {
    return read(descriptor_, to, size);
  });
}

Result<size_t> OpenFile::ReadAt(uint64_t offset, char* out, size_t capacity,
                                const std::string& place) const {
  return Fill(out, capacity, place, [this, offset](char* to, size_t size, size_t filled) {
    return pread(descriptor_, to, size, static_cast<off_t>(offset + filled));
  });
}

Result<OpenFile> OpenForReading(const std::string& path, const std::string& place) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) {
    const int reason = errno;
    return InputError(fmt::format("cannot be opened: {}; {}", std::strerror(reason),
                                  reason == EACCES ? "check its permissions" : "check the path"),
                      place);
  }
  return OpenFile(descriptor);
}

}  // namespace lookalike
