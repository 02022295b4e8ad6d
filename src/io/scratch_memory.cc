#include "io/scratch_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

#include "io/file_system.h"

namespace lookalike {
namespace {

/// Closes a file, which its mapping outlives.
class Descriptor {
 public:
  explicit Descriptor(int descriptor) : descriptor_(descriptor) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  [[nodiscard]] int get() const { return descriptor_; }

 private:
  int descriptor_;
};

}  // namespace

Result<ScratchMemory> ScratchMemory::Make(uint64_t bytes, const std::string& path) {
  if (bytes == 0) return ScratchMemory(std::span<std::byte>());
  const Descriptor file(open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (file.get() < 0) return tl::make_unexpected(FileError("creating", path, errno));
  if (unlink(path.c_str()) != 0) return tl::make_unexpected(FileError("removing", path, errno));
  // A page without room on the disk would end the process when it is written to.
  const int no_room = posix_fallocate(file.get(), 0, static_cast<off_t>(bytes));
  if (no_room != 0) return tl::make_unexpected(FileError("making room for", path, no_room));
  void* const begin =
      mmap(nullptr, static_cast<size_t>(bytes), PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
  if (begin == MAP_FAILED) return tl::make_unexpected(FileError("mapping", path, errno));
  return ScratchMemory(std::span(static_cast<std::byte*>(begin), static_cast<size_t>(bytes)));
}

ScratchMemory::~ScratchMemory() {
  if (!bytes_.empty()) munmap(bytes_.data(), bytes_.size());
}

}  // namespace lookalike
