#include "foreign_file.h"

#include <sys/mman.h>
#include <unistd.h>

#include "laws.h"

namespace lookalike::fuzz {

ForeignFile::ForeignFile(std::string_view bytes)
    : descriptor_(memfd_create("foreign", 0)),
      path_("/proc/self/fd/" + std::to_string(descriptor_)),
      size_(bytes.size()) {
  Require(descriptor_ >= 0, "a file in memory can be made");
  while (!bytes.empty()) {
    const ssize_t written = write(descriptor_, bytes.data(), bytes.size());
    Require(written > 0, "a file in memory can be written");
    bytes.remove_prefix(static_cast<size_t>(written));
  }
}

ForeignFile::~ForeignFile() { close(descriptor_); }

InputFile ForeignFile::AsInput(const std::string& name, Format format, Codec codec) const {
  InputFile file;
  file.path = path_;
  file.name = name;
  file.format = format;
  file.codec = codec;
  file.size = size_;
  return file;
}

uint64_t Choose(std::string_view bytes, uint64_t choice, uint64_t end) {
  uint64_t hash = 0xCBF29CE484222325U ^ choice;  // FNV-1a
  for (const char byte : bytes) hash = (hash ^ static_cast<uint8_t>(byte)) * 0x100000001B3U;
  hash ^= hash >> 29;
  return (hash * 0xBF58476D1CE4E5B9U >> 32) % end;
}

}  // namespace lookalike::fuzz
