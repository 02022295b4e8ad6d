#include "io/mapped_file.h"

#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>

#include "io/file_system.h"
#include "io/open_file.h"

namespace lookalike {

Result<MappedFile> MappedFile::Open(const std::string& path) {
  LOOKALIKE_ASSIGN_OR_RETURN(const OpenFile file, OpenForReading(path, path));
  struct stat facts = {};
  if (fstat(file.descriptor(), &facts) != 0) {
    return tl::make_unexpected(FileError("reading", path, errno));
  }
  const auto size = static_cast<size_t>(facts.st_size);
  if (size == 0) return MappedFile(std::span<const std::byte>());
  void* const begin = mmap(nullptr, size, PROT_READ, MAP_SHARED, file.descriptor(), 0);
  if (begin == MAP_FAILED) return tl::make_unexpected(FileError("mapping", path, errno));
  (void)madvise(begin, size, MADV_RANDOM);
  return MappedFile(std::span(static_cast<const std::byte*>(begin), size));
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

}  // namespace lookalike
